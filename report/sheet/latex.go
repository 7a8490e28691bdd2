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

// TextWidth is the default width of LaTeX tables, in the points of TeX: 6 inches, as in JMLR.
const TextWidth = 6 * 72.27

// pageRows is the largest number of lines of a float. Longer tables continue on the next page.
const pageRows = 42

// typeSize is 8 points, \footnotesize in a class with 10 points. JMLR's class has 11 points, in
// which tables would be too wide.
const typeSize = "\\fontsize{8}{9.5}\\selectfont"

const latexSettings = typeSize + "\n\\setlength{\\tabcolsep}{4pt}\n"

// Latex writes the sheet for LaTeX in type of 8 points. Columns that do not fit the width continue
// in blocks below, which repeat the row heads. A long sheet with a width continues in further
// floats, because longtable does not work in documents with two columns; any other long sheet is a
// longtable. Sentences beyond captionLines lines of the caption become the first remark.
func (s *Sheet) Latex(w io.Writer) error { return Latex(w, []*Sheet{s}) }

// Latex writes sheets one below the other. The first line names the packages that they need.
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

type latexTable struct {
	*Sheet
	wrap    float64       // widest column of words, in points; longer words begin a new line
	paged   bool          // runs over pages, as a longtable
	columns []latexColumn // row heads first
	blocks  [][]int       // numbers of the columns of cells in each block
}

func (s *Sheet) rowHeads() int {
	if len(s.Rows) == 0 {
		return len(s.Heads)
	}
	return len(s.Rows[0].Heads)
}

const columnGap = 8.0 // points between columns: twice \tabcolsep

// lay lays out a sheet, or its transpose if Methods is MethodsRows. With MethodsAuto and a width,
// it chooses the layout with fewer blocks.
func lay(s *Sheet) latexTable {
	auto := s.Methods == MethodsAuto && s.Width > 0
	mayTurn := auto || s.Methods == MethodsRows
	if len(s.Rows) == 0 || !mayTurn {
		return fit(s)
	}
	turned := fit(s.transposed())
	if !auto {
		return turned
	}
	if asItIs := fit(s); asItIs.cost() <= turned.cost() {
		return asItIs
	}
	return turned
}

// cost returns the number of blocks, or MaxInt if a block is too wide.
func (t *latexTable) cost() int {
	if t.tooWide() {
		return math.MaxInt
	}
	return len(t.blocks)
}

const leastWrap = 40

// fit returns the layout with the fewest blocks. To save blocks, it puts the words of column heads
// into several lines and, if the sheet has a width, narrows columns of words.
func fit(s *Sheet) latexTable {
	const narrower = 0.8 // ratio of successive widths
	wraps := []float64{wrapAt}
	for wrap := wrapAt * narrower; s.Width > 0 && wrap > leastWrap; wrap *= narrower {
		wraps = append(wraps, wrap)
	}
	best := cut(s, wrapAt, false)
	for _, wrap := range wraps {
		for _, stack := range []bool{false, true} {
			if t := cut(s, wrap, stack); t.cost() < best.cost() {
				best = t
			}
		}
	}
	return best
}

// cut lays out the columns and divides them into as few blocks of about equal numbers of columns as
// the width allows. wrap is the largest width of a column of words; stack puts the words of column
// heads into several lines.
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

// tooWide reports whether any block, with its row heads, is wider than the sheet may be.
func (t *latexTable) tooWide() bool {
	heads := t.headsWidth()
	return slices.ContainsFunc(t.blocks, func(block []int) bool {
		width := heads
		for _, j := range block {
			width += columnGap + t.columns[j].width
		}
		return width > cmp.Or(t.Width, TextWidth)
	})
}

// headsWidth returns the width of the row heads, which the foot's labels span.
func (t *latexTable) headsWidth() float64 {
	width := -columnGap // the outer edges of a table have no gap
	for _, c := range t.columns[:t.rowHeads()] {
		width += c.width + columnGap
	}
	for _, foot := range t.Foot {
		width = max(width, latexWidth(foot.Label))
	}
	return width
}

// deal divides the numbers from first to first+count-1 into n runs of about equal length.
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

func numbers(n, first int) []int { return deal(n, first, 1)[0] }

// lines returns the height of a block: heads and rules count three lines.
func (t *latexTable) lines(rows int) int { return rows + len(t.Foot) + 3 }

// rowLines returns the number of lines that some rows fill. Broken heads have several.
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

// A piece is a part of a table, some columns and some rows, that LaTeX prints as one tabular.
type piece struct{ columns, rows []int }

// pieces divides the blocks into pieces. If the sheet has a width, no piece is longer than a page.
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

// floats writes the pieces of the table. A sheet with a width has a float for each page, any other
// sheet one float.
func (t *latexTable) floats(b *strings.Builder) {
	begin := fmt.Sprintf("\\begin{%s}[tbp]\n\\centering\n", t.environment())
	end := fmt.Sprintf("\\end{%s}\n", t.environment())
	// The standard classes leave no room between a caption and a table below it.
	fmt.Fprintf(b, "%s\\caption{%s}\n\\label{%s}\n\\smallskip\n%s", begin, t.caption(), t.label(), latexSettings)
	nextFloat := fmt.Sprintf("%s%s%sTable~\\ref{%s}, continued\\par\\smallskip\n", end, begin, latexSettings,
		t.label())
	used := 0 // lines of the current float
	for i, p := range t.pieces() {
		height := t.lines(t.rowLines(p.rows))
		switch {
		case i == 0: // below the caption
		case t.Width > 0 && used+height > pageRows:
			used = 0
			b.WriteString(nextFloat)
		default:
			b.WriteString("\\par\\medskip\n")
		}
		used += height
		t.tabular(b, p)
	}
	t.notes(b)
	b.WriteString(end)
}

