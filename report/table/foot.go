package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
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
		row := Foot{Label: "largest " + strings.Replace(v.Errors(t.groups), "standard errors", "s.e.", 1),
			Digits: o.Digits + 1}
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

// rankRow adds the average ranks of the family over the blocks behind the rows, which are the ranks of a
// critical-difference diagram of the same cells.
func (t *Table) rankRow() error {
	v := t.view
	cells := t.cells()
	ranked, aside := v.Ranked(cells, t.Family)
	blocks, left := v.Blocks(cells, &t.Measure, ranked)
	if len(ranked) < 2 {
		return nil
	}
	t.remark(v.RankedOver(cells, len(blocks)) + view.LeftOut(left))
	if len(aside) > 0 {
		t.remark(fmt.Sprintf("Not ranked, since more than a fifth of the blocks would be left out where fits "+
			"failed: %s.",
			v.Labels(aside)))
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
		if k := slices.Index(ranked, id); k >= 0 {
			rank = result.MeanRanks[k]
		}
		row.Values = append(row.Values, rank)
	}
	t.Foot = append(t.Foot, row)
	words, err := v.Stability(cells, &t.Measure, ranked)
	if words != "" {
		t.remark(words)
	}
	return err
}
