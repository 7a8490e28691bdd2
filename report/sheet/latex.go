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

// pageRows is the largest number of lines of a float; longer tables run over pages.
const pageRows = 42

// typeSize is the size that widths are measured in: \footnotesize of a class of 10
// points. JMLR's class has 11 points, in which tables would be too wide.
const typeSize = "\\fontsize{8}{9.5}\\selectfont"

const latexSettings = typeSize + "\n\\setlength{\\tabcolsep}{4pt}\n"

// Latex writes the sheet for LaTeX in type of 8 points:
//
//   - Columns that do not fit the width are cut into blocks below one another, each with the
//     heads of the rows.
//   - A sheet with a width may be part of a document of two columns, where longtable does not
//     work. A long one continues in further floats.
//   - A long sheet without a width is a longtable. Each row has all its heads, since any row may
//     be the first of its page.
//   - A caption has at most captionLines lines; its other sentences become the first remark.
func (s *Sheet) Latex(w io.Writer) error { return Latex(w, []*Sheet{s}) }

// Latex writes sheets one below the other; the first line names the packages of all.
func Latex(w io.Writer, sheets []*Sheet) error {
	var b strings.Builder
	packages := "array,booktabs"
	for _, s := range sheets {
		t := lay(s)
		t.shortenCaption()
		if s.Width == 0 && len(t.blocks)*t.lines(len(s.Rows)) > pageRows {
			packages = "array,booktabs,longtable"
			t.paged = true
			t.long(&b)
		} else {
			t.floats(&b)
		}
	}
	_, err := fmt.Fprintf(w, "%% Needs \\usepackage{%s}.\n%s", packages, b.String())
	return err
}

// latexTable is a sheet with its columns measured and cut into blocks.
type latexTable struct {
	*Sheet
	wrap    float64       // widest column of words, in points; longer words begin a new line
	paged   bool          // runs over pages, as a longtable
	columns []latexColumn // row heads first
	blocks  [][]int       // numbers of the columns of cells in each block
}

// rowHeads returns the number of columns that head the rows.
func (s *Sheet) rowHeads() int {
	if len(s.Rows) == 0 {
		return len(s.Heads)
	}
	return len(s.Rows[0].Heads)
}

const columnGap = 8.0 // points between columns: twice \tabcolsep

// lay lays out a sheet, or its transpose if Methods is MethodsRows. With MethodsAuto and a
// width it takes the transpose if that has fewer blocks.
func lay(s *Sheet) latexTable {
	t := fit(s)
	auto := s.Methods == MethodsAuto && s.Width > 0
	if len(s.Rows) == 0 || s.Methods != MethodsRows && !auto {
		return t
	}
	turned := fit(s.transposed())
	if auto && turned.cost() >= t.cost() {
		return t
	}
	return turned
}

// cost returns the number of blocks; MaxInt if a block is too wide.
func (t *latexTable) cost() int {
	if t.tooWide() {
		return math.MaxInt
	}
	return len(t.blocks)
}

// leastWrap is the narrowest column of words, in points.
const leastWrap = 40

// fit returns the layout of a sheet with the fewest blocks. It stacks the words of column heads
// and, in a sheet with a width, narrows columns of words if that saves blocks.
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

// cut measures the columns and divides them into as few blocks as the width allows, with about
// equal numbers of columns. wrap and stack are as in latexTable and column.
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
	left := -columnGap // of the row heads; outer edges have no gap
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

// deal divides count numbers from first on into n runs of about equal length.
func deal(count, first, n int) [][]int {
	runs := make([][]int, n)
	for k := range n {
		low, high := count*k/n, count*(k+1)/n
		for i := low; i < high; i++ {
			runs[k] = append(runs[k], first+i)
		}
	}
	return runs
}

// numbers returns the n numbers from first on.
func numbers(n, first int) []int { return deal(n, first, 1)[0] }

// lines returns the height of a block whose rows fill the given number of lines, with its
// heads and rules.
func (t *latexTable) lines(rows int) int { return rows + len(t.Foot) + 3 }

// rowLines returns the number of lines of some rows, whose heads may have several lines.
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

// A piece is some columns and some rows of a table, printed as one tabular.
type piece struct{ columns, rows []int }

// pieces divides the blocks into pieces, each no longer than a page if the sheet has a width.
func (t *latexTable) pieces() (list []piece) {
	all := numbers(len(t.Rows), 0)
	parts := [][]int{all}
	if t.Width > 0 {
		parts = deal(len(t.Rows), 0, 1+t.rowLines(all)/(pageRows-t.lines(0)))
	}
	for _, block := range t.blocks {
		for _, rows := range parts {
			list = append(list, piece{block, rows})
		}
	}
	return list
}

