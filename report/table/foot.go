package table

import (
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
)

// A Foot is an extra row below the table, with one value for each classifier.
type Foot struct {
	Label  string
	Values []float64 // NaN if not applicable
	Digits int
}

func (t *Table) addFootRows(o Options) error {
	if o.Ranks && t.Measure.OfPredictions {
		if err := t.addRankRow(); err != nil {
			return err
		}
	}
	if o.MCSE && resultsIn(t.Rows...).Most > 1 { // a single result has no standard error
		t.addErrorRow()
	}
	return nil
}

// addErrorRow adds a footer row with the largest standard error of each classifier.
func (t *Table) addErrorRow() {
	label := "largest " + strings.ReplaceAll(t.view.StandardErrorNoun(t.groups, &t.Measure), "standard errors", "s.e.")
	row := Foot{Label: label, Digits: t.Digits + 1}
	for k := range t.IDs {
		largest := math.NaN()
		for _, r := range t.Rows {
			se := r.Entries[k].MCSE
			if math.IsNaN(largest) || se > largest {
				largest = se
			}
		}
		row.Values = append(row.Values, largest)
	}
	t.Foot = append(t.Foot, row)
}

// addRankRow adds a footer row with the average ranks of the compared classifiers. Cells with the same data are
// not independent, so they form one block, and classifiers are ranked by their losses in each block. A
// critical-difference diagram of the same cells shows the same ranks. addRankRow also adds remarks to the
// table: on the blocks, on omitted blocks, on classifiers that are not ranked, and on the stability of the
// ranks. If fewer than two classifiers can be ranked, it adds nothing.
func (t *Table) addRankRow() error {
	v, cells := t.view, t.cells()
	ranked, unranked := v.SelectRanked(cells, &t.Measure, t.Family)
	if len(ranked) < 2 {
		return nil
	}
	// losses[b][k] belongs to block b and classifier k
	losses, leftOut, unshared := v.BlockLosses(cells, &t.Measure, ranked)
	t.addRemark(v.BlocksSentence(cells, len(losses)) + view.LeftOutSentence(leftOut, "block") +
		view.LeftOutSentence(unshared, "cell"))
	t.addRemark(v.NotRankedSentence(unranked))
	if len(losses) == 0 {
		return nil
	}
	result, err := stats.Friedman(losses)
	if err != nil {
		return err
	}
	t.Foot = append(t.Foot, Foot{Label: "average rank", Digits: 2, Values: t.valuesOf(ranked, result.MeanRanks)})
	words, err := v.StabilitySentence(cells, &t.Measure, ranked)
	t.addRemark(words)
	return err
}

// valuesOf arranges the values of some classifiers in the order of the columns. Columns without a
// value are NaN.
func (t *Table) valuesOf(ids []string, values []float64) []float64 {
	list := make([]float64, len(t.IDs))
	for k, id := range t.IDs {
		list[k] = math.NaN()
		if i := slices.Index(ids, id); i >= 0 {
			list[k] = values[i]
		}
	}
	return list
}
