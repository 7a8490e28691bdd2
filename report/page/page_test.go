package page

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records/recordstest"
)

// textOf returns the text of a page.
func textOf(t *testing.T, v *view.View, content *Content) string {
	t.Helper()
	_, words := fixture.ParsePage(t, fixture.Render(t, func(w io.Writer) error { return Report(w, v, content) }))
	return words
}

func TestPageWithoutFailures(t *testing.T) {
	study, records := fixture.Sample(3)
	texttest.Contains(t, textOf(t, fixture.PapersView(study, records), &Content{}), "None: all fits succeeded.")
}

// The page defines the words of its counts. It explains why a classifier can make fewer errors than the Bayes
// rule.
func TestPageDefinesItsWords(t *testing.T) {
	study, records := fixture.Sample(3)
	words := strings.Join(strings.Fields(textOf(t, fixture.PapersView(study, records), &Content{})), " ")
	texttest.Contains(t, words, "cells (combinations of levels)", "trials (training and test sets)",
		"smallest expected error. On a sample of test rows, another classifier can make fewer errors by chance.")
}

// The page counts the fits that succeeded only in another attempt, where it counts failed fits.
func TestPageCountsRetriedFits(t *testing.T) {
	study, records := fixture.Sample(3)
	study.Retried = map[string]int{"nb": 2}
	const want = " succeeded. Fits that failed in one attempt and succeeded in another: NB 2. They count as successes."
	words := textOf(t, fixture.PapersView(study, records), &Content{})
	if words = strings.Join(strings.Fields(words), " "); strings.Count(words, want) != 2 {
		t.Errorf("the page states %q other than twice:\n%s", want, words)
	}
}

