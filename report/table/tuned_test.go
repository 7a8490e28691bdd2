package table

import (
	"math"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// Choices are counted by cell and classifier, the most frequent first.
func TestChoices(t *testing.T) {
	study, rows := fixture.Sample(3)
	v := fixture.PapersView(study, rows)
	if c, err := Choices(v, nil); c != nil || err != nil {
		t.Fatalf("without tuning: %+v, error %v", c, err)
	}
	scores, at := []float64{0.2, 0.25, 0.3}, 0
	first := rows.Rows[0]
	for r := range recordstest.Each(rows) {
		if r.Cell != first.Cell || r.Classifier != first.Classifier {
			continue
		}
		choice := records.Tuned{Values: "c=1", Metric: "error", Score: scores[at], Candidates: 4}
		if at > 0 {
			choice.Values, choice.Failed = "c=10", 1
		}
		r.Tuned, at = choice.String(), at+1
	}
	c, err := Choices(fixture.PapersView(study, rows), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(fixture.Render(t, c.CSV)), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0],
		"classifier,values,metric,chosen,of,mean score,failed candidates") ||
		!strings.HasSuffix(lines[1], v.Label(first.Classifier)+",c=10,error,2,3,0.275,2") ||
		!strings.HasSuffix(lines[2], v.Label(first.Classifier)+",c=1,error,1,3,0.2,0") {
		t.Errorf("%q", lines)
	}
	// In blocks of columns, every line of a LaTeX table repeats its row heads, here with the values.
	heads := c.Rows[0].Heads
	if len(c.Rows) != 2 || heads[len(heads)-1].Label != "c=10" || heads[len(heads)-1].SortKey != "c=10" ||
		len(c.Heads) != len(c.Rows[0].Heads)+len(c.Rows[0].Cells) {
		t.Errorf("%+v", c)
	}
	for _, of := range []struct {
		others []string // widths of other tables
		inches float64
	}{
		{nil, 0},
		{[]string{"", ""}, 0},
		{[]string{"", "column"}, 6}, // across both columns
		{[]string{"3.5in", "text"}, 6},
		{[]string{"5in", "column"}, 5},
	} {
		var others []Options
		for _, width := range of.others {
			others = append(others, Options{Width: width})
		}
		c, err := Choices(fixture.PapersView(study, rows), others)
		if err != nil || math.Abs(c.Width-of.inches*72.27) > 1e-9 {
			t.Errorf("%q: %v points, error %v", of.others, c.Width, err)
		}
	}
	rows.Rows[0].Tuned = "nonsense"
	if _, err := Choices(fixture.PapersView(study, rows), nil); err == nil {
		t.Error("nonsense is accepted")
	}
}
