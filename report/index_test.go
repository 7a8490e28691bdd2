package report

import (
	"bytes"
	"strings"
	"testing"

	"copse/report/compare"
	"copse/report/internal/fixture"
	"copse/report/page"
	"copse/stats"
	"copse/stats/metrics"
)

func TestIndex(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c01", "nb", 3, "no")
	o := paper(rows)
	study.Title = fixture.Awkward
	e, err := Summarize(study, rows, DefaultLayout(), []compare.Options{o})
	if err != nil {
		t.Fatal(err)
	}
	if e.Cells != 6 || e.Replicates != 12 || e.Fits != 288 || e.Failed != 1 || e.Agree != 12 || e.Comparable != 18 {
		t.Errorf("%+v", e)
	}
	var blocks [][]float64
	for _, c := range rows.Cells() {
		var block []float64
		for _, id := range []string{"slb", "5nn", "nb"} {
			block = append(block, c.Summary(metrics.ErrorRate, id).Mean)
		}
		blocks = append(blocks, block)
	}
	ranks, _ := stats.Friedman(blocks)
	if e.Leader != "SLB" || e.LeaderRank != ranks.MeanRanks[0] || ranks.MeanRanks[0] > ranks.MeanRanks[1] {
		t.Errorf("leader %s %v, ranks %v", e.Leader, e.LeaderRank, ranks.MeanRanks)
	}
	alone, err := Summarize(study, fixture.OnlyReplicate(rows, 1), DefaultLayout(), nil)
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
	if links != 2 || !strings.Contains(words, "12 of 18") || strings.Count(words, fixture.Awkward) != 2 {
		t.Errorf("%d links in\n%s", links, words)
	}
}
