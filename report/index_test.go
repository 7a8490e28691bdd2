package report

import (
	"io"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/page"
	"copse/report/view"
)

// indexOf returns the overview of studies with the given entries.
func indexOf(t *testing.T, entries ...page.Entry) string {
	t.Helper()
	return fixture.Render(t, func(w io.Writer) error { return page.Index(w, entries) })
}

// Replicates are folds of one data set.
func TestIndexCountsFolds(t *testing.T) {
	study, rows := fixture.Sample(10)
	fixture.SetSampling(&study, rows, view.Sampling{Folds: 5, OneDataSet: true, TestRatio: 0.25})
	_, words := fixture.ParsePage(t, indexOf(t, Summarize(study, rows, DefaultLayout(), nil)))
	texttest.Contains(t, words, "R = 10 folds")
}

func TestIndex(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c01", "nb", 3, "no")
	o := paper(rows)
	study.Title = fixture.Awkward
	study.Versions = []view.Setting{{Name: view.LastRun, Value: "2026-11-24"},
		{Name: view.Revision, Value: "0123456789abcdef"}}
	e := Summarize(study, rows, DefaultLayout(), &o)
	if e.Cells != 6 || e.PerCell.Most != 12 || e.Fits != 288 || e.Failed != 1 || e.Agree != 12 || e.Comparable != 18 {
		t.Errorf("%+v", e)
	}
	if len(e.Found) != 2 || !strings.Contains(e.Found[0], "SLB has the smallest mean test error") ||
		e.Ran != "2026-11-24" || e.Revision != "0123456789abcdef" {
		t.Errorf("%q, %s, %s", e.Found, e.Ran, e.Revision)
	}
	study.Missing = []view.Missing{{Results: 24}}
	alone := Summarize(study, fixture.OnlyReplicate(rows, 1), DefaultLayout(), nil)
	elements, words := fixture.ParsePage(t, indexOf(t, e, alone))
	links := 0
	for _, e := range elements {
		if e.Name == "a" && e.Attr["href"] == "sample/report.html" {
			links++
		}
	}
	// one replicate shows nothing, so the index must not state a finding that the tests do not support
	texttest.Contains(t, words, "Nothing is tested.", "0123456789ab")
	if strings.Count(words, "The study is not complete: 24 results are missing.") != 1 {
		t.Errorf("missing results in\n%s", words)
	}
	if !strings.Contains(words, "R = 12 replicates") || strings.Count(words, "simultaneous 95% confidence "+
		"intervals") != 1 {
		t.Errorf("results per cell and the level of the intervals in\n%s", words)
	}
	if links != 2 || !strings.Contains(words, "12 of 18") || strings.Count(words, fixture.Awkward) != 2 {
		t.Errorf("%d links in\n%s", links, words)
	}
}
