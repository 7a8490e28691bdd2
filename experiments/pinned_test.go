package experiments

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"copse/experiments/study"
	"copse/internal/filetest"
)

// The recipes in the papers' simulation studies are those of their stored results. If the results of a
// classifier change, these studies must state its old version.
func TestPapersKeepTheirRecipes(t *testing.T) {
	for _, name := range []string{
		"jmlr2020-table1", "jmlr2020-table2", "jmlr2020-table3", "jmlr2020-readings",
		"dorn2018-simulation", "khrf2010-table1", "khrf2010-tasks", "dcc2014-figure1",
	} {
		stored := storedRecipes(t, filepath.Join("..", "results", name, "manifest.json"))
		s, err := study.Load(filepath.Join("..", "configs", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range s.Cells {
			for _, e := range cell.Classifiers {
				if want := stored[cell.ID][e.ID]; e.Spec != want {
					t.Errorf("%s, cell %s: %s is %s, its results are of %q", name, cell.ID, e.ID, e.Spec, want)
				}
			}
		}
	}
}

// storedRecipes returns the recipes of a manifest by cell and classifier.
func storedRecipes(t *testing.T, file string) map[string]map[string]string {
	t.Helper()
	text := filetest.Read(t, file)
	var manifest struct {
		Cells []struct {
			ID          string
			Classifiers map[string]string
		}
	}
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatal(err)
	}
	recipes := map[string]map[string]string{}
	for _, cell := range manifest.Cells {
		recipes[cell.ID] = cell.Classifiers
	}
	return recipes
}
