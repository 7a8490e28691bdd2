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

// TextWidth is the default width of LaTeX tables in TeX points. It is 6 inches, as in JMLR.
const TextWidth = 6 * 72.27

// linesPerFloat is the maximum number of lines in a LaTeX float. Longer tables continue on the next page.
const linesPerFloat = 42

// linesWithNotes is the maximum number of lines in a LaTeX float, including notes. Further notes continue in the
// next float.
const linesWithNotes = 47

// typeSize selects a font size of 8 points. \footnotesize is larger in the 11-point documents of JMLR.
const typeSize = "\\fontsize{8}{9.5}\\selectfont"

const latexSettings = typeSize + "\n\\setlength{\\tabcolsep}{4pt}\n"

// Latex writes the sheet as a LaTeX table. If it is too wide, the remaining columns follow in blocks below. A
// long table can span several pages.
func (s *Sheet) Latex(w io.Writer) error { return Latex(w, []*Sheet{s}) }

// Latex writes sheets one below another. The first line names the LaTeX packages they need.
func Latex(w io.Writer, sheets []*Sheet) error {
	var b strings.Builder
	packages := "array,booktabs"
	for _, s := range sheets {
		t := layOut(s)
		t.Builder = &b
		t.shortenCaption()                                     // to captionLines lines
		height := len(t.blocks) * t.heightInLines(len(s.Rows)) // the blocks are stacked
		// A sheet with a width is for a two-column document, in which longtable does not work.
		if s.Width == 0 && height > linesPerFloat {
			packages = "array,booktabs,longtable"
			t.isLongtable = true
			t.writeLongtables()
		} else {
			t.writeFloats()
		}
	}
	floats := b.String()
	starred := StarredDefinition("table", floats) // for document classes without the environment table*
	_, err := fmt.Fprintf(w, "%% Needs \\usepackage{%s}.\n%s%s", packages, starred, floats)
	return err
}

// StarredDefinition returns a LaTeX definition of the starred environment, such as figure*, for classes that
// lack it, such as beamer. If the floats do not use it, the definition is "".
func StarredDefinition(environment, floats string) string {
	if !strings.Contains(floats, `\begin{`+environment+`*}`) {
		return ""
	}
	return fmt.Sprintf("%% Slides have no floats across two columns.\n"+
		"\\ifcsname %[1]s*\\endcsname\\else\\newenvironment{%[1]s*}{\\begin{%[1]s}}{\\end{%[1]s}}\\fi\n", environment)
}

type latexTable struct {
	*Sheet
	*strings.Builder         // receives the LaTeX source
	maxTextWidth     float64 // maximum width of a text column in points, beyond which LaTeX breaks lines
	isLongtable      bool    // the table may span several pages
	columns          []latexColumn
	blocks           [][]int // indices of the columns of entries in each block
}

// RowHeadCount returns the number of columns that contain the labels of rows, such as factor levels.
func (s *Sheet) RowHeadCount() int {
	if len(s.Rows) == 0 {
		return len(s.Heads)
	}
	return len(s.Rows[0].Heads)
}

const columnGap = 8.0 // points between columns: twice \tabcolsep

// layOut lays out a sheet, or the transposed sheet if Methods is MethodsRows. MethodsAuto chooses the layout
// with fewer blocks, but never transposes a sheet without a maximum width.
func layOut(s *Sheet) latexTable {
	auto := s.Methods == MethodsAuto && s.Width > 0
	mayTurn := auto || s.Methods == MethodsRows
	asItIs := fewestBlocks(s)
	if len(s.Rows) == 0 || !mayTurn {
		return asItIs
	}
	turned := fewestBlocks(s.transposed())
	if auto && turned.blockCount() >= asItIs.blockCount() {
		return asItIs
	}
	return turned
}

// blockCount returns the number of blocks of columns, or MaxInt if any block is too wide for the sheet.
func (t *latexTable) blockCount() int {
	if t.tooWide() {
		return math.MaxInt
	}
	return len(t.blocks)
}

// leastWrap is the smallest width of a column of words, in points.
const leastWrap = 40

