package stats

import (
	"fmt"
	"math"
	"sort"
)

// A MatrixEntry compares two classifiers over the blocks of a benchmark.
type MatrixEntry struct {
	Difference     float64 // mean of the row's values minus the column's
	Win, Tie, Loss int     // blocks in which the row's value is smaller, equal, larger
	P              float64 // two-sided signed-rank test, uncorrected; NaN on the diagonal
}

// ComparisonMatrix holds every comparison of k classifiers over n blocks.
type ComparisonMatrix struct {
	Means   []float64       // per classifier
	Order   []int           // classifiers by their mean, smallest first
	Entries [][]MatrixEntry // [row][column], in the order of the values' columns
	N       int             // blocks
}

// MultiComparison returns the numbers of the multi-comparison matrix
// (Ismail-Fawaz et al. 2023): classifiers are ordered by their mean value, and each
// pair shows its mean difference, the blocks won, tied and lost, and the p-value
// of its own signed-rank test. No number depends on which other classifiers are
// in the table, which is why p-values are not corrected.
//
// Values and differences that are equal on the Grid tie. It assumes that blocks are
// independent and that values of different blocks may be averaged.
func MultiComparison(values [][]float64) (ComparisonMatrix, error) {
	if len(values) == 0 || len(values[0]) < 2 {
		return ComparisonMatrix{}, fmt.Errorf("multi-comparison matrix: needs at least one block and two classifiers")
	}
	k := len(values[0])
	m := ComparisonMatrix{N: len(values)}
	for i, block := range values {
		if len(block) != k {
			return ComparisonMatrix{}, fmt.Errorf("multi-comparison matrix: block %d has %d values, block 1 has %d",
				i+1, len(block), k)
		}
	}
	for i := range k {
		m.Means = append(m.Means, Summarize(column(values, i)).Mean)
		m.Order = append(m.Order, i)
		row := make([]MatrixEntry, k)
		for j := range k {
			var err error
			if row[j], err = compareColumns(column(values, i), column(values, j)); err != nil {
				return ComparisonMatrix{}, err
			}
			if i == j {
				row[j].P = math.NaN()
			}
		}
		m.Entries = append(m.Entries, row)
	}
	sort.SliceStable(m.Order, func(a, b int) bool { return Steps(m.Means[m.Order[a]]) < Steps(m.Means[m.Order[b]]) })
	return m, nil
}

func compareColumns(x, y []float64) (MatrixEntry, error) {
	test, err := signedRankSteps(x, y)
	if err != nil {
		return MatrixEntry{}, err
	}
	e := MatrixEntry{P: test.P}
	for i := range x {
		e.Difference += (x[i] - y[i]) / float64(len(x))
		switch d := Steps(x[i] - y[i]); {
		case d < 0:
			e.Win++
		case d > 0:
			e.Loss++
		default:
			e.Tie++
		}
	}
	return e, nil
}
