package compare

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

func published(rows *records.Records) Options {
	return Options{Source: "a paper & its Table 1", Missing: []string{"t.csv:9 [x]"}, Pairs: fixture.Counterparts(rows),
		Test: verdicts.AgreementOptions{Alpha: 0.05, Correction: stats.Holm}}
}

func compared(t *testing.T, change func(*Options)) *Comparison {
	t.Helper()
	study, records := fixture.Sample(12)
	o := published(records)
	if change != nil {
		change(&o)
	}
	c, err := New(view.New(study, records, view.DefaultInference()), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestComparisonVerdicts(t *testing.T) {
	c := compared(t, nil)
	if !slices.Equal(c.ids, []string{"slb", "5nn", "nb"}) || c.Family != 12 {
		t.Fatalf("classifiers %q, family %d", c.ids, c.Family)
	}
	for _, a := range c.Items {
		want := map[string]string{"slb": "≈", "nb": "↑", "5nn": "–"}[a.Classifier]
		if symbol(&a) != want {
			t.Errorf("%s in %s: %s, want %s", a.Classifier, a.Cell, symbol(&a), want)
		}
	}
	for _, want := range []string{"6 of 12 numbers that can be compared agree with a paper & its Table 1; 6 differ", "Holm over all 12 comparisons",
		"+1.67 percentage points on average", "6 numbers cannot be compared (the paper gives no standard deviation)",
		"1 published number has no counterpart", "The same classifier is best in 6 of 6 cells"} {
		if !strings.Contains(c.Findings(), want) {
			t.Errorf("summary lacks %q: %s", want, c.Findings())
		}
	}
}

func TestComparisonSheets(t *testing.T) {
	c := compared(t, nil)
	tally := c.tallySheet()
	if len(tally.Rows) != 2 || tally.Rows[0].Heads[0].Label != "gaussian" {
		t.Fatalf("blocks %+v, want the two densities", tally.Rows)
	}
	var got []string
	for _, e := range tally.Rows[1].Cells {
		got = append(got, e.Main+" "+e.Spread)
	}
	if want := []string{"+1.67 (3/6)", "0.00 (3/3)", "0.00 ", "+5.00 (0/3)"}; !slices.Equal(got, want) {
		t.Errorf("second block %q, want %q", got, want)
	}
	if want := []string{"+1.67 (6/12)", "0.00 (6/6)", "0.00", "+5.00 (0/6)"}; !slices.Equal(tally.Foot[0].Values, want) {
		t.Errorf("all %q, want %q", tally.Foot[0].Values, want)
	}
	difference := c.differenceSheet()
	if e := difference.Rows[5].Cells[2]; e.Main != "+5.00 ↑" || e.Class != "differs" || !e.Bold {
		t.Errorf("a number that differs prints %+v", e)
	}
	if long := c.longSheet(); len(long.Rows) != 18 || len(long.Rows[0].Heads)+len(long.Rows[0].Cells) != len(long.Heads) {
		t.Errorf("%d rows", len(long.Rows))
	}
	for _, s := range c.Sheets() {
		for i, row := range s.Rows {
			if len(row.Heads)+len(row.Cells) != len(s.Heads) {
				t.Errorf("%s: row %d has %d columns, the head %d", s.ID, i, len(row.Heads)+len(row.Cells), len(s.Heads))
			}
		}
	}
}

func TestComparisonCSVRoundTrip(t *testing.T) {
	c := compared(t, nil)
	lines, err := csv.NewReader(strings.NewReader(fixture.Render(t, c.CSV))).ReadAll()
	if err != nil || len(lines) != 19 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for i, line := range lines[1:] {
		a := c.Items[i]
		field := func(name string) string { return line[2+slices.Index(csvColumns, name)] }
		if mean, _ := strconv.ParseFloat(field("ours_mean"), 64); mean != a.Ours.Mean || field("classifier") != a.Classifier || field("verdict") != string(a.Verdict) {
			t.Errorf("line %q, want %+v", line, a)
		}
		if (field("p_adjusted") == "NA") != (a.Verdict == verdicts.NotComparable) {
			t.Errorf("p-value of %q", line)
		}
	}
}

func TestComparisonPages(t *testing.T) {
	c := compared(t, func(o *Options) { o.Variants = []string{"cpd"} })
	pictures := c.Pictures()
	if len(pictures) != 2 || pictures[1].Name != "comparison-complex" {
		t.Fatalf("pages %+v", pictures)
	}
	for _, p := range pictures {
		words := fixture.SVGText(t, fixture.Draws(t, p, "svg"))
		for _, want := range []string{"SLB", "3 of 3 agree", "0 of 3 agree", "published mean error (%)", "differs, ours is larger"} {
			if !slices.Contains(words, want) {
				t.Errorf("no %q in %q", want, words)
			}
		}
	}
}

func TestComparisonOfNothing(t *testing.T) {
	study, records := fixture.Sample(2)
	if _, err := New(view.New(study, records, view.DefaultInference()), Options{Source: "a paper"}); err == nil {
		t.Error("no error")
	}
}