func (t *latexTable) tabular(b *strings.Builder, p piece) {
	fmt.Fprintf(b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", t.align(p.columns), t.headLine(p.columns))
	t.body(b, p)
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
}

// widestColumn is the width of a column of IEEE, in points.
const widestColumn = 3.5 * 72.27

// Starred returns the environment of a float, with a * if it is too wide for one of two columns.
// width is in points.
func Starred(environment string, width float64) string {
	if width > widestColumn {
		return environment + "*"
	}
	return environment
}

func (t *latexTable) environment() string { return Starred("table", t.Width) }

// captionLines is the largest number of lines of a caption. captionSize is the largest ratio of
// its type size to typeSize: captions have 10 points, or small capitals of 8 points at IEEE.
const captionLines, captionSize = 5, 1.3

var sentenceEnd = regexp.MustCompile(`\. [A-Z]`)

// SplitCaption divides a caption after a sentence. The first part, with the title, has at most
// captionLines lines of the given width in points.
func SplitCaption(title, caption string, width float64) (short, rest string) {
	room := captionLines*width/captionSize - latexWidth(title+". ")
	stops := sentenceEnd.FindAllStringIndex(caption, -1)
	stops = append(stops, []int{len(caption) - 1}) // the full stop of the last sentence
	end := 0                                       // of the last sentence that fits
	for _, stop := range stops {
		if latexWidth(caption[:stop[0]+1]) > room {
			break
		}
		end = stop[0] + 1
	}
	return strings.TrimSpace(caption[:end]), strings.TrimSpace(caption[end:])
}

// shortenCaption moves the sentences of the caption beyond captionLines lines into the first
// remark, in a copy of the sheet.
func (t *latexTable) shortenCaption() {
	copied := *t.Sheet
	short, rest := SplitCaption(t.Title, t.Caption, cmp.Or(t.Width, TextWidth))
	copied.Caption = short
	if rest != "" {
		copied.Remarks = append([]string{rest}, t.Remarks...)
	}
	t.Sheet = &copied
}

func (t *latexTable) long(b *strings.Builder) {
	fmt.Fprintf(b, "\\begingroup\n%s\\setlength{\\LTcapwidth}{\\linewidth}\n", latexSettings)
	for i, block := range t.blocks {
		heads := t.headLine(block)
		spanning := fmt.Sprintf("\\multicolumn{%d}{@{}l@{}}", t.width(block)) // over all columns
		fmt.Fprintf(b, "\\begin{longtable}{%s}\n", t.align(block))
		if i == 0 {
			fmt.Fprintf(b, "\\caption{%s}\\label{%s}\\\\\n", t.caption(), t.label())
		} else {
			fmt.Fprintf(b, "%s{Table~\\ref{%s}, further columns}\\\\\n", spanning, t.label())
		}
		fmt.Fprintf(b, "\\toprule\n%s\\midrule\n\\endfirsthead\n", heads)
		fmt.Fprintf(b, "%s{Table~\\ref{%s}, continued}\\\\\n", spanning, t.label())
		fmt.Fprintf(b, "\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", heads)
		t.body(b, piece{block, numbers(len(t.Rows), 0)})
		b.WriteString("\\end{longtable}\n")
	}
	t.notes(b)
	b.WriteString("\\endgroup\n")
}

func (t *latexTable) caption() string {
	return strings.TrimSpace(EscapeLatex(strings.TrimSuffix(t.Title, ".")) + ". " + EscapeLatex(t.Caption))
}

// label returns tab:STUDY:NAME, which is unique in a document with several studies.
func (t *latexTable) label() string {
	if t.Study == "" {
		return "tab:" + t.ID
	}
	return "tab:" + SafeName(t.Study) + ":" + strings.TrimPrefix(t.ID, "table-")
}

// align returns the column specification of a block, such as "@{}lrr@{}".
func (t *latexTable) align(block []int) string {
	text := "@{}"
	for _, j := range t.shown(block) {
		text += t.columns[j].align
	}
	return text + "@{}"
}

// shown returns the numbers of the columns of a block, row heads included.
func (t *latexTable) shown(block []int) []int { return append(numbers(t.rowHeads(), 0), block...) }

// width returns the number of columns of the tabular of a block.
func (t *latexTable) width(block []int) int { return t.rowHeads() + len(block) }

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

func (t *latexTable) headLine(block []int) string {
	var fields []string
	for _, j := range t.shown(block) {
		fields = append(fields, t.columns[j].head()+mark(texMark, t.Heads[j].Note))
	}
	return latexLine(fields)
}

// body writes the rows of a piece and, after the last row of the table, the foot.
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

// headFields returns the heads of row i. It leaves out outer levels that repeat the row above,
// unless the row is, or may be, the first one of its page.
func (t *latexTable) headFields(i int, first bool) []string {
	heads := t.Rows[i].Heads
	var fields []string
	repeated := !first
	for j, h := range heads {
		innermost := j == len(heads)-1
		repeated = repeated && !innermost && h.Label == t.Rows[i-1].Heads[j].Label
		text := mark(texMark, h.Note)
		if !repeated {
			text = EscapeLatex(h.Label) + text
		}
		fields = append(fields, text)
	}
	return fields
}

func (s *Sheet) notes(b *strings.Builder) {
	for i, note := range s.Notes {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s\\,%s}\n", mark(texMark, i+1),
			EscapeLatex(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{%s}\n", EscapeLatex(remark))
	}
}

// Formats of the number of a footnote.
const (
	texMark  = "\\textsuperscript{%d}"
	mdMark   = "<sup>%d</sup>"
	textMark = "[%d]"
)

// mark formats the number of a footnote; "" for 0.
func mark(format string, note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf(format, note)
}
