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
	"copse/stats/records"
)

// heatPage draws a heat map of means or ranks for each group of cells, with a column for each
// classifier.
func heatPage(r *request, page view.Group, groups []view.Group) (drawnPage, error) {
	d := gridChart{request: r, Page: r.emptyPage(), colours: panels.Scale{Title: r.measure.Title()},
		format: r.heatNumber, isPercent: r.measure.Unit == "%" && !r.showsRanks()}
	if r.showsRanks() {
		d.colours.Title = "rank"
	}
	rows := make([][]view.Group, len(groups)) // by panel
	for i := range groups {
		var err error
		if rows[i], err = r.groupIntoRows(groups[i].Cells); err != nil {
			return drawnPage{}, err
		}
	}
	shown, unranked, partial := r.heatColumns(page.Cells, slices.Concat(rows...))
	if r.showsRanks() && len(shown) < 2 && len(partial) > 0 {
		return drawnPage{}, view.OptionError("rows where", "ranks need two classifiers that ran on all data of each "+
			"row, but %s did not: list more factors in `rows`, or select cells with `where`", r.Labels(partial))
	}
	compared := view.Except(r.Compared(r.measure, shown), partial...)
	if len(compared) < 2 {
		compared = nil // there is no best classifier, so there are no frames
	}
	var values [][]float64 // by table
	for i := range groups {
		t := r.heatTable(r.panelTitle(&groups[i]), rows[i], shown, compared)
		d.tables = append(d.tables, t)
		values = append(values, t.finiteValues())
	}
	d.colours.Ranges = panels.Ranges(values, r.options.freeScales(), rangeOf)
	d.layOut()
	facts := d.heatFacts(page, shown, slices.Concat(unranked, partial))
	facts["Unranked"] = strings.Join(d.NotRankedSentences(unranked, nil), " ") // the template names partial
	facts["Partial"] = d.Labels(partial)
	facts["Framed"] = r.framedWords(compared, shown)
	return r.captioned(&d.Page, facts), nil
}

// framedWords names the classifiers among which the frames of a heat map mark the best. It returns ""
// without frames.
func (r *request) framedWords(compared, shown []string) string {
	if compared != nil && len(compared) == len(view.Without(shown, r.IsOracle)) {
		return "the compared classifiers"
	}
	return r.Labels(compared)
}

// heatColumns returns the classifiers that a heat map shows as columns. A map of means shows all
// classifiers. A map of ranks shows only compared classifiers, because others, such as the oracle,
// would change the ranks. It also omits the classifiers in unranked, which have too few results, and
// those in partial.
//
// The list partial contains the compared classifiers that ran on only part of the data of a row. Their
// means cannot be compared with others.
func (r *request) heatColumns(cells []records.Cell, rows []view.Group) (shown, unranked, partial []string) {
	for i := range rows {
		pooled := r.Pool(&rows[i])
		partial = view.AddNew(partial, view.RanOnPart(&pooled, r.Compared(r.measure, r.classifiers))...)
	}
	if !r.showsRanks() {
		return r.classifiers, nil, partial
	}
	shown, unranked, unfinished := r.selectRanked(cells)
	partial = view.AddNew(partial, unfinished...)
	return view.Except(shown, partial...), view.Except(unranked, partial...), partial
}

// heatFacts returns the facts that the caption states about the ranks, the results and the missing
// results. In a map of ranks, the classifiers in leftOut have no rank.
func (d *gridChart) heatFacts(page view.Group, shown, leftOut []string) captionFacts {
	counted := shown // classifiers whose missing results the caption counts
	if d.showsRanks() {
		counted = d.scored(leftOut...)
	}
	hasMissing := func(t gridTable) bool { return len(t.finiteValues()) < len(t.groups)*len(shown) }
	return captionFacts{
		"Ranks":       d.showsRanks(),
		"HasMissing":  slices.ContainsFunc(d.tables, hasMissing), // some entry has no value and stays white
		"Crowded":     d.isCrowded(),                             // writeRowLabels then omits labels
		"Replication": d.Replication(d.rows(), d.measure, shown),
		"Pooling":     d.poolingSentences("Each row", d.rows(), d.measure, counted),
		"Failed":      d.FailedFitsSentence("Means", page.Cells, shown),
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
// column for each classifier.
func (r *request) heatTable(title string, rows []view.Group, ids, compared []string) gridTable {
	var columns []gridColumn
	for _, id := range ids {
		columns = append(columns, gridColumn{name: r.Label(id), id: id})
	}
	t := r.newGridTable(title, rows, columns)
	for i := range rows {
		t.entries = append(t.entries, r.heatRow(&rows[i], ids, compared))
	}
	return t
}

// heatRow returns a row of a heat map, with the mean or the rank of each classifier over the cells
// of g. A frame marks the best classifiers of the list compared.
func (r *request) heatRow(g *view.Group, ids, compared []string) []gridEntry {
	summaries := r.Summaries(g, r.measure, ids)
	losses := r.losses(summaries)
	least := math.Inf(1) // smallest loss of the compared classifiers
	for k, id := range ids {
		if slices.Contains(compared, id) && losses[k] < least { // false for NaN
			least = losses[k]
		}
	}
	entries := make([]gridEntry, len(ids))
	for k, s := range summaries {
		isBest := losses[k] == least && slices.Contains(compared, ids[k])
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
		losses[k] = stats.Steps(s.Mean)
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
