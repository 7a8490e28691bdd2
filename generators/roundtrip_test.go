package generators

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// A sample that is written to a CSV and a schema is read again unchanged: with the same fingerprint, names,
// kinds, levels and classes. This also holds with missing values and for a class without rows.
func TestConformanceRoundTripThroughCSV(t *testing.T) {
	for name, g := range variants() {
		problem, err := g.New(randtest.New(1))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		counts := make([]int, specOf(g).Classes(g))
		for c := range counts {
			counts[c] = 20 * c // none of class 0
		}
		drawn := problem.Sample(counts, randtest.New(2))
		for what, s := range map[string]*dataset.Set{"complete": drawn,
			"with gaps": drawn.RemoveValues(1, randtest.New(3))} {
			again, err := throughCSV(filepath.Join(t.TempDir(), "s.csv"), s)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
				continue
			}
			if dataset.Fingerprint(again) != dataset.Fingerprint(s) ||
				!reflect.DeepEqual(again.Attributes, s.Attributes) || !reflect.DeepEqual(again.Classes, s.Classes) {
				t.Errorf("%s, %s: another sample comes back: %v %q, was %v %q",
					name, what, again.Attributes, again.Classes, s.Attributes, s.Classes)
			}
		}
	}
}

// throughCSV writes a sample and its schema and reads them.
func throughCSV(path string, s *dataset.Set) (*dataset.Set, error) {
	for name, write := range map[string]func(*os.File) error{
		path:                     func(f *os.File) error { return csvfile.Write(f, s, csvfile.ClassColumn) },
		csvfile.SchemaFile(path): func(f *os.File) error { return csvfile.WriteSchema(f, s, csvfile.ClassColumn) },
	} {
		f, err := os.Create(name)
		if err != nil {
			return nil, err
		}
		if err := write(f); err != nil {
			return nil, err
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return csvfile.ReadFile(path, csvfile.Options{})
}
