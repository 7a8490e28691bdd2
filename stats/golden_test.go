package stats

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The files under testdata were written by testdata/golden.R with the versions
// in testdata/golden_versions.txt.

type goldenRow struct {
	t     *testing.T
	value map[string]string
}

func golden(t *testing.T, file string) []goldenRow {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []goldenRow
	for _, line := range lines[1:] {
		row := goldenRow{t, map[string]string{}}
		for j, column := range lines[0] {
			row.value[column] = line[j]
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s holds no golden values", file)
	}
	return rows
}

// num reads a number, NaN where the file has NA.
func (r goldenRow) num(column string) float64 {
	r.t.Helper()
	if r.value[column] == "NA" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(r.value[column], 64)
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

func (r goldenRow) list(column string) []float64 {
	r.t.Helper()
	var list []float64
	for _, s := range strings.Fields(r.value[column]) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			r.t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func (r goldenRow) alternative() Alternative {
	return map[string]Alternative{"two.sided": TwoSided, "greater": Greater, "less": Less}[r.value["alternative"]]
}

// goldenPairs returns the paired samples by case.
func goldenPairs(t *testing.T) map[string][2][]float64 {
	t.Helper()
	pairs := map[string][2][]float64{}
	for _, row := range golden(t, "pairs.csv") {
		p := pairs[row.value["case"]]
		p[0], p[1] = append(p[0], row.num("x")), append(p[1], row.num("y"))
		pairs[row.value["case"]] = p
	}
	return pairs
}

// near compares to 1e-9, relative for large numbers; NaN equals NaN.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}
