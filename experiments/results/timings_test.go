package results

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/internal/filetest"
)

// Times are found for any order of the rows. There may be rows without a result and results without a row.
func TestReadTimings(t *testing.T) {
	dir := t.TempDir()
	text := strings.Join(timingColumns, ",") + "\nc1,2,m0,1.5,0.25,7\nc0,10,m1,0.5,0,\n"
	filetest.Write(t, filepath.Join(dir, folder.Timings), text)
	got, err := readTimings(dir)
	want := map[timingKey]timing{{"c1", 2, "m0"}: {1.5, 0.25, 7}, {"c0", 10, "m1"}: {0.5, 0, 0}}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	rows := []string{"c,x,m,1,1,", "c,1,m,-1,1,", "c,1,m,1,NaN,", "c,1,m,1,+Inf,", "c,1,m,1,1,-5", "c,1,m"}
	for _, row := range rows {
		damaged := strings.Join(timingColumns, ",") + "\n" + row + "\n"
		filetest.Write(t, filepath.Join(dir, folder.Timings), damaged)
		if times, err := readTimings(dir); err == nil {
			t.Errorf("%s: read as %v", row, times)
		}
	}
	if got, err := readTimings(t.TempDir()); err != nil || len(got) != 0 {
		t.Errorf("without a file: %v, %v", got, err)
	}
}
