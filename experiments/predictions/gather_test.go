package predictions

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// With a part goes what killed processes left of it; what another shard may be writing
// stays.
func TestRemovedParts(t *testing.T) {
	dir := t.TempDir()
	stays := []string{".b-000000002-x.csv.gz.7.part", "b-000000002-y.csv.gz"}
	for _, name := range append([]string{"a-000000001-x.csv.gz", ".a-000000001-x.csv.gz.12.part", ".a-000000001-x.csv.gz.9.part"}, stays...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeParts(dir, []string{filepath.Join(dir, "a-000000001-x.csv.gz")}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if !slices.Equal(left, stays) {
		t.Errorf("%q are left, want %q", left, stays)
	}
}
