package results_test

import (
	"path/filepath"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// With any content of manifest.json and timings.csv, a folder is read or rejected.
func FuzzFolder(f *testing.F) {
	s, from := toys.Load(f, toys.Study, "replicates=1", "design.n=20"), f.TempDir()
	toys.RunIn(f, s, from)
	files := map[string][]byte{}
	for _, name := range []string{folder.Study, folder.Records, folder.Manifest, folder.Timings} {
		files[name] = []byte(filetest.Read(f, filepath.Join(from, name)))
	}
	f.Add(files[folder.Manifest], files[folder.Timings])
	f.Add([]byte("{}"), []byte("cell,replicate,classifier,fit_seconds,predict_seconds\na,1,b,NaN,1\n"))
	f.Fuzz(func(t *testing.T, manifest, timings []byte) {
		dir := t.TempDir()
		for name, text := range files {
			switch name {
			case folder.Manifest:
				text = manifest
			case folder.Timings:
				text = timings
			}
			filetest.Write(t, filepath.Join(dir, name), string(text))
		}
		l, err := results.OpenFor(dir, s)
		if err != nil {
			return
		}
		if n := len(l.Records().Rows); n > l.Len() {
			t.Fatalf("%d records of %d results", n, l.Len())
		}
	})
}
