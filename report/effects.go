package report

import (
	"fmt"
	"slices"
	"strings"

	"copse/stats"
)

// effectTable shows, for each row, how far every classifier of the family is
// from the best: Hodges-Lehmann shift with its confidence interval,
// rank-biserial effect and adjusted p-value, with the sign turned so that
// positive means worse than the best.
func (s *source) effectTable(t *table) *sheet {
	v := &sheet{ID: "table-" + safeName(t.Name) + "-effects", Title: "Effect sizes: " + t.Title}
	unit := strings.TrimSpace(t.measure.unit)
	if unit == "%" {
		unit = "percentage points"
	}
	of := t.measure.name
	if t.measure.flip {
		of = "test error"
	}
	v.Caption = fmt.Sprintf("Each classifier against the best of its row, on paired %s: Hodges-Lehmann estimate of the difference in %s%s with its %.3g%% confidence interval; r: matched-pairs rank-biserial correlation (1: always worse, 0: no difference); p: adjusted for the family of the row.",
		s.units(), of, inUnit(unit), 100*(1-s.Alpha))
	for i, head := range t.columnHeads() {
		if i < len(t.Heads) || slices.Contains(s.family(t.IDs), t.IDs[i-len(t.Heads)]) {
			v.Heads = append(v.Heads, head)
		}
	}
	for i := range t.Rows {
		row := sheetRow{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, v.ID)}
		for j := range row.Heads {
			row.Heads[j].Note = 0
		}
		for k, id := range t.IDs {
			if slices.Contains(s.family(t.IDs), id) {
				row.Cells = append(row.Cells, t.effectCell(&t.Rows[i].Cells[k]))
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// effectCell prints one comparison.
func (t *table) effectCell(c *tableCell) entry {
	switch {
	case c.Best:
		return entry{Main: "best", Bold: true, Value: "0"}
	case c.Compared == nil:
		return entry{Main: "–"}
	}
	q := c.Compared
	digits := t.Digits
	shift := -q.Shift.Estimate * t.measure.scale
	cell := entry{Main: signed(shift, digits), Value: sortable(shift), Bold: !q.Worse}
	if q.Shift.Level > 0 {
		cell.Lines = append(cell.Lines, fmt.Sprintf("[%s, %s]", signed(-q.Shift.High*t.measure.scale, digits), signed(-q.Shift.Low*t.measure.scale, digits)))
	}
	cell.Lines = append(cell.Lines, fmt.Sprintf("r %s, %s", signed(-q.Effect, 2), stats.Magnitude(q.Effect)), "p "+pValue(q.Adjusted))
	return cell
}

// signed prints a number with its sign; zero has none.
func signed(v float64, digits int) string {
	text := fmt.Sprintf("%+.*f", digits, v)
	if strings.Trim(text, "+-0.") == "" {
		return text[1:]
	}
	return strings.Replace(text, "-", "−", 1)
}

func inUnit(unit string) string {
	if unit == "" {
		return ""
	}
	return " (" + unit + ")"
}

// compared says whether any row has tests.
func (t *table) compared() bool {
	return slices.ContainsFunc(t.Rows, func(r tableRow) bool { return len(r.best.Comparisons) > 0 })
}

// errorTable is the table again, without bold, with standard errors.
func (s *source) errorTable(t *table) *table {
	e := &table{Name: t.Name + "-mcse", Title: "Monte-Carlo errors: " + t.Title, Digits: t.Digits + 1, Spread: "se",
		measure: t.measure, Factors: t.Factors, Heads: t.Heads, IDs: t.IDs, Columns: t.Columns}
	for _, row := range t.Rows {
		plain := tableRow{Levels: row.Levels, Labels: row.Labels}
		for _, c := range row.Cells {
			plain.Cells = append(plain.Cells, tableCell{Summary: c.Summary})
		}
		e.Rows = append(e.Rows, plain)
	}
	e.Caption = s.tableCaption(e, nil)
	return e
}
