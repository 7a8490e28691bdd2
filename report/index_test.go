package report

import (
	"bytes"
	"strings"
	"testing"

	"copse/stats"
)

func TestIndex(t *testing.T) {
	study, records := sample(12)
	fail(records, "c01", "nb", 3, "no")
	o := published(records)
	study.Published = []Comparison{o}
	study.Title = awkward
	e, err := Summarize(study, records, DefaultInference())
	if err != nil {
		t.Fatal(err)
	}
	if e.Cells != 6 || e.Replicates != 12 || e.Fits != 288 || e.Failed != 1 || e.Agree != 6 || e.Comparable != 12 {
		t.Errorf("%+v", e)
	}
	blocks, _ := stats.RankTable(records.Cells(), stats.ErrorRate, []string{"slb", "5nn", "nb"})
	ranks, _ := stats.Friedman(blocks)
	if e.Leader != "SLB" || e.LeaderRank != ranks.MeanRanks[0] || ranks.MeanRanks[0] > ranks.MeanRanks[1] {
		t.Errorf("leader %s %v, ranks %v", e.Leader, e.LeaderRank, ranks.MeanRanks)
	}
	study.Published = nil
	alone, err := Summarize(study, onlyReplicate(records, 1), DefaultInference())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := index(&b, []Entry{e, alone}); err != nil {
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
