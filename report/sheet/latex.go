package sheet

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
)

// TextWidth is the printed width of LaTeX tables without a width of their own, in
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
// first of its page, each has all its heads. A sheet with a width of its own may stand in
// a document of two columns: it is one float or several, since longtable needs one column,
// and the end of a caption of many lines becomes the first remark.
func (s *Sheet) Latex(w io.Writer) error { return Latex(w, []*Sheet{s}) }

// Latex writes sheets one below the other; the first line names the packages of all.
func Latex(w io.Writer, sheets []*Sheet) error {
	var b strings.Builder
	packages := "array,booktabs"
	for _, s := range sheets {
		t := lay(s)
		switch {
		case s.Width > 0:
			t.shortenCaption()
			t.floats(&b)
		case len(t.blocks)*t.lines(len(s.Rows)) > pageRows:
			packages = "array,booktabs,longtable"
			t.paged = true
			t.long(&b)
		default:
			t.floats(&b)
		}
	}
	_, err := fmt.Fprintf(w, "%% Needs \\usepackage{%s}.\n%s", packages, b.String())
	return err
}

// latexTable is a sheet with its columns measured and cut into blocks.
type latexTable struct {
	*Sheet
	wrap    float64       // points at which words begin a new line
	paged   bool          // runs over pages
	columns []latexColumn // heads of rows first
	blocks  [][]int       // numbers of the columns of cells
}

// rowHeads is the number of columns that head the rows.
func (s *Sheet) rowHeads() int {
	if len(s.Rows) == 0 {
		return len(s.Heads)
	}
	return len(s.Rows[0].Heads)
}

const columnGap = 8.0 // points between columns: twice \tabcolsep

// lay measures the sheet, or its transpose where the sheet asks for it or allows it and it
// fits better.
func lay(s *Sheet) latexTable {
	auto := s.Methods == MethodsAuto && s.Width > 0
	t := fit(s)
	if len(s.Rows) == 0 || s.Methods != MethodsRows && !auto {
		return t
	}
	if turned := fit(s.transposed()); !auto || turned.cost() < t.cost() {
		return turned
	}
	return t
}

// cost is the number of blocks, or more than any table has if one is too wide.
func (t *latexTable) cost() int {
	if t.tooWide() {
		return math.MaxInt
	}
	return len(t.blocks)
}

// leastWrap is the narrowest column of words, in points.
const leastWrap = 40

// fit cuts the columns into blocks. Where that saves blocks or a block would be too wide,
// words of heads stand in lines of their own and, in a sheet with a width, words of the heads
// of rows begin new lines earlier.
func fit(s *Sheet) latexTable {
	best := cut(s, wrapAt, false)
	for wrap := wrapAt; wrap == wrapAt || s.Width > 0 && wrap > leastWrap; wrap *= 0.8 {
		for _, stack := range []bool{false, true} {
			if t := cut(s, wrap, stack); t.cost() < best.cost() {
				best = t
			}
		}
	}
	return best
}

// cut measures the columns and deals them out to as few blocks as the width allows,
// of about equal numbers.
func cut(s *Sheet, wrap float64, stack bool) latexTable {
	t := latexTable{Sheet: s, wrap: wrap}
	for j := range t.Heads {
		t.columns = append(t.columns, t.column(j, stack))
	}
	heads := t.rowHeads()
	cells := len(t.Heads) - heads
	for n := 1; ; n++ {
		t.blocks = deal(cells, heads, n)
		if n >= cells || !t.tooWide() {
			return t
		}
	}
}