// fewestBlocks returns the layout with the fewest blocks of columns. It tries column heads with one line and
// with several lines. If Width is set, it also tries smaller widths for columns of text.
func fewestBlocks(s *Sheet) latexTable {
	const narrower = 0.8 // ratio of successive widths
	textWidths := []float64{wrapAt}
	if s.Width > 0 {
		for width := wrapAt * narrower; width > leastWrap; width *= narrower {
			textWidths = append(textWidths, width)
		}
	}
	var layouts []latexTable
	for _, textWidth := range textWidths {
		for _, breakHeads := range []bool{false, true} {
			layouts = append(layouts, divideColumns(s, textWidth, breakHeads))
		}
	}
	byBlocks := func(a, b latexTable) int { return cmp.Compare(a.blockCount(), b.blockCount()) }
	return slices.MinFunc(layouts, byBlocks)
}

// divideColumns divides the columns into as few blocks as the width allows. wrap is the largest width of a
// column of words, in points.
func divideColumns(s *Sheet, wrap float64, breakHeads bool) latexTable {
	t := latexTable{Sheet: s, maxTextWidth: wrap}
	for j := range t.Heads {
		t.columns = append(t.columns, t.layOutColumn(j, breakHeads))
	}
	heads := t.RowHeadCount()
	cells := len(t.Heads) - heads
	for n := 1; ; n++ { // number of blocks
		t.blocks = splitEvenly(cells, heads, n)
		if n >= cells || !t.tooWide() { // a block of one column cannot be divided
			return t
		}
	}
}

// tooWide reports whether any block, including the row heads, is wider than the sheet allows.
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

// headsWidth returns the width of the row heads, or of the labels in the foot if they are wider.
func (t *latexTable) headsWidth() float64 {
	width := -columnGap // the outer edges of a table have no gap
	for _, c := range t.columns[:t.RowHeadCount()] {
		width += c.width + columnGap
	}
	for _, foot := range t.Foot {
		width = max(width, latexWidth(foot.Heads[0].Label))
	}
	return width
}

// splitEvenly divides the integers first, ..., first+count-1 into n runs of about equal length.
func splitEvenly(count, first, n int) [][]int {
	runs := make([][]int, n)
	for k := range n {
		low, high := count*k/n, count*(k+1)/n
		for i := low; i < high; i++ {
			runs[k] = append(runs[k], first+i)
		}
	}
	return runs
}

// consecutive returns 0, 1, ..., n-1.
func consecutive(n int) []int { return splitEvenly(n, 0, 1)[0] }

// heightInLines returns the height of a block, whose column heads and rules take up three lines.
func (t *latexTable) heightInLines(rows int) int { return rows + len(t.Foot) + 3 }

// rowLines returns the number of lines of the given rows, whose heads LaTeX can wrap. A space between blocks of
// rows counts as half a line.
func (t *latexTable) rowLines(rows []int) (sum int) {
	spaces := 0
	for k, i := range rows {
		if t.Rows[i].BeginsBlock && k > 0 {
			spaces++
		}
		most := 1 // of the row heads
		for j, h := range t.Rows[i].Heads {
			if t.columns[j].align != "r" { // LaTeX never wraps columns of numbers
				most = max(most, int(math.Ceil(latexWidth(h.Label)/t.columns[j].width)))
			}
		}
		sum += most
	}
	return sum + (spaces+1)/2
}

// A piece is a part of a table that LaTeX prints as one tabular: some rows of some columns.
type piece struct{ columns, rows []int }

// pieces divides each block of columns into pieces. If the sheet has a width, each piece fits on a page.
func (t *latexTable) pieces() (list []piece) {
	all := consecutive(len(t.Rows))
	parts := [][]int{all}
	if t.Width > 0 {
		roomForRows := linesPerFloat - t.heightInLines(0)
		pages := 1 + t.rowLines(all)/roomForRows
		parts = splitEvenly(len(t.Rows), 0, pages)
	}
	for _, block := range t.blocks {
		for _, rows := range parts {
			list = append(list, piece{block, rows})
		}
	}
	return list
}