// A failed draw is not a failed fit of any classifier. The list has it once.
func TestFailedDrawsAreNotFits(t *testing.T) {
	study, records := fixture.Sample(3)
	fixture.FailDraw(records, "c00", 2)
	fixture.FailDraw(records, "c00", 3)
	v := fixture.DefaultView(study, records)
	list, total := failures(v)
	const draws = "Failed draws of data: 2 of 18, left out for all classifiers."
	if want := "0 of 64 fits failed. " + draws; total != want {
		t.Errorf("got %q, want %q", total, want)
	}
	if len(list) != 1 || list[0].Classifier != "draw of data" || list[0].Fits != 2 {
		t.Errorf("%+v", list)
	}
	if asked := newAnswers(v, nil, nil).Asked; !strings.HasSuffix(asked, "with R = 1 to 3 replicates in each.") {
		t.Error(asked)
	}
	if got, want := newAnswers(v, nil, nil).Failed, "None: all 64 fits succeeded. "+draws; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Failures whose messages differ only in numbers form one line with their count, their places and the first
// of them. The number of lines is limited.
func TestFailuresAreGrouped(t *testing.T) {
	study, records := fixture.Sample(60)
	for r := range recordstest.Each(records) {
		fixture.Fail(records, r.Cell, "nb", r.Replicate, fmt.Sprintf("row %d.5 is empty", r.Replicate))
	}
	for k := range failuresShown + 2 {
		fixture.Fail(records, "c00", "5nn", k+1, strings.Repeat("x", k+1))
	}
	fixture.Fail(records, "c11", "slb", 7, strings.Repeat("long ", 1000))
	list, total := failures(fixture.PapersView(study, records))
	if len(list) != failuresShown || total != "413 of 1440 fits failed. The list contains the 50 most "+
		"frequent of 54 causes; records.csv contains all failures." {
		t.Fatalf("%d listed; %s", len(list), total)
	}
	first := list[0]
	if first.Fits != 360 || first.Message != "row 1.5 is empty" || !strings.HasSuffix(first.Command, " c00/1/nb") ||
		!strings.HasPrefix(first.Where, "gaussian, n = 200 (replicates 1-60); ") ||
		!strings.HasSuffix(first.Where, "; and 3 other cells") {
		t.Errorf("the first is %+v", first)
	}
	where := list[1].Where
	if where != "gaussian, n = 200 (replicate 7)" && where != "gaussian, n = 200 (replicate 1)" {
		t.Errorf("the second is at %s", where)
	}
	for _, f := range list {
		if len(f.Message) > messageShown+len("…") {
			t.Errorf("a message of %d characters", len(f.Message))
		}
	}
}

// The page begins with the author's questions.
func TestAimsAreAsked(t *testing.T) {
	study, records := fixture.Sample(3)
	study.Aims = []string{"Is one of them best?"}
	if words := textOf(t, fixture.PapersView(study, records), &Content{}); strings.Count(words, study.Aims[0]) != 2 ||
		strings.Contains(words, "To compare the classifiers below") {
		t.Error("the page does not contain the study's questions")
	}
}

// Like the protocol, the page lists the families of its tests.
func TestMultiplicity(t *testing.T) {
	study, records := fixture.Sample(12)
	v := fixture.PapersView(study, records)
	families := []view.Family{
		{ShownIn: "table t", Measure: "test error", Compares: "Asked.", Count: 6, Unit: "row", Hypotheses: 2,
			Level: "family-wise level 0.05"},
		{ShownIn: "figure f", Measure: "test error", Compares: "Asked.", Count: 1, Hypotheses: 3},
	}
	texttest.Contains(t, textOf(t, v, &Content{Families: families}), "The report tests 15 hypotheses in 7 families.",
		"A hypothesis that several tables or figures test is counted in each of them.",
		"Table t, test error: Asked. 6 families, one for each row, of 2 hypotheses; family-wise level 0.05.")
}

// If tables explain their intervals differently, each explanation names its table.
func TestIntervalsNameTheirTable(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	v := fixture.DefaultView(study, rows)
	printed := func(number int, change func(*table.Options)) Table {
		o := table.Defaults()
		change(&o)
		made, err := table.New(v, o)
		if err != nil {
			t.Fatal(err)
		}
		return Table{Table: made, Number: number}
	}
	all := printed(1, func(*table.Options) {})
	one := printed(2, func(o *table.Options) { o.Rows = []string{} })
	method := newAnswers(v, []Table{all, one}, nil).Method
	if len(method) != 2 || !strings.HasPrefix(method[0], "Table 1: ") || !strings.HasPrefix(method[1], "Table 2: ") {
		t.Errorf("%q", method)
	}
	if method = newAnswers(v, []Table{all, all}, nil).Method; len(method) != 1 ||
		strings.HasPrefix(method[0], "Table") {
		t.Errorf("%q", method)
	}
}

// Tables with the same findings share their sentences.
func TestSharedFindingsOccurOnce(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Random = randtest.Same
	v := fixture.DefaultView(study, rows)
	made, err := table.New(v, table.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	o := table.Defaults()
	o.Metric = "ber"
	other, err := table.New(v, o)
	if err != nil {
		t.Fatal(err)
	}
	// Table 1 is missing.
	list := []Table{{Table: made, Number: 2}, {Table: other, Number: 3}, {Table: made, Number: 4}}
	found := newAnswers(v, list, nil).Found
	if n := len(made.Findings().Found); len(found) != 2*n || !strings.HasPrefix(found[0], "Tables 2 and 4, each: ") ||
		!strings.HasPrefix(found[n], "Table 3: ") {
		t.Errorf("%q", found)
	}
}

// The page describes no test if all results are on training rows.
func TestTrainingRowsAreNotTested(t *testing.T) {
	study, rows := fixture.Sample(3)
	fixture.SetSampling(&study, rows, view.Sampling{OnTrainingRows: true})
	v := fixture.DefaultView(study, rows)
	made, err := table.New(v, table.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	text := performance(v, []Table{{Table: made}})
	texttest.Lacks(t, text, "Test: ")
}
