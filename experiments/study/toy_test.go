package study_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// The studies in these tests use a generator that draws only zeros, and classifiers that never run.
func TestMain(m *testing.M) {
	generators.Registry = append(generators.Registry, generators.Spec{
		Entry: recipe.Entry[generators.Generator]{
			Name: "toy", Version: 1, New: func() generators.Generator { return &toy{D: 2, Shift: 1} },
		},
		Classes: func(generators.Generator) int { return 2 },
		Columns: func(g generators.Generator) int { return g.(*toy).D },
	})
	for _, name := range []string{"centroid", "coin"} {
		classifiers.Registry = append(classifiers.Registry, classifiers.Spec{
			Entry: recipe.Entry[classifiers.Classifier]{
				Name: name, Version: 1, New: func() classifiers.Classifier { return &centroid{} },
			},
			Missing: true, Discrete: true,
		})
	}
	os.Exit(m.Run())
}

type toy struct {
	D     int     `param:"d" range:"[1,inf)"`
	Shift float64 `param:"shift"`
}

type toyProblem struct{ d int }

func (g *toy) New(*rand.Rand) (generators.Problem, error) { return toyProblem{g.D}, nil }

// Sample draws one row of zeros for each class.
func (p toyProblem) Sample([]int, *rand.Rand) *dataset.Set {
	return dataset.New(mat.NewDense(2, p.d, nil), []int{0, 1}, 2)
}
func (toyProblem) LogDensity(int, []float64) float64 { return 0 }

type centroid struct {
	Axis int `param:"axis" range:"[0,inf)"`
}

func (*centroid) Fit(context.Context, *dataset.Set, *rand.Rand) (*classifiers.Rule, error) {
	return nil, errors.New("nothing is fitted here")
}

// loadText reads a study from text.
func loadText(t *testing.T, text string, assignments ...string) *study.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := study.Load(file, assignments...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const toyStudy = `study: toy
seed: 42
replicates: 6
design:
  n: [20, 40]
  balance: {balanced: 0.5, imbalanced: 0.75}
data:
  generator: {name: toy, d: 3}
  train: {n: $n, majority: $balance}
  test: {n: 60}
classifiers: [centroid, coin, oracle]
`

// rowsText is a study on a file with 60 rows: the row number, the site (12 sites with 5 rows each), the
// official part, an attribute with missing values, and the class. Another file has the same rows.
func rowsText(t *testing.T, data string, more ...string) string {
	t.Helper()
	t.Setenv("COPSE_DATA", "")
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("row,site,part,colour,class\n")
	for i := range 60 {
		part, colour := []string{"train", "Train", "test"}[i%3], []string{"red", "blue", "?"}[i%7%3]
		fmt.Fprintf(&text, "%d,s%d,%s,%s,%d\n", i, i%12, part, colour, i%4)
	}
	for name, file := range map[string]string{"FILE": "rows.csv", "OTHER": "other.csv"} {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		data = strings.ReplaceAll(data, name, path)
	}
	if len(more) == 0 {
		more = []string{"centroid"}
	}
	return fmt.Sprintf(
		"study: s\nseed: 7\nreplicates: 15\ndata: {%s}\nclassifiers:\n  - %s\n",
		data,
		strings.Join(more, "\n  - "),
	)
}