// writeFloats writes the table as LaTeX floats that fit on a page.
func (t *latexTable) writeFloats() {
	environment := FloatEnvironment("table", t.Width)
	begin := fmt.Sprintf("\\begin{%s}[tbp]\n\\centering\n", environment)
	end := fmt.Sprintf("\\end{%s}\n", environment)
	// nextFloat is LaTeX source that ends one floating table and begins the next.
	nextFloat := fmt.Sprintf("%s%s%sTable~\\ref{%s}, continued\\par\\smallskip\n", end, begin, latexSettings,
		t.label())
	// The standard LaTeX classes leave no space between a caption and the table below it.
	fmt.Fprintf(t, "%s\\caption{%s}\n\\label{%s}\n\\smallskip\n%s", begin, t.caption(), t.label(), latexSettings)
	usedLines := 0 // number of lines in the current float
	for i, p := range t.pieces() {
		height := t.heightInLines(t.rowLines(p.rows))
		isFull := usedLines+height > linesPerFloat
		if i > 0 && t.Width > 0 && isFull {
			t.WriteString(nextFloat)
			usedLines = 0
		} else if i > 0 {
			t.WriteString("\\par\\medskip\n")
		}
		t.writeTabular(p)
		usedLines += height
	}
	t.writeAllNotes(usedLines, nextFloat)
	t.WriteString(end)
}

// writeAllNotes writes the notes below the table. usedLines is the number of lines that the current float
// already has. Notes that do not fit continue in further floats, which begin with nextFloat.
func (t *latexTable) writeAllNotes(usedLines int, nextFloat string) {
	var notes []note
	for _, n := range t.notes() {
		if usedLines+n.lines > linesWithNotes {
			t.writeNotes(notes)
			t.WriteString(nextFloat)
			notes, usedLines = nil, 0
		}
		notes = append(notes, n)
		usedLines += n.lines
	}
	t.writeNotes(notes)
}

