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
	to := filepath.Join(t.TempDir(), "r.parquet")
	if code, out, errOut := copse("export", dir, "--out", to); code != 0 || !strings.Contains(out, "24 records") {
		t.Errorf("exit %d, %s%s", code, out, errOut)
	}
	text, err := os.ReadFile(to)
	if err != nil || !strings.HasPrefix(string(text), "PAR1") {
		t.Errorf("no Parquet file: %v", err)
	}
	if code, out, errOut := copse("export", dir); code != 0 || out != string(text) {
		t.Errorf("to standard output: exit %d, %s", code, errOut)
	}
}
