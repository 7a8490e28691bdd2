package table

import (
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/stats/metrics"
	"copse/stats/records/recordstest"
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
	texttest.Contains(t, found, "largest mean test accuracy", "smallest mean balanced test error")
}

// The caption names the cells that the table is restricted to.
func TestCaptionOfChosenCells(t *testing.T) {
	study, rows := fixture.Sample(6)
	chosen := makeTable(t, study, rows, func(o *Options) { o.Where = map[string][]string{"n": {"200", "400"}} })
	if !strings.HasSuffix(chosen.Caption, " Cells: n = 200 or 400.") {
		t.Error(chosen.Caption)
	}
}

// Without the key digits, times and scores have decimals that suit their size, and percentages have two. An
// explicit key applies, also if it equals the number for percentages.
func TestDigitsSuitTheResults(t *testing.T) {
	study, rows := fixture.Sample(4)
	for r := range recordstest.Each(rows) {
		r.Fit, r.Predict = 0.00123, 123.4
		r.Confusion = metrics.Confusion{450, 50, 50, 450}
	}
	for metric, want := range map[string]string{"error": "0.00", "fit_seconds": "0.00123", "predict_seconds": "123.4",
		"kappa": "0.8000"} {
		for _, digits := range []int{-1, 2} {
			content := makeTable(t, study, rows, func(o *Options) { o.Metric, o.Digits = metric, digits })
			_, decimals, _ := strings.Cut(want, ".")
			if wanted := len(decimals); digits == -1 && content.Digits != wanted || digits == 2 && content.Digits != 2 {
				t.Errorf("%s, digits %d: %d decimals", metric, digits, content.Digits)
			}
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Metrics = []string{"error", "fit_seconds"} })
	if content.Digits != 2 || content.OtherMetrics[0].Digits != 5 {
		t.Errorf("%d and %d decimals", content.Digits, content.OtherMetrics[0].Digits)
	}
}
