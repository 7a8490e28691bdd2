package table

import (
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

func (t *Table) addFootRows(o Options) error {
	if o.Ranks && t.Measure.OfPredictions() {
		if err := t.addRankRow(); err != nil {
			return err
		}
	}
	if o.MCSE && resultsIn(t.Rows...).Most > 1 {
		t.addErrorRow()
	}
	return nil
}

// addErrorRow adds a footer row with the largest standard error of each classifier.
func (t *Table) addErrorRow() {
	label := "largest " + strings.ReplaceAll(t.view.StandardErrorNoun(t.groups, &t.Measure), "standard errors", "s.e.")
	row := sheet.Row{Heads: sheet.TextHeads(label)}
	for k := range t.IDs {
		largest := -1.0
		for _, r := range t.Rows {
			if se := r.Entries[k].MCSE; se > largest {
				largest = se
			}
		}
		text := ""
		if largest >= 0 {
			text = sheet.Fixed(largest, t.Digits+1)
		}
		row.Cells = append(row.Cells, sheet.Entry{Main: text})
	}
	t.Foot = append(t.Foot, row)
}

// addRankRow adds a footer row with the average ranks of the compared classifiers over blocks, and remarks on
// them. If no block has results of all ranked classifiers, it adds only the remarks.
func (t *Table) addRankRow() error {
	v, cells := t.view, t.cells()
	ranked, unranked, partial := v.SelectRanked(cells, &t.Measure, t.Family)
	if len(ranked) < 2 {
		return nil
	}
	// losses[b][k] is the mean loss of ranked[k] in block b.
	losses, omittedBlocks, omittedCells := v.BlockLosses(cells, &t.Measure, ranked)
	t.addRemarks(v.BlocksSentence(cells, len(losses)) + view.LeftOutSentence(omittedBlocks, "block") +
		view.LeftOutSentence(omittedCells, "cell"))
	t.addRemarks(v.NotRankedSentences(unranked, partial)...)
	if len(losses) == 0 {
		return nil
	}
	result, err := stats.Friedman(losses)
	if err != nil {
		return err
	}
	t.Foot = append(t.Foot, t.rankFoot(ranked, result.MeanRanks))
	words, err := v.StabilitySentence(cells, &t.Measure, ranked)
	t.addRemarks(words)
	return err
}

// rankFoot returns a footer row with ranks[k] in the column of ranked[k]. Other columns are empty.
func (t *Table) rankFoot(ranked []string, ranks []float64) sheet.Row {
	row := sheet.Row{Heads: sheet.TextHeads("average rank")}
	for _, id := range t.IDs {
		text := ""
		if k := slices.Index(ranked, id); k >= 0 {
			text = sheet.Fixed(ranks[k], 2)
		}
		row.Cells = append(row.Cells, sheet.Entry{Main: text})
	}
	return row
}
