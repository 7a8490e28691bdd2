package sheet

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// TextWidth is the printed width of LaTeX tables that say nothing else, in
// TeX's points: the 6 inches of JMLR's text.
const TextWidth = 6 * 72.27

// pageRows is how many rows a float can have: what is longer runs over pages.
const pageRows = 42

// typeSize is the size that widths are measured in: \footnotesize of a class of 10
// points. That of JMLR's, of 11, is larger, and would make tables too wide.
const typeSize = "\\fontsize{8}{9.5}\\selectfont"

const latexSettings = typeSize + "\n\\setlength{\\tabcolsep}{4pt}\n"

// Latex writes the sheet for LaTeX in type of 8 points. A table that is wider than the
// text is cut into blocks of columns below one another, each with the heads of the
// rows; one that is longer than a page runs over pages, and as any row may be the
// first of its page, each has all its heads.
func (s *Sheet) Latex(w io.Writer) error { return Latex(w, []*Sheet{s}) }

// Latex writes sheets one below the other; the first line names the packages of all.
func Latex(w io.Writer, sheets []*Sheet) error {
	var b strings.Builder
	packages := "array,booktabs"
	for _, s := range sheets {
		t := latexTable{Sheet: s}
		t.lay()
		if len(t.blocks)*(len(s.Rows)+len(s.Foot)+3) > pageRows {
			packages = "array,booktabs,longtable"
			t.paged = true
			t.long(&b)
		} else {
			t.float(&b)
		}
	}
	_, err := fmt.Fprintf(w, "%% Needs \\usepackage{%s}.\n%s", packages, b.String())
	return err
}

// latexTable is a sheet with its columns measured and cut into blocks.
type latexTable struct {
	*Sheet
	paged   bool          // runs over pages
	columns []latexColumn // heads of rows first
	blocks  [][]int       // numbers of the columns of cells
}

// rowHeads is the number of columns that head the rows.
func (t *latexTable) rowHeads() int {
	if len(t.Rows) == 0 {
		return len(t.Heads)
	}
	return len(t.Rows[0].Heads)
}

const columnGap = 8.0 // points between columns: twice \tabcolsep

// lay cuts the columns into blocks; where these are several, heads of several words
// stand in lines of their own if that makes them fewer.
func (t *latexTable) lay() {
	t.cut(false)
	if len(t.blocks) == 1 {
		return
	}
	stacked := latexTable{Sheet: t.Sheet}
	stacked.cut(true)
	if len(stacked.blocks) < len(t.blocks) {
		*t = stacked
	}
}

// cut measures the columns and deals them out to as few blocks as the width allows,
// of about equal numbers.
func (t *latexTable) cut(stack bool) {
	total := t.Width
	if total == 0 {
		total = TextWidth
	}
	heads := t.rowHeads()
	left := -columnGap // none at the outer edges
	var widths []float64
	for j := range t.Heads {
		c := t.column(j, stack)
		t.columns = append(t.columns, c)
		if j < heads {
			left += c.width + columnGap
		} else {
			widths = append(widths, c.width+columnGap)
		}
	}
	for _, foot := range t.Foot {
		left = max(left, latexWidth(foot.Label))
	}
	for n := 1; ; n++ {
		t.blocks = deal(len(widths), heads, n)
		if n >= len(widths) || !slices.ContainsFunc(t.blocks, func(block []int) bool {
			sum := left
			for _, j := range block {
				sum += widths[j-heads]
			}
			return sum > total
		}) {
			return
		}
	}
}

