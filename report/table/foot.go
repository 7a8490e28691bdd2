package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/stats"
)

// A Foot is an extra row below the cells; empty values are not applicable.
type Foot struct {
	Label  string
	Values []float64 // NaN: not applicable
	Digits int
}

// footRows adds the rows below the table that its options ask for.
func (t *Table) footRows(o Options) error {
	v := t.view
	if o.Ranks && t.Measure.IsRate {
		if err := t.rankRow(); err != nil {
			return err
		}
	}
	if o.MCSE {
		row := Foot{Label: "largest " + strings.Replace(v.Errors(t.groups), "standard errors", "s.e.", 1), Digits: o.Digits + 1}
		for k := range t.IDs {
			largest := math.NaN()
			for _, r := range t.Rows {
				if se := r.Entries[k].MCSE; !math.IsNaN(se) && !(largest >= se) {
					largest = se
				}
			}
			row.Values = append(row.Values, largest)
		}
		t.Foot = append(t.Foot, row)
	}
	return nil
}

// rankRow adds the mean ranks of the family over the complete rows.
func (t *Table) rankRow() error {
	family := slices.DeleteFunc(slices.Clone(t.Family), t.isAside)
	var blocks [][]float64
	for _, r := range t.Rows {
		var block []float64
		for k, id := range t.IDs {
			if slices.Contains(family, id) && r.Entries[k].N > 0 {
				mean := r.Entries[k].Mean
				if t.Measure.LargerIsBetter() {
					mean = -mean
				}
				block = append(block, mean)
			}
		}
		if len(block) == len(family) {
			blocks = append(blocks, block)
		}
	}
	if len(family) < 2 {
		return nil
	}
	if len(family) < len(t.Family) {
		t.remark("Classifiers that are set aside in any row have no average rank.")
	}
	if len(blocks) < len(t.Rows) {
		t.remark(fmt.Sprintf("Average ranks are over the rows in which all that are ranked have a result: %d of %d.", len(blocks), len(t.Rows)))
	}
	if len(blocks) == 0 {
		return nil
	}
	result, err := stats.Friedman(blocks)
	if err != nil {
		return err
	}
	row := Foot{Label: "average rank", Digits: 2}
	for _, id := range t.IDs {
		rank := math.NaN()
		if k := slices.Index(family, id); k >= 0 {
			rank = result.MeanRanks[k]
		}
		row.Values = append(row.Values, rank)
	}
	t.Foot = append(t.Foot, row)
	return t.stabilityRemark(family, blocks)
}

// resamples is the number of resamples of the rows behind the stability of ranks.
const resamples = 1000

// stabilityRemark adds how often each classifier is first when the rows are resampled; a
// view without a random source has none.
func (t *Table) stabilityRemark(family []string, blocks [][]float64) error {
	if t.view.Random == nil || len(blocks) < 2 {
		return nil
	}
	ranks := make([][]float64, len(blocks))
	for i, block := range blocks {
		ranks[i], _ = stats.Midranks(block)
	}
	places, err := stats.RankStability(ranks, resamples, t.view.Random("ranks/"+t.Name))
	if err != nil {
		return err
	}
	var first []string
	for k, id := range family {
		if share := places[k][0]; share > 0 {
			first = append(first, fmt.Sprintf("%s in %.0f%%", t.view.Label(id), 100*share))
		}
	}
	t.remark(fmt.Sprintf("When the %d rows are resampled, the best average rank is that of %s of the resamples.",
		len(blocks), strings.Join(first, ", ")))
	return nil
}
