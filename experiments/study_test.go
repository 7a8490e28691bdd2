package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/study"
)

// Each *.bad.yaml has one mistake; its first line says what must be reported.
func TestBadStudies(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.bad.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad studies: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := "the file is empty"
			if first, _, ok := strings.Cut(string(text), "\n"); ok {
				want = strings.TrimPrefix(first, "# want: ")
			}
			separator := ": "
			if want != "" && want[0] >= '0' && want[0] <= '9' {
				separator = ":" // a line number follows the file name
			}
			_, err = study.Load(file)
			if err == nil {
				t.Fatal("was accepted")
			}
			if got := err.Error(); got != filepath.ToSlash(file)+separator+want {
				t.Errorf("got  %s\nwant %s", got, filepath.ToSlash(file)+separator+want)
			}
		})
	}
}