// tooWide reports whether a block is wider than the sheet may be.
func (t *latexTable) tooWide() bool {
	total := cmp.Or(t.Width, TextWidth)
	left := -columnGap // none at the outer edges
	for _, c := range t.columns[:t.rowHeads()] {
		left += c.width + columnGap
	}
	for _, foot := range t.Foot {
		left = max(left, latexWidth(foot.Label))
	}
	return slices.ContainsFunc(t.blocks, func(block []int) bool {
		sum := left
		for _, j := range block {
			sum += t.columns[j].width + columnGap
		}
		return sum > total
	})
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

// lines is the height of a block with rows of so many lines, its heads and its rules.
func (t *latexTable) lines(rows int) int { return rows + len(t.Foot) + 3 }

// rowLines is how many lines rows fill, whose heads may be words in several lines.
func (t *latexTable) rowLines(rows []int) (sum int) {
	for _, i := range rows {
		most := 1
		for j, h := range t.Rows[i].Heads {
			if t.columns[j].align != "r" {
				most = max(most, int(math.Ceil(latexWidth(h.Label)/t.columns[j].width)))
			}
		}
		sum += most
	}
	return sum
}

// A piece is some columns and some rows of a table.
type piece struct{ columns, rows []int }

// pieces cuts the blocks into pieces that are no longer than a page.
func (t *latexTable) pieces() (list []piece) {
	parts := deal(len(t.Rows), 0, 1)
	if t.Width > 0 {
		parts = deal(len(t.Rows), 0, 1+t.rowLines(parts[0])/(pageRows-t.lines(0)))
	}
	for _, block := range t.blocks {
		for _, rows := range parts {
			list = append(list, piece{block, rows})
		}
	}
	return list
}

// floats writes all pieces into one float; if the sheet has a width, into one for each page.
func (t *latexTable) floats(b *strings.Builder) {
	used := 0 // lines of the page
	for i, p := range t.pieces() {
		height := t.lines(t.rowLines(p.rows))
		switch used += height; {
		case i == 0:
			fmt.Fprintf(b, "\\begin{%s}[tbp]\n\\centering\n", t.environment())
			// \caption of the standard classes leaves no room above a table
			fmt.Fprintf(b, "\\caption{%s}\n\\label{%s}\n\\smallskip\n%s", t.caption(), t.label(), latexSettings)
		case t.Width > 0 && used > pageRows:
			used = height
			fmt.Fprintf(b, "\\end{%s}\n\\begin{%[1]s}[tbp]\n\\centering\n%s", t.environment(), latexSettings)
			fmt.Fprintf(b, "Table~\\ref{%s}, continued\\par\\smallskip\n", t.label())
		default:
			b.WriteString("\\par\\medskip\n")
		}
		fmt.Fprintf(b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", t.align(p.columns), t.headLine(p.columns))
		t.body(b, p)
		b.WriteString("\\bottomrule\n\\end{tabular}\n")
	}
	t.notes(b)
	fmt.Fprintf(b, "\\end{%s}\n", t.environment())
}

// widestColumn is the width of IEEE's columns, in points: what is wider spans two.
const widestColumn = 3.5 * 72.27

func (t *latexTable) environment() string {
	if t.Width > widestColumn {
		return "table*"
	}
	return "table"
}

// captionLines is how many lines a caption may have. captionSize is how much larger its
// type may be than that of widths: 10 points, or small capitals of 8 points at IEEE.
const captionLines, captionSize = 5, 1.3

var sentenceEnd = regexp.MustCompile(`\. [A-Z]`)

// shortenCaption makes the sentences that would fill more lines the first remark.
func (t *latexTable) shortenCaption() {
	room := captionLines*t.Width/captionSize - latexWidth(t.Title+". ")
	end := 0 // of the last sentence that fits
	for _, at := range append(sentenceEnd.FindAllStringIndex(t.Caption, -1), []int{len(t.Caption) - 1}) {
		if latexWidth(t.Caption[:at[0]+1]) > room {
			break
		}
		end = at[0] + 1
	}
	short := *t.Sheet
	short.Caption = strings.TrimSpace(t.Caption[:end])
	if rest := strings.TrimSpace(t.Caption[end:]); rest != "" {
		short.Remarks = append([]string{rest}, t.Remarks...)
	}
	t.Sheet = &short
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
		t.body(b, piece{block, deal(len(t.Rows), 0, 1)[0]})
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
	for _, j := range t.shown(block) {
		text += t.columns[j].align
	}
	return text + "@{}"
}

// shown returns the numbers of a block's columns, with those that head the rows.
func (t *latexTable) shown(block []int) []int { return append(deal(t.rowHeads(), 0, 1)[0], block...) }

// width is the number of columns of a block's tabular.
func (t *latexTable) width(block []int) int { return t.rowHeads() + len(block) }

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

func (t *latexTable) headLine(block []int) string {
	var fields []string
	for _, j := range t.shown(block) {
		fields = append(fields, t.columns[j].head()+texMark(t.Heads[j].Note))
	}
	return latexLine(fields)
}

func (t *latexTable) body(b *strings.Builder, p piece) {
	for k, i := range p.rows {
		if t.Rows[i].Block && k > 0 {
			b.WriteString("\\addlinespace\n")
		}
		fields := t.headFields(i, k == 0 || t.paged)
		for _, j := range p.columns {
			fields = append(fields, t.Rows[i].Cells[j-t.rowHeads()].latex())
		}
		b.WriteString(latexLine(fields))
	}
	if len(p.rows) > 0 && p.rows[len(p.rows)-1] < len(t.Rows)-1 {
		return // the foot is below the last piece
	}
	if len(t.Foot) > 0 {
		b.WriteString("\\midrule\n")
	}
	for _, foot := range t.Foot {
		fields := []string{fmt.Sprintf("\\multicolumn{%d}{@{}l}{%s}", foot.Span, EscapeLatex(foot.Label))}
		for _, j := range p.columns {
			fields = append(fields, EscapeLatex(foot.Values[j-t.rowHeads()]))
		}
		b.WriteString(latexLine(fields))
	}
}

// headFields are the heads of row i; outer levels equal to those above are left out
// unless the row is or may be the first of its page.
func (t *latexTable) headFields(i int, first bool) []string {
	row := &t.Rows[i]
	var fields []string
	repeated := !first
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