// floats writes the pieces of the table into floats. A sheet with a width has one for each
// page, other sheets have one.
func (t *latexTable) floats(b *strings.Builder) {
	used := 0 // lines of the float
	for i, p := range t.pieces() {
		height := t.lines(t.rowLines(p.rows))
		switch {
		case i == 0:
			fmt.Fprintf(b, "\\begin{%s}[tbp]\n\\centering\n", t.environment())
			// \caption of the standard classes leaves no room above a table
			fmt.Fprintf(b, "\\caption{%s}\n\\label{%s}\n\\smallskip\n%s", t.caption(), t.label(), latexSettings)
		case t.Width > 0 && used+height > pageRows:
			used = 0
			fmt.Fprintf(b, "\\end{%s}\n\\begin{%[1]s}[tbp]\n\\centering\n%s", t.environment(), latexSettings)
			fmt.Fprintf(b, "Table~\\ref{%s}, continued\\par\\smallskip\n", t.label())
		default:
			b.WriteString("\\par\\medskip\n")
		}
		used += height
		fmt.Fprintf(b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", t.align(p.columns), t.headLine(p.columns))
		t.body(b, p)
		b.WriteString("\\bottomrule\n\\end{tabular}\n")
	}
	t.notes(b)
	fmt.Fprintf(b, "\\end{%s}\n", t.environment())
}

// widestColumn is the width of IEEE's columns, in points.
const widestColumn = 3.5 * 72.27

// Starred returns the name of a float's environment. A float of a width, in points, that is wider
// than one column spans both columns of a document: "table*".
func Starred(environment string, width float64) string {
	if width > widestColumn {
		return environment + "*"
	}
	return environment
}

func (t *latexTable) environment() string { return Starred("table", t.Width) }

// captionLines is the largest number of lines of a caption. captionSize is the ratio of its type
// to that of widths, at most: 10 points, or small capitals of 8 points at IEEE.
const captionLines, captionSize = 5, 1.3

var sentenceEnd = regexp.MustCompile(`\. [A-Z]`)

// SplitCaption divides a caption after the last sentence that leaves it at most captionLines
// lines, with its title, at a width in points.
func SplitCaption(title, caption string, width float64) (short, rest string) {
	room := captionLines*width/captionSize - latexWidth(title+". ")
	end := 0 // of the last sentence that fits
	for _, at := range append(sentenceEnd.FindAllStringIndex(caption, -1), []int{len(caption) - 1}) {
		if latexWidth(caption[:at[0]+1]) > room {
			break
		}
		end = at[0] + 1
	}
	return strings.TrimSpace(caption[:end]), strings.TrimSpace(caption[end:])
}

// shortenCaption makes the sentences for which a caption has no room the first remark. It
// leaves the sheet unchanged and works on a copy.
func (t *latexTable) shortenCaption() {
	copied := *t.Sheet
	short, rest := SplitCaption(t.Title, t.Caption, cmp.Or(t.Width, TextWidth))
	copied.Caption = short
	if rest != "" {
		copied.Remarks = append([]string{rest}, t.Remarks...)
	}
	t.Sheet = &copied
}

// long writes every block as a longtable, which runs over pages.
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
		t.body(b, piece{block, numbers(len(t.Rows), 0)})
		b.WriteString("\\end{longtable}\n")
	}
	t.notes(b)
	b.WriteString("\\endgroup\n")
}

// caption returns the title and the caption as LaTeX.
func (t *latexTable) caption() string {
	return strings.TrimSpace(EscapeLatex(strings.TrimSuffix(t.Title, ".")) + ". " + EscapeLatex(t.Caption))
}

// label returns the label of the table: tab:STUDY:NAME. It names the study, so that a document
// may have the tables of several.
func (t *latexTable) label() string {
	if t.Study == "" {
		return "tab:" + t.ID
	}
	return "tab:" + SafeName(t.Study) + ":" + strings.TrimPrefix(t.ID, "table-")
}

// align returns the preamble of a block's tabular.
func (t *latexTable) align(block []int) string {
	text := "@{}"
	for _, j := range t.shown(block) {
		text += t.columns[j].align
	}
	return text + "@{}"
}

// shown returns the numbers of a block's columns, with those that head the rows.
func (t *latexTable) shown(block []int) []int { return append(numbers(t.rowHeads(), 0), block...) }

// width returns the number of columns of a block's tabular.
func (t *latexTable) width(block []int) int { return t.rowHeads() + len(block) }

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

// headLine returns the line of column heads of a block.
func (t *latexTable) headLine(block []int) string {
	var fields []string
	for _, j := range t.shown(block) {
		fields = append(fields, t.columns[j].head()+texMark(t.Heads[j].Note))
	}
	return latexLine(fields)
}

// body writes the rows of a piece and, below the last row of the table, its foot.
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

// headFields returns the heads of row i. Outer levels are left out if they and all levels
// outside them are those of the row above, unless the row is or may be the first of its page.
func (t *latexTable) headFields(i int, first bool) []string {
	heads := t.Rows[i].Heads
	var fields []string
	repeated := !first
	for j, h := range heads {
		innermost := j == len(heads)-1
		repeated = repeated && !innermost && h.Label == t.Rows[i-1].Heads[j].Label
		text := texMark(h.Note)
		if !repeated {
			text = EscapeLatex(h.Label) + text
		}
		fields = append(fields, text)
	}
	return fields
}

// notes writes the footnotes and the remarks, each as a paragraph.
func (s *Sheet) notes(b *strings.Builder) {
	for i, note := range s.Notes {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s\\,%s}\n", texMark(i+1), EscapeLatex(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s}\n", EscapeLatex(remark))
	}
}

// texMark returns the number of a footnote; "" for 0.
func texMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("\\textsuperscript{%d}", note)
}
