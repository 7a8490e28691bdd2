package sheet

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/texttest"
)

// latexOf returns the LaTeX code of a sheet.
func latexOf(t *testing.T, s *Sheet) string {
	t.Helper()
	var b strings.Builder
	if err := s.Latex(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Remarks are below the footnotes in every layout, each as a paragraph without a number.
func TestRemarks(t *testing.T) {
	s := &Sheet{ID: "t", Title: "T", Notes: []string{"a note"}, Remarks: []string{"50 % of a & b", "more"}}
	for name, layout := range map[string]struct {
		render func(io.Writer) error
		want   string
	}{
		"markdown": {s.Markdown, "\n\n50 % of a &amp; b\n\nmore\n"},
		"latex":    {s.Latex, `50 \% of a \& b\par` + "\nmore}"},
		"html":     {s.HTML, `<p class="remark">50 % of a &amp; b</p>`},
	} {
		var b strings.Builder
		if err := layout.render(&b); err != nil {
			t.Fatal(err)
		}
		note, remark := strings.Index(b.String(), "a note"), strings.Index(b.String(), layout.want)
		if note < 0 || remark < note {
			t.Errorf("%s:\n%s\nwant the note, then %q", name, b.String(), layout.want)
		}
	}
}

func TestSafeName(t *testing.T) {
	for name, want := range map[string]string{"a b/../c": "a_b_.._c", "jmlr2020-table1": "jmlr2020-table1",
		"é=1": "_=1"} {
		if got := SafeName(name); got != want || slices.Contains(strings.Split(got, ""), "/") {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// A table is divided into as few blocks as the width allows. Each column occurs once and in order, and no
// block is wider than the page.
func TestLatexBlocks(t *testing.T) {
	for _, c := range []struct {
		columns, blocks int
		width           float64
	}{{4, 1, 0}, {12, 2, 0}, {12, 3, 300}, {12, 12, 10}, {1, 1, 10}, {7, 2, 300}} {
		s := &Sheet{ID: "t", Title: "T", Width: c.width, Heads: []Head{{Label: "n"}},
			Rows: []Row{{Heads: []Head{{Label: "200"}}}}}
		for k := range c.columns {
			s.Heads = append(s.Heads, Head{Label: fmt.Sprint("c", k)})
			s.Rows[0].Cells = append(s.Rows[0].Cells, Entry{Main: "12.34", Spread: "(5.67)"})
		}
		l := layOut(s)
		if len(l.blocks) != c.blocks {
			t.Errorf("%d columns at %v points: %d blocks, want %d", c.columns, c.width, len(l.blocks), c.blocks)
		}
		next := 1
		for _, block := range l.blocks {
			for _, j := range block {
				if j != next {
					t.Errorf("blocks %v", l.blocks)
				}
				next++
			}
		}
		if next != c.columns+1 {
			t.Errorf("blocks %v of %d columns", l.blocks, c.columns)
		}
	}
}

// The words of heads are stacked in separate lines only if this saves a block.
func TestLatexStacksHeads(t *testing.T) {
	for _, c := range []struct {
		width float64
		want  string
	}{
		{85, `\shortstack[r]{training\\rows} & \shortstack[r]{SLB\\refit} & NB \\`},
		{120, `training rows & SLB refit & NB \\`},
	} {
		s := &Sheet{ID: "t", Title: "T", Width: c.width, Heads: []Head{{Label: "training rows"}, {Label: "SLB refit"},
			{Label: "NB"}},
			Rows: []Row{{Heads: []Head{{Label: "1000"}}, Cells: []Entry{{Main: "1.2"}, {Main: "3.4"}}}}}
		text := latexOf(t, s)
		if strings.Count(text, `\begin{tabular}`) != 1 || !strings.Contains(text, "\n"+c.want+"\n") {
			t.Errorf("%g points:\n%s\nwant one block with the heads %s", c.width, text, c.want)
		}
	}
}

// A table on several pages repeats all heads in every row and names the continued table on each page. A
// shorter one omits heads that equal those of the row above.
func TestLongLatexRepeatsHeads(t *testing.T) {
	for rows, want := range map[int]int{10: 1, 100: 100} {
		s := &Sheet{ID: "table-long", Title: "Long", Heads: []Head{{Label: "family", IsText: true}, {Label: "n"},
			{Label: "SLB"}}}
		for n := range rows {
			s.Rows = append(s.Rows, Row{Heads: []Head{{Label: "forest", IsText: true}, {Label: strconv.Itoa(n)}},
				Cells: []Entry{{Main: "1.00"}}})
		}
		text := latexOf(t, s)
		if got := strings.Count(text, "\nforest & "); got != want {
			t.Errorf("%d rows: the outer head %d times, want %d", rows, got, want)
		}
		if got := strings.Contains(text, `Table~\ref{tab:table-long}, continued`); got != (rows == 100) {
			t.Errorf("%d rows: continued: %v", rows, got)
		}
	}
}

// The first line of a file names the packages of all its tables.
func TestLatexNamesPackagesFirst(t *testing.T) {
	short, long := &Sheet{ID: "a", Title: "A", Heads: []Head{{Label: "n"}}}, &Sheet{ID: "b", Title: "B",
		Heads: []Head{{Label: "n"}}}
	for range 100 {
		long.Rows = append(long.Rows, Row{Heads: []Head{{Label: "1"}}})
	}
	var b strings.Builder
	if err := Latex(&b, []*Sheet{short, long}); err != nil {
		t.Fatal(err)
	}
	const want = "% Needs \\usepackage{array,booktabs,longtable}.\n"
	if !strings.HasPrefix(b.String(), want) || strings.Count(b.String(), "% Needs") != 1 {
		t.Errorf("begins with %.60q, want %q there alone", b.String(), want)
	}
}

// columnSheet returns a sheet as wide as a column, with two factors, two methods and a foot.
func columnSheet(methods string) *Sheet {
	s := &Sheet{ID: "table-t", Title: "T", Width: 3.25 * 72.27, Methods: methods, Caption: "Mean per row.",
		Heads: []Head{{Label: "family", IsText: true}, {Label: "n"}, {Label: "SLB"}, {Label: "NB"}},
		Foot:  []Row{{Heads: TextHeads("rank"), Cells: []Entry{{Main: "1.0"}, {Main: "2.0"}}}}}
	for i, n := range []string{"100", "200"} {
		s.Rows = append(s.Rows, Row{Heads: []Head{{Label: "forest", IsText: true}, {Label: n, Note: i}},
			Cells: []Entry{{Main: "1." + n}, {Main: "2." + n}}})
	}
	return s
}

// If methods are rows, each level has a line of the head, and the foot is the last column.
func TestLatexMethodsAsRows(t *testing.T) {
	for methods, want := range map[string]string{
		MethodsRows: "\\shortstack[l]{\\strut family\\\\\\strut n} & " +
			"\\shortstack[r]{\\strut forest\\\\\\strut 100} & " +
			"\\shortstack[r]{\\strut forest\\\\\\strut 200}\\textsuperscript{a} & rank \\\\\n\\midrule\n" +
			"SLB & 1.100 & 1.200 & 1.0 \\\\\nNB & 2.100 & 2.200 & 2.0 \\\\\n",
		MethodsAuto: "family & n & SLB & NB \\\\\n",
		"columns":   "family & n & SLB & NB \\\\\n",
	} {
		text := latexOf(t, columnSheet(methods))
		texttest.Case(t, methods).Contains(text, want)
		if got := strings.Contains(text, "per column"); got != (methods == MethodsRows) {
			t.Errorf("%s: caption of columns: %v", methods, got)
		}
	}
}

// If methods are rows, LaTeX breaks long names of factors instead of printing them over the next head. No word is wider
// than the column. Its lines have the same distance as the lines of the other heads.
func TestLatexBreaksStackedHeads(t *testing.T) {
	s := columnSheet(MethodsRows)
	s.Heads[1].Label, s.Heads[3].Label = "number of training rows_of_both_classes in the sample", "a method with a name"
	s.Width = 200
	text := latexOf(t, s)
	found := regexp.MustCompile(
		`\\parbox\[b\]\{(.*)pt\}\{\\baselineskip-1pt\\lineskip3pt\\raggedright \\strut family`).FindStringSubmatch(text)
	if found == nil {
		t.Fatal(text)
	}
	if width, _ := strconv.ParseFloat(found[1], 64); width < latexWidth("rows_of_both_classes")-0.1 {
		t.Errorf("%g points", width)
	}
}

// In sheets with a width, the number of blocks decides whether methods are columns or rows.
func TestLatexChoosesMethods(t *testing.T) {
	for width, want := range map[float64]int{0: 2, 3.25 * 72.27: 1} {
		s := columnSheet(MethodsAuto)
		s.Width = width
		for k := range 20 {
			s.Heads = append(s.Heads, Head{Label: fmt.Sprint("method ", k)})
			s.Foot[0].Cells = append(s.Foot[0].Cells, Entry{Main: "3.0"})
			for i := range s.Rows {
				s.Rows[i].Cells = append(s.Rows[i].Cells, Entry{Main: "3.00"})
			}
		}
		text := latexOf(t, s)
		if got := strings.Count(text, `\begin{tabular}`); (got == 1) != (want == 1) {
			t.Errorf("%g points: %d blocks:\n%s", width, got, text)
		}
	}
}

// A sheet with a width consists of floats, also if it is long, because longtable does not work in two
// columns. A sheet wider than a column of IEEE spans both columns.
func TestLatexFloatsOfAWidth(t *testing.T) {
	for width, environment := range map[float64]string{3.25 * 72.27: "table", 6 * 72.27: "table*"} {
		s := columnSheet("")
		s.Width = width
		for range 98 {
			s.Rows = append(s.Rows, s.Rows[0])
		}
		text := latexOf(t, s)
		for part, want := range map[string]int{`\begin{` + environment + `}`: 3, `\end{` + environment + `}`: 3,
			"longtable": 0, "rank": 1, "1.100": 99, `\caption`: 1, "continued": 2, "\nforest & 100": 3} {
			if got := strings.Count(text, part); got != want {
				t.Errorf("%g points: %q %d times, want %d", width, part, got, want)
			}
		}
	}
}

// Notes that do not fit below a table continue in further floats, so that no float exceeds a page.
func TestLatexFloatsOfNotes(t *testing.T) {
	for width, environment := range map[float64]string{0: "table", TextWidth: "table*"} {
		s := columnSheet("")
		s.Width = width
		for range 60 {
			s.Remarks = append(s.Remarks, "one line")
		}
		text := latexOf(t, s)
		floats := strings.Split(text, `\end{`+environment+`}`)
		if len(floats) != 3 { // the last part is empty
			t.Fatalf("%g points: %d floats, want 2", width, len(floats)-1)
		}
		for _, f := range floats {
			if n := strings.Count(f, "one line"); n > linesWithNotes {
				t.Errorf("%g points: %d notes in one float", width, n)
			}
		}
		if n := strings.Count(text, "one line"); n != 60 {
			t.Errorf("%g points: %d notes, want 60", width, n)
		}
	}
}

// Footnote marks are letters in every format, because a number would look like a power.
func TestFootnoteMarksAreLetters(t *testing.T) {
	for note, want := range map[int]string{1: "a", 26: "z", 27: "aa", 53: "ba"} {
		if got := noteLetter(note); got != want {
			t.Errorf("%d: %s, want %s", note, got, want)
		}
	}
	s := columnSheet("columns")
	s.Notes = []string{"a note"}
	var tex, md, page strings.Builder
	for b, write := range map[*strings.Builder]func(io.Writer) error{&tex: s.Latex, &md: s.Markdown, &page: s.HTML} {
		if err := write(b); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{tex.String(): `200\textsuperscript{a}`, md.String(): "200<sup>a</sup>",
		page.String(): `-note-1">a</a></sup>`} {
		texttest.Contains(t, text, want)
	}
}

// Further columns of a long table do not increase the number of the next table.
func TestLatexNumbersOfLongTables(t *testing.T) {
	s := columnSheet("columns")
	s.Width = 0
	for k := range 40 {
		s.Heads = append(s.Heads, Head{Label: fmt.Sprint("method ", k)})
		s.Foot[0].Cells = append(s.Foot[0].Cells, Entry{Main: "3.0"})
	}
	for i := range s.Rows {
		s.Rows[i].Cells = slices.Repeat(s.Rows[i].Cells, 21)
	}
	s.Rows = slices.Repeat(s.Rows, 50)
	text := latexOf(t, s)
	count := func(part string) int { return strings.Count(text, part) }
	further := count("further columns")
	if further == 0 || count(`\begin{longtable}`) != further+1 ||
		count("\\addtocounter{table}{-1}\n\\begin") != further {
		t.Errorf("%d further parts:\n%.3000s", further, text)
	}
}

// The first sentences of a caption, up to five lines, stay. The others become the first remark.
func TestLatexCaptionLines(t *testing.T) {
	s := columnSheet("")
	sentence := strings.Repeat("word ", 14) + "end."
	s.Caption = strings.Join([]string{sentence, sentence, sentence, sentence}, " A")
	s.Remarks = []string{"A remark."}
	text := latexOf(t, s)
	caption := text[strings.Index(text, `\caption{`):strings.Index(text, `\label{`)]
	if got := strings.Count(caption, "end."); got != 2 || strings.Count(text, "end.") != 4 ||
		strings.LastIndex(text, "end.") > strings.Index(text, "A remark.") {
		t.Errorf("%d sentences in the caption, want 2, then notes:\n%s", got, text)
	}
	if s.Caption != strings.Join([]string{sentence, sentence, sentence, sentence}, " A") || len(s.Remarks) != 1 {
		t.Error("the sheet is changed")
	}
}

// The caption has a sentence even if this sentence is longer than the lines of a narrow float.
func TestCaptionHasASentence(t *testing.T) {
	long := strings.Repeat("word ", 100) + "end."
	for caption, want := range map[string][2]string{
		long: {long, ""}, long + " A second.": {long, "A second."}, "Short. A second.": {"Short. A second.", ""},
	} {
		if short, rest := SplitCaption("Title", caption, 240); short != want[0] || rest != want[1] {
			t.Errorf("%q and %q, want %q", short, rest, want)
		}
	}
}

// LaTeX may break a long expression after operators, commas and closing parentheses, so that the table fits its
// width. Shorter words stay whole.
func TestLatexBreaksLongExpressions(t *testing.T) {
	const expression = "(3*n(progression,stable)+5*n(progression,remission)-n(remission,_))/n"
	const broken = `(3{*}\allowbreak{}n(progression,\allowbreak{}stable)+\allowbreak{}5{*}\allowbreak{}` +
		`n(progression,\allowbreak{}remission)-\allowbreak{}n(remission,\allowbreak{}\_))/\allowbreak{}n`
	for text, want := range map[string]string{
		"cost " + expression + " and (more)": "cost " + broken + " and (more)",
		"cost (n(yes,no)+n(no,yes))/n":       "cost (n(yes,no)+n(no,yes))/n",
	} {
		if got := EscapeLatex(text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	lines := stackWords("cost "+expression, 60)
	tooWide := func(line string) bool { return latexWidth(line) > 60 }
	if strings.Join(lines, "") != "cost "+expression || slices.ContainsFunc(lines, tooWide) {
		t.Errorf("lines %q", lines)
	}
	asHead := &Sheet{Width: 3.25 * 72.27, Heads: append(TextHeads("n"), NumberHeads(expression, "error")...),
		Rows: []Row{{Heads: TextHeads("60"), Cells: make([]Entry, 2)}}}
	asRow := &Sheet{Width: 3.25 * 72.27, Heads: append(TextHeads("metric"), NumberHeads("NB", "RF")...),
		Rows: []Row{{Heads: TextHeads(expression), Cells: make([]Entry, 2)}}}
	for name, s := range map[string]*Sheet{"head": asHead, "row": asRow} {
		if l := layOut(s); l.tooWide() || len(l.blocks) != 1 {
			t.Errorf("%s: %d blocks, too wide: %t", name, len(l.blocks), l.tooWide())
		}
	}
}

// The lines of a wrapped level stand beside the rows of this level. A level with too few rows is wrapped by LaTeX.
func TestLatexWrapsALevelOverItsRows(t *testing.T) {
	s := Sheet{ID: "t", Heads: append(TextHeads("metric", "n"), NumberHeads("NB")...), Width: 100}
	for _, heads := range [][]string{{"balanced test error of all", "1"}, {"balanced test error of all", "2"},
		{"balanced test error of all", "3"}, {"balanced test error of few", "1"}} {
		s.Rows = append(s.Rows, Row{Heads: TextHeads(heads...), Cells: []Entry{{Main: "23.97"}}})
	}
	rows := regexp.MustCompile(`(?m)^(.*) & ([123]) & 23.97`).FindAllStringSubmatch(latexOf(t, &s), -1)
	var labels []string
	for _, row := range rows {
		labels = append(labels, row[1])
	}
	if len(labels) != 4 || labels[0] == "" || labels[1] == "" ||
		strings.TrimSpace(strings.Join(labels[:3], " ")) != "balanced test error of all" ||
		labels[3] != "balanced test error of few" {
		t.Errorf("%q", labels)
	}
}

// Spreads of different widths and footnote marks do not move the numbers before them.
func TestLatexAlignsNumbers(t *testing.T) {
	s := Sheet{ID: "t", Heads: append(TextHeads("n"), NumberHeads("NB")...), Notes: []string{"a note"}}
	for _, e := range []Entry{{Main: "23.97", Spread: "(15.95)", Note: 1}, {Main: "48.78", Spread: "(3.75)", Note: 1},
		{Main: "–"}} {
		s.Rows = append(s.Rows, Row{Heads: TextHeads("1"), Cells: []Entry{e}})
	}
	text := latexOf(t, &s)
	const want = `1 & 23.97 (15.95)\rlap{\textsuperscript{a}} \\
1 & 48.78 (3.75)\rlap{\textsuperscript{a}}\phantom{0} \\
1 & --\phantom{ (15.95)} \\
`
	texttest.Contains(t, text, want)
}

// LaTeX prints indices, accents and the quotation marks of other languages. Only other characters are missing.
func TestLatexSymbols(t *testing.T) {
	for text, want := range map[string]string{"χ²₁": `$\chi$$^2$$_1$`, "ρ̂": `$\hat{\rho}$`,
		"Gro\u0308ße x̂": `Gr\"{o}ße \^{x}`,
		"ρ\u0302\u0304":  `$\bar{\hat{\rho}}$`, "„a“ «b»": ",,a`` $\\ll$b$\\gg$"} {
		if got := EscapeLatex(text); got != want || MissingInLatex(text) != "" {
			t.Errorf("%s: got %s, want %s; missing %q", text, got, want, MissingInLatex(text))
		}
	}
	if got := MissingInLatex("[中] 行中"); got != "中行" {
		t.Error(got)
	}
}

// LaTeX would read a bracket or an asterisk at the start of a row as an argument of the line break before it.
func TestLatexProtectsBrackets(t *testing.T) {
	for text, want := range map[string]string{"[0,1)": "{[}0,1)", "*b": "{*}b"} {
		if got := EscapeLatex(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Markdown would show text between two dollar signs as mathematics.
func TestMarkdownProtectsDollars(t *testing.T) {
	if got, want := EscapeMarkdown("const $x$"), `const \$x\$`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A straight quotation mark becomes an opening one at the start of a word, and a closing one elsewhere.
func TestLatexQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`class "a b" (or "c")`: "class ``a b'' (or ``c'')", `"x"`: "``x''", `5" disk, "y".`: "5'' disk, ``y''.",
	} {
		if got := EscapeLatex(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
