package table

import (
	"bytes"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records"
)

// Choices are counted by cell and classifier, the most frequent first.
func TestChoices(t *testing.T) {
	study, rows := fixture.Sample(3)
	v := view.New(study, rows, view.PapersInference())
	if c, err := Choices(v); c != nil || err != nil {
		t.Fatalf("without tuning: %+v, error %v", c, err)
	}
	scores, at := []float64{0.2, 0.25, 0.3}, 0
	first := rows.Rows[0]
	for i := range rows.Rows {
		r := &rows.Rows[i]
		if r.Cell != first.Cell || r.Classifier != first.Classifier {
			continue
		}
		choice := records.Tuned{Values: "c=1", Metric: "error", Score: scores[at], Candidates: 4}
		if at > 0 {
			choice.Values, choice.Failed = "c=10", 1
		}
		r.Tuned, at = choice.String(), at+1
	}
	c, err := Choices(view.New(study, rows, view.PapersInference()))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.CSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0],
		"classifier,values,metric,chosen,of,mean score,failed candidates") ||
		!strings.HasSuffix(lines[1], v.Label(first.Classifier)+",c=10,error,2,3,0.275,2") ||
		!strings.HasSuffix(lines[2], v.Label(first.Classifier)+",c=1,error,1,3,0.2,0") {
		t.Errorf("%q", lines)
	}
	if len(c.Rows) != 2 || c.Rows[0].Cells[0].Main != "c=10" ||
		len(c.Heads) != len(c.Rows[0].Heads)+len(c.Rows[0].Cells) {
		t.Errorf("%+v", c)
	}
	rows.Rows[0].Tuned = "nonsense"
	if _, err := Choices(view.New(study, rows, view.PapersInference())); err == nil {
		t.Error("nonsense is accepted")
	}
}
