package report

import (
	"math"
	"strconv"
)

// A sheet is a table as it is printed: words and marks, without arithmetic.
// Markdown, LaTeX and HTML are layouts of it.
type sheet struct {
	ID      string // in pages and labels
	Title   string
	Caption string
	Heads   []head
	Rows    []sheetRow
	Foot    []sheetFoot
	Notes   []string // footnote i+1
	Remarks []string // on the whole sheet, after the footnotes
}

// A head heads a column or a row; Value is what sorting compares.
type head struct {
	Label string
	Value string
	Text  bool // words, to the left; numbers go to the right
	Note  int  // number of its footnote; 0: none
	Table string
}

type sheetRow struct {
	Block bool // begins a new block of outer levels
	Heads []head
	Cells []entry
}

// An entry is one cell: a main number or word and what accompanies it.
type entry struct {
	Main   string
	Spread string   // after it, in parentheses
	Lines  []string // below it
	Value  string   // what sorting compares; empty: last
	Bold   bool
	Text   bool
	Class  string // in HTML
	Note   int
	Table  string
}

// A sheetFoot is an extra row below the cells.
type sheetFoot struct {
	Span   int // columns of its label
	Label  string
	Values []string
}

// sheet lays the table out.
func (t *table) sheet() *sheet {
	v := &sheet{ID: "table-" + safeName(t.Name), Title: t.Title, Caption: t.Caption, Notes: t.Notes, Remarks: t.Remarks, Heads: t.columnHeads()}
	for i := range t.Rows {
		row := sheetRow{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, v.ID)}
		for k := range t.Rows[i].Cells {
			row.Cells = append(row.Cells, t.entry(&t.Rows[i].Cells[k], v.ID))
		}
		v.Rows = append(v.Rows, row)
	}
	for _, f := range t.Foot {
		foot := sheetFoot{Span: len(t.Heads), Label: f.Label}
		for k := range t.Columns {
			foot.Values = append(foot.Values, f.text(k))
		}
		v.Foot = append(v.Foot, foot)
	}
	return v
}

// entry prints a cell: mean and spread; the spread is left out where it is not
// determined, and a dash stands where there is no result.
func (t *table) entry(c *tableCell, id string) entry {
	e := entry{Main: "–", Note: c.Note, Table: id}
	if c.N == 0 {
		return e
	}
	e.Main, e.Value, e.Bold = fixed(c.Mean, t.Digits), sortable(c.Mean), c.Bold
	v := math.NaN()
	switch t.Spread {
	case "sd":
		v = c.SD
	case "se":
		v = c.MCSE
	}
	if !math.IsNaN(v) {
		e.Spread = "(" + fixed(v, t.Digits) + ")"
	}
	return e
}

// text returns a foot row's value as printed.
func (f *footRow) text(k int) string {
	if math.IsNaN(f.Values[k]) {
		return ""
	}
	return fixed(f.Values[k], f.Digits)
}

// columnHeads are the heads of all columns: factors, then classifiers.
func (t *table) columnHeads() []head {
	var heads []head
	for i, label := range t.Heads {
		heads = append(heads, head{Label: label, Text: !t.numericFactor(i)})
	}
	for _, label := range t.Columns {
		heads = append(heads, head{Label: label})
	}
	return heads
}

// rowHeads are the levels of row i; sorting puts levels that are no numbers in
// their printed order.
func (t *table) rowHeads(i int, id string) []head {
	var heads []head
	for j, label := range t.Rows[i].Labels {
		h := head{Label: label, Text: !t.numericFactor(j), Value: label, Table: id}
		if j < len(t.Factors) && h.Text {
			h.Value = strconv.Itoa(t.order(j, t.Rows[i].Levels[j]))
		}
		if j == len(t.Rows[i].Labels)-1 {
			h.Note = t.Rows[i].Note
		}
		heads = append(heads, h)
	}
	return heads
}

// numericFactor says whether all levels of a row factor are numbers.
func (t *table) numericFactor(i int) bool {
	for _, row := range t.Rows {
		if i >= len(row.Levels) || row.Levels[i] != "" && !numeric(row.Labels[i]) {
			return false
		}
	}
	return true
}

// order is the place of a level among those of a row factor, as printed.
func (t *table) order(j int, level string) int {
	seen := make(map[string]bool)
	for _, row := range t.Rows {
		if row.Levels[j] == level {
			break
		}
		seen[row.Levels[j]] = true
	}
	return len(seen)
}

// newBlock says whether row i differs from the one above in more than its last
// factor.
func (t *table) newBlock(i int) bool {
	n := len(t.Rows[i].Levels)
	for j := 0; j < n-1; j++ {
		if t.Rows[i].Levels[j] != t.Rows[i-1].Levels[j] {
			return true
		}
	}
	return false
}

func fixed(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// sortable writes a number for sorting; empty when there is none.
func sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
