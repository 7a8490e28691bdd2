package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// heatClassifiers contains lists of classifiers for a heat map.
type heatClassifiers struct {
	shown           []string // each has a column
	frameCandidates []string // in each row, a frame marks the best of these; nil if fewer than two remain
	unranked        []string // have no column of ranks, because they have too few results
	partial         []string // ran on only part of a row's data, so their means cannot be compared with others
}

// heatPage draws a heat map of means or ranks for each group of cells, with a column for each
// classifier.
func heatPage(r *request) (*drawnPage, error) {
	rows := make([][]view.Group, len(r.panels))
	for i := range r.panels {
		var err error
		if rows[i], err = r.groupIntoRows(r.panels[i].Cells); err != nil {
			return nil, err
		}
	}
	lists := r.heatClassifiers(slices.Concat(rows...))
	lacksRanks := r.showsRanks() && len(lists.shown) < 2
	if lacksRanks && len(lists.partial) > 0 {
		return nil, view.OptionError(view.RowKeys, "ranks need two classifiers that ran on all data of each "+
			"row, but %s did not: list more factors in `rows`, or select cells with `where`", r.Labels(lists.partial))
	}
	d := gridChart{request: r, Page: r.emptyPage(), format: r.heatNumber}
	d.colours.Title, d.isPercent = r.measure.Title(), r.measure.Unit == "%"
	if r.showsRanks() {
		d.colours.Title, d.isPercent = "rank", false
	}
	var values [][]float64 // by panel
	for i := range r.panels {
		t := r.heatTable(r.panelTitle(&r.panels[i]), rows[i], lists.shown, lists.frameCandidates)
		d.tables = append(d.tables, t)
		values = append(values, t.finiteValues())
	}
	d.colours.Ranges = panels.Ranges(values, r.options.freeScales(), rangeOf)
	d.layOut()
	return r.captioned(&d.Page, d.heatFacts(&lists)), nil
}

// candidateWords names the candidates for the frames of a heat map, which mark the best of them. It
// returns "" without frames.
func (r *request) candidateWords(candidates, shown []string) string {
	if candidates != nil && len(candidates) == len(view.Without(shown, r.IsOracle)) {
		return "the compared classifiers"
	}
	return r.Labels(candidates)
}

// heatClassifiers selects the classifiers for a heat map. A map of means shows all classifiers. A map of
// ranks shows only compared classifiers, because others, such as the oracle, would change the ranks.
//
// In each row, a frame marks the best of the frameCandidates.
//
// Classifiers that ran on only part of the data of a row or a cell are listed as partial. Means over different
// data cannot be compared, so these classifiers have no ranks and are not candidates for a frame.
func (r *request) heatClassifiers(rows []view.Group) (lists heatClassifiers) {
	compared := r.Compared(r.measure, r.classifiers) // without the oracle, for example
	for i := range rows {
		pooled := r.Pool(&rows[i])
		lists.partial = view.AddNew(lists.partial, view.RanOnPart(&pooled, compared)...)
	}
	lists.shown = r.classifiers
	if r.showsRanks() {
		ranked, unranked, partialInCell := r.selectRanked()
		lists.partial = view.AddNew(lists.partial, partialInCell...)
		lists.shown = view.Except(ranked, lists.partial...)
		lists.unranked = view.Except(unranked, lists.partial...)
	}
	candidates := view.Except(r.Compared(r.measure, lists.shown), lists.partial...)
	if len(candidates) > 1 { // a frame on the only candidate would mean nothing
		lists.frameCandidates = candidates
	}
	return lists
}

