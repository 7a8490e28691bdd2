package page

import (
	"bytes"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/view"
)

func TestPageWithoutFailures(t *testing.T) {
	study, records := fixture.Sample(3)
	var b bytes.Buffer
	v := view.New(study, records, view.DefaultInference())
	if err := Report(&b, v, &Content{}); err != nil {
		t.Fatal(err)
	}
	if _, words := fixture.ParsePage(t, b.String()); !strings.Contains(words, "None: every fit of every trial ended with a rule.") {
		t.Error("the page does not say that nothing failed")
	}
}

func TestFailuresShownAreBounded(t *testing.T) {
	study, records := fixture.Sample(60)
	for i := range records.Rows {
		r := &records.Rows[i]
		fixture.Fail(records, r.Cell, "nb", r.Replicate, "no")
	}
	var p printed
	failures(view.New(study, records, view.DefaultInference()), &p)
	if len(p.Failures) != failuresShown || !strings.Contains(p.FailureWords, "360 of 1440 fits failed. The first 200 are listed") {
		t.Errorf("%d listed; %s", len(p.Failures), p.FailureWords)
	}
}
