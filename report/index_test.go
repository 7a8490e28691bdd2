package report

import (
	"bytes"
	"strings"
	"testing"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

func TestIndex(t *testing.T) {
	study, rows := sample(12)
	fail(rows, "c01", "nb", 3, "no")
	o := published(rows)
	study.Title = awkward
	e, err := Summarize(study, rows, DefaultInference(), []Comparison{o})
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
	alone, err := Summarize(study, onlyReplicate(rows, 1), DefaultInference(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Index(&b, []Entry{e, alone}); err != nil {
		t.Fatal(err)
	}
	elements, words := parsePage(t, b.String())
	links := 0
	for _, e := range elements {
		if e.name == "a" && e.attr["href"] == "sample/report.html" {
			links++
		}
	}
	if links != 2 || !strings.Contains(words, "6 of 12") || strings.Count(words, awkward) != 2 {
		t.Errorf("%d links in\n%s", links, words)
	}
}
