package table

import (
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/sheet"
)

func awkwardTable(t *testing.T) *Table {
	study, records := fixture.Sample(12)
	study.Title = fixture.Awkward
	study.Factors[0].Label = fixture.Awkward
	study.Factors[0].Levels = map[string]string{"gaussian": fixture.Awkward}
	study.Classifiers[0].Label = fixture.Awkward
	fixture.Fail(records, "c00", "nb", 1, fixture.Awkward)
	return makeTable(t, study, records, func(o *Options) { o.Ranks = true; o.MCSE = true })
}

// Without factors, the only head of a row is its metric. Rows of the foot stay below the entries.
func TestRowsWithoutFactors(t *testing.T) {
	study, rows := fixture.Sample(12)
	for _, metrics := range [][]string{{"error"}, {"error", "ber"}} {
		printed := makeTable(t, study, rows, func(o *Options) {
			o.Rows, o.Metrics, o.MCSE = []string{}, metrics, true
		}).Sheet()
		if len(printed.Rows) != len(metrics) || len(printed.Foot) != len(metrics) {
			t.Fatalf("%d rows and %d rows of the foot", len(printed.Rows), len(printed.Foot))
		}
		labels := []string{"test error (%)", "balanced test error (%)"}
		for i, row := range printed.Rows {
			if len(row.Heads) != 1 || row.Heads[0].Label != labels[i] {
				t.Errorf("%v: heads %+v", metrics, row.Heads)
			}
		}
		columns := 1 + len(printed.Rows[0].Cells)
		if printed.Heads[0].Label != "metric" || len(printed.Heads) != columns {
			t.Errorf("%v: %+v", metrics, printed.Heads)
		}
	}
}

// Reading the CSV gives every number exactly.
func TestCSVRoundTrip(t *testing.T) {
	content := awkwardTable(t)
	lines := fixture.CSV(t, fixture.Render(t, content.CSV))
	if want := append([]string{"cpd", "n"}, columnNames()...); !slices.Equal(lines[0], want) {
		t.Fatalf("header %q, want %q", lines[0], want)
	}
	lines = lines[1:]
	if len(lines) != len(content.Rows)*len(content.IDs) {
		t.Fatalf("%d lines for %d rows of %d classifiers", len(lines), len(content.Rows), len(content.IDs))
	}
	column := func(line []string, name string) string { return line[2+slices.Index(columnNames(), name)] }
	for i, row := range content.Rows {
		for k, c := range row.Entries {
			line := lines[i*len(content.IDs)+k]
			if !slices.Equal(line[:2], row.Levels.List(content.Factors)) ||
				column(line, "classifier") != content.IDs[k] {
				t.Fatalf("line %q out of order", line)
			}
			if pairs := column(line, "pairs"); c.Comparison == nil && pairs != "NA" || c.Comparison != nil &&
				pairs != strconv.Itoa(c.Comparison.Pairs) {
				t.Errorf("%s: %s pairs, want those of %+v", content.IDs[k], pairs, c.Comparison)
			}
			for name, want := range map[string]float64{"results": float64(c.N), "failed": float64(c.Failed),
				"mean": c.Mean, "sd": c.SD, "mcse": c.MCSE} {
				if got := column(line, name); got != sheet.Full(want) {
					t.Errorf("%s is %s, want %v", name, got, want)
				}
			}
			if column(line, "bold") != fmt.Sprint(c.Bold) || column(line, "best") != fmt.Sprint(c.Best) {
				t.Errorf("flags of %q, want bold %v best %v", line, c.Bold, c.Best)
			}
			compared, other := column(line, "p_adjusted") != "NA", column(line, "against")
			if compared != (c.Comparison != nil) || compared != (other != "NA") {
				t.Errorf("%q: compared with the best: %v", line, compared)
			}
			if k := slices.Index(content.IDs, other); compared && (k < 0 || !row.Entries[k].Best) {
				t.Errorf("%q: %s is not the best of the row", line, other)
			}
		}
	}
}

