package table

import (
	"strings"
	"testing"

	"copse/report/internal/fixture"
)

// Each metric is a block of rows with its own tests, and looks as in a separate table.
func TestBlocksOfMetrics(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c01", "nb", 3, "a reason")
	both := makeTable(t, study, rows, func(o *Options) { o.Metrics, o.Ranks = []string{"accuracy", "ber"}, true })
	printed := both.Sheet()
	if len(printed.Rows) != 12 || printed.Heads[0].Label != "metric" || len(printed.Foot) != 2 {
		t.Fatalf("%d rows, head %q, %d rows of the foot", len(printed.Rows), printed.Heads[0].Label, len(printed.Foot))
	}
	for b, metric := range []string{"accuracy", "ber"} {
		alone := makeTable(t, study, rows, func(o *Options) { o.Metric, o.Ranks = metric, true }).Sheet()
		for i, row := range alone.Rows {
			joint := printed.Rows[6*b+i]
			for k, e := range row.Cells {
				if got := joint.Cells[k]; got.Main != e.Main || got.Spread != e.Spread || got.Bold != e.Bold ||
					got.Note != e.Note {
					t.Errorf("%s, row %d: %+v, want %+v", metric, i, got, e)
				}
			}
		}
	}
	if strings.Count(both.Caption, "Bold: ") != 1 || !strings.HasPrefix(both.Caption,
		"Test accuracy (%) and balanced test error (%): mean") || !strings.Contains(both.Caption, "the best mean") {
		t.Error(both.Caption)
	}
	csv := fixture.Render(t, both.CSV) // four classifiers in six rows of each metric
	if strings.Count(csv, ",test accuracy,") != 24 || strings.Count(csv, ",balanced test error,") != 24 {
		t.Error(csv)
	}
	found := findings(both)
	if !strings.Contains(found, "largest mean test accuracy") ||
		!strings.Contains(found, "smallest mean balanced test error") {
		t.Error(found)
	}
}

// The caption names the cells that the table is restricted to.
func TestCaptionOfChosenCells(t *testing.T) {
	study, rows := fixture.Sample(6)
	chosen := makeTable(t, study, rows, func(o *Options) { o.Where = map[string][]string{"n": {"200", "400"}} })
	if !strings.HasSuffix(chosen.Caption, " Cells: n = 200 or 400.") {
		t.Error(chosen.Caption)
	}
}
