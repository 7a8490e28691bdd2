package stats

import (
	"testing"

	"copse/internal/golden"
)

// The files under testdata were written by testdata/golden.R with the versions
// in testdata/golden_versions.txt.

func alternativeOf(r golden.Row) Alternative {
	return map[string]Alternative{"two.sided": TwoSided, "greater": Greater, "less": Less}[r.Value["alternative"]]
}

// goldenPairs returns the paired samples of each case.
func goldenPairs(t *testing.T) map[string][2][]float64 {
	t.Helper()
	pairs := map[string][2][]float64{}
	for _, row := range golden.Read(t, "testdata/pairs.csv") {
		p := pairs[row.Value["case"]]
		p[0], p[1] = append(p[0], row.Num("x")), append(p[1], row.Num("y"))
		pairs[row.Value["case"]] = p
	}
	return pairs
}
