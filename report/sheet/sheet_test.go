package sheet

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A remark stands below the footnotes of every layout, without a number.
func TestRemarks(t *testing.T) {
	s := &Sheet{ID: "t", Title: "T", Notes: []string{"a note"}, Remarks: []string{"50 % of a & b"}}
	for name, layout := range map[string]struct {
		render func(io.Writer) error
		want   string
	}{
		"markdown": {s.Markdown, "\n\n50 % of a &amp; b\n"},
		"latex":    {s.Latex, `{50 \% of a \& b}`},
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

// A table is cut into as few blocks as the width allows, each column once and in
// order, each block no wider than the page.
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
		l := latexTable{Sheet: s}
		l.lay()
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

// Where it saves a block, the words of heads stand in lines of their own, and only there.
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
		var b strings.Builder
		if err := s.Latex(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), `\begin{tabular}`) != 1 || !strings.Contains(b.String(), "\n"+c.want+"\n") {
			t.Errorf("%g points:\n%s\nwant one block with the heads %s", c.width, b.String(), c.want)
		}
	}
}

// A table that runs over pages has all heads in every row, and says on each page which
// table goes on; one that does not leaves out what the row above says.
func TestLongLatexRepeatsHeads(t *testing.T) {
	for rows, want := range map[int]int{10: 1, 100: 100} {
		s := &Sheet{ID: "table-long", Title: "Long", Heads: []Head{{Label: "family", Text: true}, {Label: "n"},
			{Label: "SLB"}}}
		for n := range rows {
			s.Rows = append(s.Rows, Row{Heads: []Head{{Label: "forest", Text: true}, {Label: strconv.Itoa(n)}},
				Cells: []Entry{{Main: "1.00"}}})
		}
		var b strings.Builder
		if err := s.Latex(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "\nforest & "); got != want {
			t.Errorf("%d rows: the outer head %d times, want %d", rows, got, want)
		}
		if got := strings.Contains(b.String(), `Table~\ref{tab:table-long}, continued`); got != (rows == 100) {
			t.Errorf("%d rows: goes on: %v", rows, got)
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