func TestCSVWritesNA(t *testing.T) {
	study, records := fixture.Sample(1)
	fixture.Fail(records, "c00", "slb", 1, "no")
	for _, line := range strings.Split(fixture.Render(t, makeTable(t, study, records, nil).CSV), "\n") {
		texttest.Case(t, "line without NA").Lacks(line, "NaN", ",,")
		if strings.HasPrefix(line, "gaussian,200,slb,") && !strings.HasPrefix(line,
			"gaussian,200,slb,test error,%,0,1,NA,NA,NA,false,false,NA") {
			t.Errorf("failed cell: %q", line)
		}
	}
}

func TestMarkdownIsATable(t *testing.T) {
	text := fixture.Render(t, awkwardTable(t).Sheet().Markdown)
	rows := 0
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		rows++
		if bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); bars != 7 {
			t.Errorf("%d bars for 6 columns: %s", bars, line)
		}
	}
	if rows != 2+6+2 {
		t.Errorf("%d lines, want head, rule, 6 rows and 2 foot rows", rows)
	}
	texttest.Lacks(t, text, "<a", " _1")
}

// LaTeX: braces balance outside escapes, every row of the tabular has one cell per column, environments are
// nested correctly, and all special characters are escaped.
func TestLatexStructure(t *testing.T) {
	content := awkwardTable(t)
	content.Width = 400
	text := fixture.Render(t, content.Sheet().Latex)
	bare := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\&`, "", `\%`, "", `\_`, "", `\$`, "", `\#`,
		"").Replace(text)
	depth := 0
	for _, r := range bare {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			t.Fatal("a brace closes before it opens")
		}
	}
	if depth != 0 {
		t.Errorf("%d braces stay open", depth)
	}
	var stack []string
	for _, line := range strings.Split(text, "\n") {
		for _, part := range strings.Split(line, `\`) {
			if name, ok := strings.CutPrefix(part, "begin{"); ok {
				stack = append(stack, name[:strings.Index(name, "}")])
			} else if name, ok := strings.CutPrefix(part, "end{"); ok {
				name = name[:strings.Index(name, "}")]
				if len(stack) == 0 || stack[len(stack)-1] != name {
					t.Fatalf("end of %s inside %q", name, stack)
				}
				stack = stack[:len(stack)-1]
			}
		}
		if strings.HasSuffix(line, `\\`) {
			cells := 1 + strings.Count(strings.ReplaceAll(line, `\&`, ""), "&")
			if strings.HasPrefix(line, `\multicolumn{2}`) {
				cells++
			}
			if cells != 6 {
				t.Errorf("%d cells for 6 columns: %s", cells, line)
			}
		}
		if clean := strings.NewReplacer(`\%`, "", `\_`, "", `\$`, "", `\#`, "").Replace(line); !strings.HasPrefix(line,
			"%") &&
			strings.ContainsAny(strings.TrimSuffix(clean, "%"), "%_#$^~") {
			t.Errorf("special characters are bare: %s", line)
		}
	}
	texttest.Contains(t, text, `\toprule`, `\midrule`, `\bottomrule`, `\caption{`, `\label{tab:sample:table}`,
		`\addlinespace`)
}

// If classifiers are rows, all sentences about rows of the table become sentences about columns.
// Sentences about rows of data stay.
func TestTurnedSentences(t *testing.T) {
	ofData := regexp.MustCompile(`(training|test|scored|new|its|the) rows|rows of the (test set|training)`)
	for _, file := range []string{"caption.go", "contrast.go", "foot.go", "notes.go"} {
		for _, sentence := range literals(t, file) {
			turned := sheet.Sheet{Methods: sheet.MethodsRows, Remarks: []string{sentence},
				Heads: sheet.TextHeads("n", "nb"),
				Rows:  []sheet.Row{{Heads: sheet.TextHeads("50"), Cells: []sheet.Entry{{Main: "1"}}}}}
			text := fixture.Render(t, turned.Latex)
			if rest := ofData.ReplaceAllString(text, ""); regexp.MustCompile(`\brows?\b`).MatchString(rest) {
				t.Errorf("%s: after turning the table, a sentence is about its rows: %q", file, sentence)
			}
		}
	}
}