// heatFacts returns the facts that the caption states about the ranks, the frames, the results and the
// missing results.
func (d *gridChart) heatFacts(lists *heatClassifiers) captionFacts {
	shown := lists.shown
	counted := shown // classifiers whose missing results the caption counts
	if d.showsRanks() {
		// Unlike shown, counted includes classifiers that never have a value of the measure.
		counted = view.Except(d.allCompared(), slices.Concat(lists.unranked, lists.partial)...)
	}
	hasMissing := func(t gridTable) bool { return len(t.finiteValues()) < len(t.groups)*len(shown) }
	return captionFacts{
		"Ranks":       d.showsRanks(),
		"HasMissing":  slices.ContainsFunc(d.tables, hasMissing), // some entry has no value and stays white
		"Crowded":     d.isCrowded(),                             // writeRowLabels then omits labels
		"Replication": d.Replication(d.rows(), d.measure, shown),
		"Pooling":     d.poolingSentences("Each row", d.rows(), d.measure, counted),
		"Failed":      d.FailedFitsSentence("Means", d.pageCells, shown),
		"Unranked":    strings.Join(d.NotRankedSentences(lists.unranked, nil), " "),
		"Partial":     d.Labels(lists.partial), // the caption has its own sentence on them
		"Framed":      d.candidateWords(lists.frameCandidates, shown),
	}
}

func (r *request) showsRanks() bool { return r.options.Shown == "rank" }

// rangeOf returns the range from the smallest to the largest value. Without values, it is the range from 0 to 1.
func rangeOf(values []float64) panels.Range {
	if len(values) == 0 {
		return panels.Range{Low: 0, High: 1}
	}
	return panels.Range{Low: slices.Min(values), High: slices.Max(values)}
}

// heatTable returns a coloured table of means or ranks, with a row for each group of cells and a
// column for each classifier in ids. Frames mark the best of the candidates.
func (r *request) heatTable(title string, rows []view.Group, ids, candidates []string) gridTable {
	var columns []gridColumn
	for _, id := range ids {
		columns = append(columns, gridColumn{name: r.Label(id), id: id})
	}
	t := gridTable{title: title, groupLabels: r.labelsOf(rows), groups: rows, columns: columns}
	for i := range rows {
		t.entries = append(t.entries, r.heatRow(&rows[i], ids, candidates))
	}
	return t
}

// heatRow returns a row of a heat map, with the mean or the rank of each classifier over the cells
// of g. A frame marks the best of the candidates, or several if they are tied.
func (r *request) heatRow(g *view.Group, ids, candidates []string) []gridEntry {
	summaries := r.Summaries(g, r.measure, ids)
	losses := r.losses(summaries)
	least := math.Inf(1) // smallest loss of the candidates
	for k, id := range ids {
		if slices.Contains(candidates, id) && losses[k] < least { // false for NaN
			least = losses[k]
		}
	}
	entries := make([]gridEntry, len(ids))
	for k, s := range summaries {
		isBest := losses[k] == least && slices.Contains(candidates, ids[k])
		entries[k] = gridEntry{value: s.Mean, framed: isBest, hover: r.describe(g, s)}
	}
	if r.showsRanks() {
		for k, rank := range ranks(losses) {
			e := &entries[k]
			e.value, e.hover = rank, append([]string{"rank: " + r.heatNumber(rank)}, e.hover...)
		}
	}
	return entries
}

// losses converts means to losses. It rounds them, so that rounding errors do not break ties.
func (r *request) losses(means []stats.Summary) []float64 {
	losses := make([]float64, len(means))
	for k, s := range means {
		losses[k] = stats.RoundedSteps(s.Mean)
		if r.measure.LargerIsBetter() {
			losses[k] = -losses[k]
		}
	}
	return losses
}

// ranks returns the ranks of the losses. Tied losses get the mean of their ranks. If any loss is NaN, all
// ranks are NaN.
func ranks(losses []float64) []float64 {
	if slices.ContainsFunc(losses, math.IsNaN) {
		return slices.Repeat([]float64{math.NaN()}, len(losses))
	}
	ranks, _ := stats.Midranks(losses)
	return ranks
}

// heatNumber formats a value of a heat map. Percentages have one decimal, ranks keep all digits,
// and other means have three significant digits.
func (r *request) heatNumber(value float64) string {
	switch {
	case r.showsRanks():
		return strconv.FormatFloat(value, 'g', -1, 64)
	case r.measure.Unit == "%":
		return sheet.Fixed(value, 1)
	}
	return sheet.Fixed(value, view.Decimals(value))
}
