package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	if code, _, errOut := copse("run", file, "--out", dir); code != 0 {
		t.Fatal(errOut)
	}
	records, err := os.ReadFile(filepath.Join(dir, "records.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if code, out, errOut := copse("export", dir); code != 0 || out != string(records) {
		t.Errorf("exit %d, %s", code, errOut)
	}
	to := filepath.Join(t.TempDir(), "r.parquet")
	if code, out, errOut := copse("export", dir, "--format", "parquet", "--out", to); code != 0 || !strings.Contains(out, "24 records") {
		t.Errorf("exit %d, %s%s", code, out, errOut)
	}
	if text, err := os.ReadFile(to); err != nil || !strings.HasPrefix(string(text), "PAR1") {
		t.Errorf("no Parquet file: %v", err)
	}
	if code, _, errOut := copse("export", dir, "--format", "xlsx"); code != exitUsage || !strings.Contains(errOut, "want csv or parquet") {
		t.Errorf("exit %d, %s", code, errOut)
	}
}
