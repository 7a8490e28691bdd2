package report

import (
	"embed"
	"html/template"
	"io"
	"math"
	"strconv"
)

//go:embed page
var pageFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"inc": func(i int) int { return i + 1 }}).
	ParseFS(pageFiles, "page/*.html"))

// htmlTable is a table as its template prints it.
type htmlTable struct {
	ID, Title, Caption string
	Heads              []htmlHead
	Rows               []htmlRow
	Foot               []htmlFoot
	Notes              []string
}

// An htmlHead heads a column or a row; Value is what sorting compares.
type htmlHead struct {
	Label, Value string
	Text         bool
	Note         int
	Table        string // id of the table, for the link to its note
}

type htmlRow struct {
	Block bool // begins a new block of outer levels
	Heads []htmlHead
	Cells []htmlCell
}

type htmlCell struct {
	Mean, Spread string
	Lines        []string // below the mean
	Value        string   // what sorting compares; empty: last
	Bold         bool
	Note         int
	Table        string
}

type htmlFoot struct {
	Span   int
	Label  string
	Values []string
}

// html writes the table as a fragment, without script.
func (t *table) html(w io.Writer) error {
	return templates.ExecuteTemplate(w, "table", t.view())
}

// view lays the table out for its template.
func (t *table) view() *htmlTable {
	v := &htmlTable{ID: "table-" + safeName(t.Name), Title: t.Title, Caption: t.Caption, Notes: t.Notes}
	v.Heads = t.htmlHeads()
	for i := range t.Rows {
		row := htmlRow{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, v.ID)}
		for k := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[k]
			cell := htmlCell{Bold: c.Bold, Note: c.Note, Table: v.ID, Value: sortable(c.Mean)}
			if cell.Mean, cell.Spread = t.text(c); cell.Mean == "" {
				cell.Mean = "–"
			}
			if cell.Spread != "" {
				cell.Spread = "(" + cell.Spread + ")"
			}
			row.Cells = append(row.Cells, cell)
		}
		v.Rows = append(v.Rows, row)
	}
	for _, f := range t.Foot {
		foot := htmlFoot{Span: len(t.Heads), Label: f.Label}
		for k := range t.Columns {
			foot.Values = append(foot.Values, f.text(k))
		}
		v.Foot = append(v.Foot, foot)
	}
	return v
}

// htmlHeads are the heads of all columns: factors, then classifiers.
func (t *table) htmlHeads() []htmlHead {
	var heads []htmlHead
	for i, label := range t.Heads {
		heads = append(heads, htmlHead{Label: label, Text: !t.numericFactor(i)})
	}
	for _, label := range t.Columns {
		heads = append(heads, htmlHead{Label: label})
	}
	return heads
}

// rowHeads are the levels of row i; sorting puts levels that are no numbers in
// their declared order.
func (t *table) rowHeads(i int, id string) []htmlHead {
	var heads []htmlHead
	for j, label := range t.Rows[i].Labels {
		head := htmlHead{Label: label, Text: !t.numericFactor(j), Value: label, Table: id}
		if j < len(t.Factors) && head.Text {
			head.Value = strconv.Itoa(t.order(j, t.Rows[i].Levels[j]))
		}
		if j == len(t.Rows[i].Labels)-1 {
			head.Note = t.Rows[i].Note
		}
		heads = append(heads, head)
	}
	return heads
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

// sortable writes a number for the sorting script; empty when there is none.
func sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
