package chebyshev

import (
	"strings"
	"testing"

	"copse/internal/golden"
	"copse/stats"
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
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		levels := golden.Wholes(t, row.Value["levels"])
		var pairs []stats.Pair
		for f := range strings.FieldsSeq(row.Value["pairs"]) {
			i, j, _ := strings.Cut(f, "-")
			pairs = append(pairs, stats.Pair{I: golden.Whole(t, i), J: golden.Whole(t, j)})
		}
		g := goldenCase{name: row.Value["case"], exact: row.Num("exact"), relaxed: row.Num("relaxed")}
		g.columns, g.labels = readSamples(t, g.name, len(levels))
		g.marginals = (&Sample{g.columns, g.labels, levels, row.Int("classes"), pairs}).Frequencies()
		cases = append(cases, g)
	}
	return cases
}

// readSamples reads d columns of codes and the labels behind them.
func readSamples(t *testing.T, name string, d int) (columns [][]int, labels []int) {
	t.Helper()
	columns = make([][]int, d)
	for _, sample := range golden.Lines(t, "testdata/"+name+".csv") {
		for i := range columns {
			columns[i] = append(columns[i], golden.Whole(t, sample[i]))
		}
		labels = append(labels, golden.Whole(t, sample[d]))
	}
	return columns, labels
}