// deal cuts count columns, numbered from first, into n blocks.
func deal(count, first, n int) [][]int {
	blocks := make([][]int, 0, n)
	at := first
	for k := range n {
		var block []int
		for range (count + n - 1 - k) / n {
			block = append(block, at)
			at++
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// float writes all blocks into one table float.
func (t *latexTable) float(b *strings.Builder) {
	b.WriteString("\\begin{table}[tbp]\n\\centering\n")
	// \caption of the standard classes leaves no room above a table
	fmt.Fprintf(b, "\\caption{%s}\n\\label{%s}\n\\smallskip\n%s", t.caption(), t.label(), latexSettings)
	for i, block := range t.blocks {
		if i > 0 {
			b.WriteString("\\par\\medskip\n")
		}
		fmt.Fprintf(b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", t.align(block), t.headLine(block))
		t.body(b, block)
		b.WriteString("\\bottomrule\n\\end{tabular}\n")
	}
	t.notes(b)
	b.WriteString("\\end{table}\n")
}

// long writes every block as a table that runs over pages.
func (t *latexTable) long(b *strings.Builder) {
	fmt.Fprintf(b, "\\begingroup\n%s\\setlength{\\LTcapwidth}{\\linewidth}\n", latexSettings)
	for i, block := range t.blocks {
		fmt.Fprintf(b, "\\begin{longtable}{%s}\n", t.align(block))
		if i == 0 {
			fmt.Fprintf(b, "\\caption{%s}\\label{%s}\\\\\n", t.caption(), t.label())
		} else {
			fmt.Fprintf(b, "\\multicolumn{%d}{@{}l@{}}{Table~\\ref{%s}, further columns}\\\\\n", t.width(block),
				t.label())
		}
		heads := t.headLine(block)
		fmt.Fprintf(b, "\\toprule\n%s\\midrule\n\\endfirsthead\n", heads)
		fmt.Fprintf(b, "\\multicolumn{%d}{@{}l@{}}{Table~\\ref{%s}, continued}\\\\\n", t.width(block), t.label())
		fmt.Fprintf(b, "\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", heads)
		t.body(b, block)
		b.WriteString("\\end{longtable}\n")
	}
	t.notes(b)
	b.WriteString("\\endgroup\n")
}

func (t *latexTable) caption() string {
	return strings.TrimSpace(EscapeLatex(strings.TrimSuffix(t.Title, ".")) + ". " + EscapeLatex(t.Caption))
}

// label names the study too, so that a document can hold the tables of several.
func (t *latexTable) label() string {
	if t.Study == "" {
		return "tab:" + t.ID
	}
	return "tab:" + SafeName(t.Study) + ":" + strings.TrimPrefix(t.ID, "table-")
}

// align is the preamble of a block's columns.
func (t *latexTable) align(block []int) string {
	text := "@{}"
	for j := range t.columns {
		if j < t.rowHeads() || slices.Contains(block, j) {
			text += t.columns[j].align
		}
	}
	return text + "@{}"
}

// width is the number of columns of a block's tabular.
func (t *latexTable) width(block []int) int { return t.rowHeads() + len(block) }

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

func (t *latexTable) headLine(block []int) string {
	var fields []string
	for j := range t.Heads {
		if j < t.rowHeads() || slices.Contains(block, j) {
			fields = append(fields, t.columns[j].head())
		}
	}
	return latexLine(fields)
}

func (t *latexTable) body(b *strings.Builder, block []int) {
	for i := range t.Rows {
		if t.Rows[i].Block {
			b.WriteString("\\addlinespace\n")
		}
		fields := t.headFields(i)
		for _, j := range block {
			fields = append(fields, t.Rows[i].Cells[j-t.rowHeads()].latex())
		}
		b.WriteString(latexLine(fields))
	}
	if len(t.Foot) > 0 {
		b.WriteString("\\midrule\n")
	}
	for _, foot := range t.Foot {
		fields := []string{fmt.Sprintf("\\multicolumn{%d}{@{}l}{%s}", foot.Span, EscapeLatex(foot.Label))}
		for _, j := range block {
			fields = append(fields, EscapeLatex(foot.Values[j-t.rowHeads()]))
		}
		b.WriteString(latexLine(fields))
	}
}

// headFields are the heads of row i; outer levels equal to those above are left out
// where the rows above are on the same page.
func (t *latexTable) headFields(i int) []string {
	row := &t.Rows[i]
	var fields []string
	repeated := i > 0 && !t.paged
	for j, h := range row.Heads {
		repeated = repeated && j < len(row.Heads)-1 && h.Label == t.Rows[i-1].Heads[j].Label
		text := EscapeLatex(h.Label)
		if repeated {
			text = ""
		}
		fields = append(fields, text+texMark(h.Note))
	}
	return fields
}

func (s *Sheet) notes(b *strings.Builder) {
	for i, note := range s.Notes {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s\\,%s}\n", texMark(i+1), EscapeLatex(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s}\n", EscapeLatex(remark))
	}
}

func texMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("\\textsuperscript{%d}", note)
}
