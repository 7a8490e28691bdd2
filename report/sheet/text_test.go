package sheet_test

import (
	"strings"
	"testing"

	"copse/report/sheet"
)

// Columns are aligned. Columns without room on a narrow terminal continue below, after the heads of the rows.
// No line is wider than the terminal.
func TestTextFitsTheTerminal(t *testing.T) {
	s := sheet.Sheet{Title: "T", Caption: "Bold: the best.", Heads: []sheet.Head{{Label: "n"}, {Label: "first"},
		{Label: "second"}, {Label: "third"}}}
	for _, n := range []string{"20", "1000"} {
		s.Rows = append(s.Rows, sheet.Row{Heads: []sheet.Head{{Label: n}}, Cells: []sheet.Entry{{Main: "1.00",
			Spread: "(0.5)", Bold: n == "20"}, {Main: "–"}, {Main: "12.25", Note: 1}}})
	}
	s.Notes = []string{"one failed"}
	wide := "T\n\nn           first  second     third\n20    *1.00 (0.5)       –  12.25[a]\n" +
		"1000   1.00 (0.5)       – " +
		" 12.25[a]\n\nMarked *: the best.\n[a] one failed\n"
	for columns, want := range map[int]string{0: wide, 40: wide} {
		var b strings.Builder
		if err := s.Text(&b, columns); err != nil || b.String() != want {
			t.Errorf("%d columns: %v, got\n%swant\n%s", columns, err, b.String(), want)
		}
	}
	var b strings.Builder
	if err := s.Text(&b, 20); err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(b.String(), "Marked")
	if strings.Count(table, "1000") != 3 {
		t.Errorf("want three blocks of columns, got\n%s", table)
	}
	for _, line := range strings.Split(table, "\n") {
		if len([]rune(line)) > 20 {
			t.Errorf("%q is wider than 20 columns", line)
		}
	}
}