func (t *latexTable) writeTabular(p piece) {
	fmt.Fprintf(t, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", t.align(p.columns), t.headLine(p.columns))
	t.writeBody(p)
	t.WriteString("\\bottomrule\n\\end{tabular}\n")
}

const widestColumn = 3.5 * 72.27

// FloatEnvironment returns the LaTeX environment for a float of the given width in points. A * marks floats
// across both columns of a page.
func FloatEnvironment(environment string, width float64) string {
	if FitsColumn(width) {
		return environment
	}
	return environment + "*"
}

// FitsColumn reports whether a float of the given width in points fits into one column of a page.
func FitsColumn(width float64) bool { return width <= widestColumn }

// captionLines is the maximum number of lines in a caption. captionSize is the largest ratio of the
// font sizes of captions and tables.
const captionLines, captionSize = 5, 1.3

var sentenceEnd = regexp.MustCompile(`\. [A-Z]`)

// SplitCaption divides a caption between two sentences. The first part and the title fit into captionLines lines
// of the given width in points, unless the first sentence is too long for this.
func SplitCaption(title, caption string, width float64) (short, rest string) {
	room := captionLines*width/captionSize - latexWidth(title+". ")
	stops := sentenceEnd.FindAllStringIndex(caption, -1)
	stops = append(stops, []int{len(caption) - 1}) // the last full stop
	end := 0                                       // end of the last sentence in the first part
	for _, stop := range stops {
		if end > 0 && latexWidth(caption[:stop[0]+1]) > room {
			break
		}
		end = stop[0] + 1
	}
	return strings.TrimSpace(caption[:end]), strings.TrimSpace(caption[end:])
}

// CaptionLines returns an upper bound on the lines of a figure's caption, including the space above it. width is
// the width of the figure in points.
func CaptionLines(caption string, width float64) int {
	const articleWidth = 345 // text width of the class article, in which wider figures are scaled down
	return 1 + int(math.Ceil(latexWidth(caption)*captionSize/min(width, articleWidth)))
}

// shortenCaption limits the caption to captionLines lines. The remaining sentences become the first remark of a
// copy of the sheet.
func (t *latexTable) shortenCaption() {
	copied := *t.Sheet
	short, rest := SplitCaption(t.Title, t.Caption, cmp.Or(t.Width, TextWidth))
	copied.Caption = short
	if rest != "" {
		copied.Remarks = append([]string{rest}, t.Remarks...)
	}
	t.Sheet = &copied
}

// writeLongtables writes each block of columns as a longtable. Only the first longtable has the caption; the
// others refer to it.
func (t *latexTable) writeLongtables() {
	fmt.Fprintf(t, "\\begingroup\n%s\\setlength{\\LTcapwidth}{\\linewidth}\n", latexSettings)
	for i, p := range t.pieces() {
		heads := t.headLine(p.columns)
		spanning := fmt.Sprintf("\\multicolumn{%d}{@{}l@{}}", t.RowHeadCount()+len(p.columns))
		if i > 0 {
			// Every longtable increments the table counter of LaTeX.
			t.WriteString("\\addtocounter{table}{-1}\n")
		}
		fmt.Fprintf(t, "\\begin{longtable}{%s}\n", t.align(p.columns))
		if i == 0 {
			fmt.Fprintf(t, "\\caption{%s}\\label{%s}\\\\\n", t.caption(), t.label())
		} else {
			fmt.Fprintf(t, "%s{Table~\\ref{%s}, further columns}\\\\\n", spanning, t.label())
		}
		fmt.Fprintf(t, "\\toprule\n%s\\midrule\n\\endfirsthead\n", heads)
		fmt.Fprintf(t, "%s{Table~\\ref{%s}, continued}\\\\\n", spanning, t.label())
		fmt.Fprintf(t, "\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", heads)
		t.writeBody(p)
		t.WriteString("\\end{longtable}\n")
	}
	t.writeNotes(t.notes())
	t.WriteString("\\endgroup\n")
}

func (t *latexTable) caption() string {
	return strings.TrimSpace(EscapeLatex(strings.TrimSuffix(t.Title, ".")) + ". " + EscapeLatex(t.Caption))
}

// label returns the LaTeX label tab:STUDY:NAME, which is unique in a document with several studies.
func (t *latexTable) label() string {
	if t.Study == "" {
		return "tab:" + t.ID
	}
	return "tab:" + SafeName(t.Study) + ":" + strings.TrimPrefix(t.ID, "table-")
}

// align returns the column specification of the tabular for a block, such as "@{}lrr@{}".
func (t *latexTable) align(block []int) string {
	text := "@{}"
	for _, j := range t.withRowHeads(block) {
		text += t.columns[j].align
	}
	return text + "@{}"
}

func (t *latexTable) withRowHeads(block []int) []int {
	return append(consecutive(t.RowHeadCount()), block...)
}

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

func (t *latexTable) headLine(block []int) string {
	var fields []string
	for _, j := range t.withRowHeads(block) {
		fields = append(fields, t.columns[j].head()+footnoteMark(texMark, t.Heads[j].Note))
	}
	return latexLine(fields)
}

// writeBody writes the rows of a piece of the table and, after the last row of the table, the foot.
func (t *latexTable) writeBody(p piece) {
	heads := t.headFields(p.rows)
	for k, i := range p.rows {
		if t.Rows[i].BeginsBlock && k > 0 {
			t.WriteString("\\addlinespace\n")
		}
		fields := heads[k]
		for _, j := range p.columns {
			fields = append(fields, t.columns[j].entry(&t.Rows[i].Cells[j-t.RowHeadCount()]))
		}
		t.WriteString(latexLine(fields))
	}
	if len(p.rows) == 0 || p.rows[len(p.rows)-1] == len(t.Rows)-1 {
		t.writeFoot(p.columns)
	}
}

func (t *latexTable) writeFoot(columns []int) {
	if len(t.Foot) > 0 {
		t.WriteString("\\midrule\n")
	}
	for _, foot := range t.Foot {
		label := EscapeLatex(foot.Heads[0].Label)
		fields := []string{fmt.Sprintf("\\multicolumn{%d}{@{}l}{%s}", t.RowHeadCount(), label)}
		for _, j := range columns {
			fields = append(fields, EscapeLatex(foot.Cells[j-t.RowHeadCount()].text()))
		}
		t.WriteString(latexLine(fields))
	}
}

// headFields returns the heads of the given rows: fields[k][j] is level j of row rows[k]. It omits outer levels that
// are equal to those above, unless the row may be the first on a page.
func (t *latexTable) headFields(rows []int) (fields [][]string) {
	unprinted := make([][]string, t.RowHeadCount()) // further lines of each level
	for k, i := range rows {
		var ofRow []string
		for j, h := range t.Rows[i].Heads {
			lines := unprinted[j]
			if !t.isRepeated(rows, k, j) {
				lines = t.headLines(rows, k, j)
			}
			line := ""
			if len(lines) > 0 {
				line, lines = EscapeLatex(lines[0]), lines[1:]
			}
			unprinted[j] = lines
			ofRow = append(ofRow, line+footnoteMark(texMark, h.Note))
		}
		fields = append(fields, ofRow)
	}
	return fields
}

// isRepeated reports whether level j of row rows[k] and all outer levels are the same as in the row above, and the
// row cannot be the first on a page. The innermost level is never repeated.
func (t *latexTable) isRepeated(rows []int, k, j int) bool {
	if k == 0 || t.isLongtable || j == t.RowHeadCount()-1 { // LaTeX can break a longtable above any row
		return false
	}
	heads, above := t.Rows[rows[k]].Heads, t.Rows[rows[k-1]].Heads
	hasSame := func(j int) bool { return heads[j].Label == above[j].Label }
	return !slices.ContainsFunc(consecutive(j+1), func(outer int) bool { return !hasSame(outer) })
}

// headLines divides the label of level j, which begins in row rows[k], into lines for this and the next rows. If LaTeX
// wrapped the label within a row, the rows of the level would be torn apart. headLines returns a single line if the
// rows of the level are too few, or if the label has a footnote mark.
func (t *latexTable) headLines(rows []int, k, j int) []string {
	head := t.Rows[rows[k]].Heads[j]
	lines := stackWords(head.Label, t.columns[j].width)
	count := 1 // number of rows of the level
	for k+count < len(rows) && t.isRepeated(rows, k+count, j) {
		count++
	}
	if len(lines) < 2 || len(lines) > count || head.Note > 0 {
		return []string{head.Label}
	}
	return lines
}

// A note is a footnote or a remark below a table.
type note struct {
	latex string
	lines int
}

// notes returns the footnotes and the remarks.
func (t *latexTable) notes() (list []note) {
	add := func(mark, text string) {
		lines := math.Ceil(latexWidth(text) / cmp.Or(t.Width, TextWidth))
		list = append(list, note{mark + EscapeLatex(text), int(lines)})
	}
	for i, text := range t.Notes {
		add(footnoteMark(texMark, i+1)+"\\,", text)
	}
	for _, text := range t.Remarks {
		add("", text)
	}
	return list
}

// writeNotes writes notes as paragraphs below the table, close together to save space.
func (t *latexTable) writeNotes(notes []note) {
	if len(notes) == 0 {
		return
	}
	var paragraphs []string
	for _, n := range notes {
		paragraphs = append(paragraphs, n.latex)
	}
	fmt.Fprintf(t, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{\\setlength{\\parskip}{1pt}%s}\n",
		strings.Join(paragraphs, "\\par\n"))
}

// Formats of footnote marks.
const (
	texMark  = "\\textsuperscript{%s}"
	mdMark   = "<sup>%s</sup>"
	textMark = "[%s]"
)

// footnoteMark formats the mark of a footnote, or returns "" for 0.
func footnoteMark(format string, note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf(format, noteLetter(note))
}

// noteLetter returns the letter of a footnote: a to z, then aa, ab and so on. A number could be mistaken for an
// exponent.
func noteLetter(note int) (letters string) {
	for ; note > 0; note = (note - 1) / 26 {
		letters = string(rune('a'+(note-1)%26)) + letters
	}
	return letters
}
