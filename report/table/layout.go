package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/report/view"
)

// Sheet returns the formatted table. With several metrics or no factors, the first column names the metric.
func (t *Table) Sheet() *sheet.Sheet {
	whole := t.metricSheet()
	if len(t.OtherMetrics) == 0 {
		return whole
	}
	if !t.namesMetric() {
		whole.Heads = slices.Insert(whole.Heads, 0, sheet.Head{Label: metricHead, IsText: true})
	}
	whole.Rows, whole.Foot, whole.Notes = nil, nil, nil
	for i, ofMetric := range t.MetricTables() {
		metric := sheet.Head{Label: ofMetric.measureTitle(), SortKey: strconv.Itoa(i), IsText: true}
		addMetricRows(whole, ofMetric.metricSheet(), metric, t.namesMetric())
	}
	whole.Remarks = t.metricRemarks()
	return whole
}

// metricRemarks returns the remarks on all metrics. If a remark does not apply to all metrics, it
// begins with the name of its metric.
func (t *Table) metricRemarks() (remarks []string) {
	tables := t.MetricTables()
	for _, ofMetric := range tables {
		for _, remark := range ofMetric.Remarks {
			lacks := func(other *Table) bool { return !slices.Contains(other.Remarks, remark) }
			if slices.ContainsFunc(tables, lacks) {
				remark = view.Capital(ofMetric.Measure.Name) + ": " + remark
			}
			remarks = view.AddNew(remarks, remark)
		}
	}
	return remarks
}

// MetricTables returns one table for each metric.
func (t *Table) MetricTables() []*Table { return append([]*Table{t}, t.OtherMetrics...) }

// addMetricRows appends the rows of block, the sheet of one metric, to the sheet whole. It merges identical
// footnotes. The name of the metric becomes the first head of each row, unless named is true: the heads of block
// then contain it already.
func addMetricRows(whole, block *sheet.Sheet, metric sheet.Head, named bool) {
	newNumber := make([]int, len(block.Notes)+1) // newNumber[i]: new number of footnote i; 0: no footnote
	for i, note := range block.Notes {
		whole.Notes = view.AddNew(whole.Notes, note)
		newNumber[i+1] = slices.Index(whole.Notes, note) + 1
	}
	for i, row := range block.Rows {
		followsOtherMetric := i == 0 && len(whole.Rows) > 0
		row.BeginsBlock = row.BeginsBlock || followsOtherMetric
		for j := range row.Heads {
			row.Heads[j].Note = newNumber[row.Heads[j].Note]
		}
		for j := range row.Cells {
			row.Cells[j].Note = newNumber[row.Cells[j].Note]
		}
		if !named {
			row.Heads = slices.Insert(row.Heads, 0, metric)
		}
		whole.Rows = append(whole.Rows, row)
	}
	for _, foot := range block.Foot {
		foot.Heads = sheet.TextHeads(foot.Heads[0].Label + ", " + metric.Label)
		whole.Foot = append(whole.Foot, foot)
	}
}

// metricSheet formats the rows of the first metric.
func (t *Table) metricSheet() *sheet.Sheet {
	printed := &sheet.Sheet{ID: "table-" + sheet.SafeName(t.Name), Study: t.view.Name, Methods: t.Methods,
		Width: texPoints(t.Width), Title: t.Title, Caption: t.Caption, Notes: t.Notes, Remarks: t.Remarks,
		Heads: t.columnHeads(), Foot: t.Foot}
	printed.Rows = t.emptyRows()
	for i := range t.Rows {
		row := &printed.Rows[i]
		row.Heads[len(row.Heads)-1].Note = t.Rows[i].Note
		for k := range t.Rows[i].Entries {
			row.Cells = append(row.Cells, t.formatEntry(&t.Rows[i], &t.Rows[i].Entries[k]))
		}
	}
	return printed
}

// formatEntry formats the mean and the spread of an entry in a row or, in a table of contrasts, a difference with its
// confidence interval. An entry without results is a dash.
//
// An excluded classifier has its rate of failed fits instead.
func (t *Table) formatEntry(row *Row, e *Entry) sheet.Entry {
	printed := sheet.Entry{Main: "–", Note: e.Note}
	switch {
	case e.Excluded:
		rate := 100 * float64(e.Failed) / float64(e.Tried)
		printed.Main, printed.Spread, printed.IsText = fmt.Sprintf("%.3g%%", rate), "failed", true
	case e.Undefined:
		printed.Main, printed.IsText = "undefined", true
	case e.N == 0: // a dash
	case t.contrastFactor != "": // the entry is a difference
		printed.Main, printed.SortKey, printed.Bold = sheet.Signed(e.Mean, t.Digits), sheet.Sortable(e.Mean), e.Bold
		if !math.IsNaN(e.Low) {
			printed.Spread = t.interval(e.Low, e.High)
		}
	default:
		printed.Main, printed.SortKey, printed.Bold = sheet.Fixed(e.Mean, t.Digits), sheet.Sortable(e.Mean), e.Bold
		if text := t.spread().format(t, row, e); text != "" {
			printed.Spread = "(" + text + ")"
		}
	}
	return printed
}

func (t *Table) columnHeads() []sheet.Head {
	var heads []sheet.Head
	for i, label := range t.Heads {
		heads = append(heads, sheet.Head{Label: label, IsText: !t.isNumericFactor(i)})
	}
	return append(heads, sheet.NumberHeads(t.Columns...)...)
}

// emptyRows returns the rows of a sheet with labels but without entries. A block begins where any factor other
// than the last one changes.
func (t *Table) emptyRows() []sheet.Row {
	rows := make([]sheet.Row, len(t.Rows))
	outer := t.Factors[:max(0, len(t.Factors)-1)]
	for i := range rows {
		rows[i].BeginsBlock = i > 0 && t.Rows[i].Levels.Restrict(outer) != t.Rows[i-1].Levels.Restrict(outer)
	}
	for j := range t.Heads {
		t.addRowHeads(rows, j)
	}
	return rows
}

// addRowHeads adds column j of the row heads to a sheet: the levels of one factor and their sorting keys.
func (t *Table) addRowHeads(rows []sheet.Row, j int) {
	isText := !t.isNumericFactor(j)
	var positions map[string]int // nil: sort by label
	if isText && j < len(t.Factors) {
		positions = t.levelPositions(t.Factors[j])
	}
	for i, row := range t.Rows {
		h := sheet.Head{Label: row.Labels[j], IsText: isText, SortKey: row.Labels[j]}
		if positions != nil {
			h.SortKey = strconv.Itoa(positions[row.Levels.Of(t.Factors[j])])
		}
		rows[i].Heads = append(rows[i].Heads, h)
	}
}

func (t *Table) isNumericFactor(i int) bool {
	for _, row := range t.Rows {
		if i >= len(t.Factors) {
			return false
		}
		hasLevel := row.Levels.Of(t.Factors[i]) != ""
		if hasLevel && !view.Numeric(row.Labels[i]) {
			return false
		}
	}
	return true
}

// levelPositions returns the position of each level of a factor in the printed order, counted from 0.
func (t *Table) levelPositions(factor string) map[string]int {
	positions := map[string]int{}
	for _, row := range t.Rows {
		level := row.Levels.Of(factor)
		if _, known := positions[level]; !known {
			positions[level] = len(positions)
		}
	}
	return positions
}