// literals returns the string literals of a Go file that contain spaces. A sum of literals counts as
// one.
func literals(t *testing.T, file string) (list []string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		expression, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text, isText := constantText(expression)
		if isText && strings.Contains(text, " ") {
			list = append(list, text)
		}
		return !isText
	})
	return list
}

// constantText returns the value of a literal or a sum of literals.
func constantText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, isLeft := constantText(e.X)
		right, isRight := constantText(e.Y)
		return left + right, isLeft && isRight
	}
	return "", false
}

// The HTML fragment is well-formed; its body has one row per cell with the
// means as sorting keys and bold as in the content.
func TestHTMLTable(t *testing.T) {
	content := awkwardTable(t)
	text := fixture.Render(t, content.Sheet().HTML)
	type field struct {
		Value  string   `xml:"data-value,attr"`
		Strong []string `xml:"strong"`
	}
	var figure struct {
		Caption string `xml:"figcaption"`
		Heads   []struct {
			Text string `xml:",chardata"`
		} `xml:"div>table>thead>tr>th"`
		Rows []struct {
			Cells []field `xml:"td"`
		} `xml:"div>table>tbody>tr"`
		Notes []string `xml:"ol>li"`
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Entity = xml.HTMLEntity
	if err := decoder.Decode(&figure); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if figure.Heads[0].Text != fixture.Awkward || figure.Heads[2].Text != fixture.Awkward ||
		!slices.Equal(figure.Notes, content.Notes) {
		t.Errorf("heads %q, notes %q", figure.Heads, figure.Notes)
	}
	if len(figure.Rows) != len(content.Rows) {
		t.Fatalf("%d rows, want %d", len(figure.Rows), len(content.Rows))
	}
	for i, row := range figure.Rows {
		for k, cell := range row.Cells {
			want := content.Rows[i].Entries[k]
			if want.Excluded {
				if cell.Value != "" || len(cell.Strong) > 0 {
					t.Errorf("row %d, column %d: %+v of a classifier that is set aside", i, k, cell)
				}
				continue
			}
			mean, err := strconv.ParseFloat(cell.Value, 64)
			if err != nil || math.Abs(mean-want.Mean) > 1e-9 || (len(cell.Strong) == 1) != want.Bold {
				t.Errorf("row %d, column %d: %+v, want %v bold %v", i, k, cell, want.Mean, want.Bold)
			}
		}
	}
}

func TestDashWhereThereIsNoResult(t *testing.T) {
	study, records := fixture.Sample(8)
	leaveOut(records, "c00", "slb")
	content := makeTable(t, study, records, nil)
	for name, f := range map[string]func(io.Writer) error{"| – |": content.Sheet().Markdown,
		`& --\phantom{`: content.Sheet().Latex, ">–<": content.Sheet().HTML} {
		texttest.Contains(t, fixture.Render(t, f), name)
	}
	texttest.Contains(t, content.Caption, "A dash marks")
}

// The width of a table becomes the width of its sheet in points. Without a width, the sheet has none either.
func TestPrintedWidth(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "column": 3.25 * 72.27, "text": 6 * 72.27, "6.9in": 6.9 * 72.27} {
		study, rows := fixture.Sample(4)
		o := Defaults()
		o.Width = text
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		content := newTable(t, fixture.DefaultView(study, rows), o)
		if got := content.Sheet(); math.Abs(got.Width-want) > 1e-9 || got.Methods != "auto" {
			t.Errorf("%q: %g points, methods %q; want %g, auto", text, got.Width, got.Methods, want)
		}
	}
	o := Defaults()
	if o.Width = "page"; o.Validate() == nil {
		t.Error("takes page")
	}
}

func columnNames() (names []string) {
	for _, c := range CSVColumns {
		names = append(names, c.Name)
	}
	return names
}
