package chebyshev

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A goldenCase is one row of testdata/golden.csv, made by testdata/golden.R
// with GLPK 5.0.
type goldenCase struct {
	name           string
	columns        [][]int
	labels         []int
	marginals      *Marginals
	exact, relaxed float64
}

func readGolden(t *testing.T) (cases []goldenCase) {
	t.Helper()
	for _, row := range readCSV(t, "golden.csv")[1:] {
		var levels []int
		for _, f := range strings.Fields(row[1]) {
			levels = append(levels, atoi(t, f))
		}
		var pairs []Pair
		for _, f := range strings.Fields(row[3]) {
			i, j, _ := strings.Cut(f, "-")
			pairs = append(pairs, Pair{atoi(t, i), atoi(t, j)})
		}
		g := goldenCase{name: row[0], columns: make([][]int, len(levels))}
		for _, sample := range readCSV(t, g.name+".csv") {
			for i := range levels {
				g.columns[i] = append(g.columns[i], atoi(t, sample[i]))
			}
			g.labels = append(g.labels, atoi(t, sample[len(levels)]))
		}
		g.marginals = Count(g.columns, g.labels, levels, atoi(t, row[2]), pairs)
		g.exact, g.relaxed = atof(t, row[4]), atof(t, row[5])
		cases = append(cases, g)
	}
	return cases
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	v, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func atof(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
