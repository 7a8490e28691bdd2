package table

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/sheet"
)

// Every value of the option `spread` can be drawn. If it prints numbers in parentheses, the caption explains them.
// The last columns of the CSV file are the columns of the spread, and no line lacks a value.
func TestSpreads(t *testing.T) {
	field, _ := reflect.TypeFor[Options]().FieldByName("Spread")
	study, rows := fixture.Sample(12)
	for _, name := range strings.Split(field.Tag.Get("enum"), ",") {
		i := slices.IndexFunc(Spreads, func(s Spread) bool { return s.Name == name })
		if i < 0 {
			t.Errorf("Spreads does not contain %s", name)
			continue
		}
		content := makeTable(t, study, rows, func(o *Options) { o.Spread = name })
		hasNumbers := slices.ContainsFunc(content.Sheet().Rows, func(r sheet.Row) bool {
			return slices.ContainsFunc(r.Cells, func(e sheet.Entry) bool { return e.Spread != "" })
		})
		isExplained := strings.Contains(content.Caption, "mean (")
		if hasNumbers != (name != "none") || isExplained != hasNumbers {
			t.Errorf("%s: numbers in parentheses %v; %s", name, hasNumbers, content.Caption)
		}
		lines := fixture.CSV(t, fixture.Render(t, content.CSV))
		own := lines[0][len(content.Factors)+len(CSVColumns):]
		if len(own) != len(Spreads[i].Columns) {
			t.Errorf("%s: the CSV file ends with the columns %q", name, own)
		}
		for _, line := range lines {
			if len(line) != len(lines[0]) || slices.Contains(line, "") {
				t.Errorf("%s: line %q, header %q", name, line, lines[0])
			}
		}
	}
}
