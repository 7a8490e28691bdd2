package report

import (
	"bytes"
	"strings"
	"testing"

	"copse/report/compare"
	"copse/report/internal/fixture"
	"copse/report/page"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

func TestIndex(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c01", "nb", 3, "no")
	o := paper(rows)
	study.Title = fixture.Awkward
	e, err := Summarize(study, rows, view.DefaultInference(), []compare.Options{o})
	if err != nil {
		t.Fatal(err)
	}
	if e.Cells != 6 || e.Replicates != 12 || e.Fits != 288 || e.Failed != 1 || e.Agree != 6 || e.Comparable != 12 {
		t.Errorf("%+v", e)
	}
	blocks, _ := verdicts.RankTable(rows.Cells(), records.ErrorRate, []string{"slb", "5nn", "nb"})
	ranks, _ := stats.Friedman(blocks)
	if e.Leader != "SLB" || e.LeaderRank != ranks.MeanRanks[0] || ranks.MeanRanks[0] > ranks.MeanRanks[1] {
		t.Errorf("leader %s %v, ranks %v", e.Leader, e.LeaderRank, ranks.MeanRanks)
	}
	alone, err := Summarize(study, fixture.OnlyReplicate(rows, 1), view.DefaultInference(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Index(&b, []page.Entry{e, alone}); err != nil {
		t.Fatal(err)
	}
	elements, words := fixture.ParsePage(t, b.String())
	links := 0
	for _, e := range elements {
		if e.Name == "a" && e.Attr["href"] == "sample/report.html" {
			links++
		}
	}
	if links != 2 || !strings.Contains(words, "6 of 12") || strings.Count(words, fixture.Awkward) != 2 {
		t.Errorf("%d links in\n%s", links, words)
	}
}
