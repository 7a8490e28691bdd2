package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

func published(rows *records.Records) Options {
	return Options{Source: "a paper & its Table 1", Missing: []string{"t.csv:9 [x]"}, Pairs: fixture.Counterparts(rows),
		Test: verdicts.AgreementOptions{Alpha: 0.05, Margin: 0.03}}
}

func compared(t *testing.T, change func(*Options)) *Comparison {
	t.Helper()
	study, records := fixture.Sample(12)
	o := published(records)
	if change != nil {
		change(&o)
	}
	c := New(fixture.PapersView(study, records), o)
	return c
}

func TestComparisonVerdicts(t *testing.T) {
	c := compared(t, nil)
	if !slices.Equal(c.classifiers, []string{"slb", "5nn", "nb"}) || c.Family != 18 {
		t.Fatalf("classifiers %q, family %d", c.classifiers, c.Family)
	}
	for _, a := range c.Items {
		want := map[string]string{"slb": "≈", "nb": "↑", "5nn": "≈"}[a.Classifier]
		if outcomeOf(&a).symbol != want {
			t.Errorf("%s in %s: %s, want %s", a.Classifier, a.Cell, outcomeOf(&a).symbol, want)
		}
	}
	texttest.Contains(t, c.Findings(),
		"Compared with a paper & its Table 1: of 18 comparable numbers, 12 agree, 6 differ "+
			"and 0 are undecided", "within 3 percentage points", "Holm over all 18 comparisons",
		"The mean difference, ours minus published, is +1.67 percentage points.",
		"if a two-sided t test rejects equality",
		"6 verdicts rest on a t test that assumes our standard deviation for both means, because the paper gives none.",
		"1 row of published numbers has no counterpart",
		"Our best classifier is also the best published one in 6 of 6 cells")
}

// The stated number of replicates is the number that the means average.
func TestComparisonCountsAveragedReplicates(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.FailDraw(rows, "c00", 3)
	c := New(fixture.PapersView(study, rows), published(rows))
	texttest.Contains(t, c.Findings(), "Ours are means over R = 11 to 12 replicates,",
		" Failed draws of data: 1 of 72, left out")
}

// The comparison states the failed fits in the cells that have published numbers.
func TestComparisonStatesFailures(t *testing.T) {
	study, rows := fixture.Sample(12)
	o := published(rows)
	fixture.Fail(rows, "c00", "nb", 3, "singular")
	c := New(fixture.PapersView(study, rows), o)
	texttest.Contains(t, c.Findings(), "Failed fits: NB 1 of 72. Means and ranks use the replicates")
	o.Pairs = slices.DeleteFunc(o.Pairs, func(p verdicts.Counterpart) bool { return p.Cell == "c00" })
	c = New(fixture.PapersView(study, rows), o)
	texttest.Lacks(t, c.Findings(), "Failed fits")
}

// Numbers agree only if a test shows their equivalence. Missing numbers are not compared.
func TestComparisonUndecided(t *testing.T) {
	c := compared(t, func(o *Options) {
		o.Test.Margin = 1e-6
		o.Pairs[0].Published.Mean = math.NaN() // nb
	})
	for _, a := range c.Items {
		want := map[string]string{"slb": "?", "5nn": "?", "nb": "↑"}[a.Classifier]
		if math.IsNaN(a.Published.Mean) {
			want = "–"
		}
		if outcomeOf(&a).symbol != want {
			t.Errorf("%s in %s: %s, want %s", a.Classifier, a.Cell, outcomeOf(&a).symbol, want)
		}
	}
	if want := "Compared with a paper & its Table 1: of 17 comparable numbers, 0 agree, 5 differ and 12 are " +
		"undecided. Ours are means over R = 12 replicates, the paper's over R = 100 replicates. A number agrees if " +
		"two one-sided tests show that it lies within 0.0001 percentage points"; !strings.Contains(c.Findings(),
		want) || !strings.Contains(c.Findings(), "the paper gives no value") {
		t.Errorf("summary lacks %q: %s", want, c.Findings())
	}
}

// For results on one data set, the caption names the variance, and the error bars are those of the tests.
func TestComparisonOverSharedRows(t *testing.T) {
	const named = "variance of means over newly drawn"
	texttest.Case(t, "independent replicates").Lacks(compared(t, nil).Findings(), named)
	c := compared(t, func(o *Options) {
		for i := range o.Pairs {
			o.Pairs[i].Share = 0.25
		}
	})
	for folds, unit := range map[int]string{0: "splits", 5: "folds"} {
		c.Sampling = map[string]view.Sampling{}
		for _, p := range c.Pairs {
			c.Sampling[p.Cell] = view.Sampling{Folds: folds, OneDataSet: true, TestRatio: 0.25}
		}
		for _, words := range []string{c.Findings(), c.rankCaption()} {
			texttest.Contains(t, words, named+" "+unit+" of the same data")
		}
	}
	a := &c.Items[0]
	ours := twoErrors(a.OursSE)
	if want := 200 * a.Ours.SD * math.Sqrt(1./12); math.Abs(ours-want) > 1e-12 ||
		pointOf(a).top != pointOf(a).y+ours {
		t.Errorf("drawn are %v, want %v", ours, want)
	}
	if low, high := ends(47, 60); low != 0 || high != 100 {
		t.Errorf("a bar from %v to %v, want 0 to 100", low, high)
	}
}

// Folds of one drawn problem carry no information about the problem of another program. With several problems (tasks),
// ours are means over tasks, but the paper's are still means over folds.
func TestComparisonOverDrawnProblems(t *testing.T) {
	study, rows := fixture.Sample(12)
	findings := func(drawn, oneDataSet bool) string {
		fixture.SetSampling(&study, rows, view.Sampling{Folds: 5, OneDataSet: oneDataSet, DrawnProblems: drawn})
		c := New(fixture.PapersView(study, rows), published(rows))
		return c.Findings()
	}
	const said = "drew different problems"
	texttest.Contains(t, findings(true, true), said)
	texttest.Lacks(t, findings(false, true), said)
	tasks := findings(true, false)
	counts := regexp.MustCompile(`over R = \d+ tasks, the paper's over R = \d+ folds`)
	if strings.Contains(tasks, said) || !counts.MatchString(tasks) {
		t.Error(tasks)
	}
}

// If the paper has numbers for only one of our cells, the tables name this cell.
func TestComparisonNamesTheOnlyCell(t *testing.T) {
	c := compared(t, func(o *Options) {
		first := o.Pairs[0].Cell
		o.Pairs = slices.DeleteFunc(o.Pairs, func(p verdicts.Counterpart) bool { return p.Cell != first })
	})
	factors := c.FactorNames()
	if heads := c.differenceSheet().Rows[0].Heads; len(heads) != len(factors) ||
		heads[0].Label != c.LevelLabel(factors[0], c.rows[0].Of(factors[0])) {
		t.Errorf("%+v, want the levels of %v", heads, factors)
	}
}

// A printed minimum is compared with our minimum, not with our mean.
func TestComparisonExtremes(t *testing.T) {
	c := compared(t, func(o *Options) {
		p := o.Pairs[1] // slb
		p.Extreme, p.Published = &verdicts.Extreme{Ours: []float64{0.1, 0.2, 0.3}}, verdicts.Reported{Mean: 0.12,
			SD: math.NaN(), N: 3}
		o.Pairs = append(o.Pairs, p)
	})
	text := fixture.Render(t, c.CSV)
	texttest.Contains(t, text, ",0.1,", ",minimum,")
	texttest.Contains(t, fixture.Render(t, c.Markdown), "SLB, minimum | 10.00 | 12.00")
	if want := "assumes independent results and cannot show agreement; with so few results, the test cannot " +
		"show a difference either"; !strings.Contains(c.Findings(), want) {
		t.Errorf("lacks %q: %s", want, c.Findings())
	}
	if words, plain := c.Findings(), compared(t, nil).Findings(); !strings.Contains(words,
		"percentage points, without minima and maxima.") || strings.Contains(plain, "without minima") {
		t.Errorf("%s\n%s", words, plain)
	}
	caption := c.Pictures()[0].Caption
	texttest.Contains(t, caption, "Minima and maxima")
	texttest.Lacks(t, compared(t, nil).Pictures()[0].Caption, "Minima")
	const converted = "The paper prints accuracies."
	texttest.Lacks(t, c.numberCaption(), converted)
	c.Accuracy = true
	texttest.Contains(t, c.numberCaption(), converted)
}

// The classifiers compatible with the best are listed only if standard deviations are known.
func TestComparisonSetsWithoutSpread(t *testing.T) {
	summary := func(change func(*verdicts.Counterpart)) (string, *Comparison) {
		c := compared(t, func(o *Options) {
			for i := range o.Pairs {
				change(&o.Pairs[i])
			}
		})
		return c.rankSentences(), c
	}
	known := func(p *verdicts.Counterpart) {
		p.Published = verdicts.Reported{Mean: p.Ours.Mean, SD: p.Ours.SD, N: p.Ours.N}
	}
	const same = "the same classifiers are compatible with the best in 6 cells."
	if words, c := summary(known); !strings.Contains(words, same) ||
		strings.Contains(c.rankCaption(), "Without standard deviations") {
		t.Error(words, c.rankCaption())
	}
	none, c := summary(func(p *verdicts.Counterpart) { p.Published.SD = math.NaN() })
	if !strings.Contains(none, "standard deviations are missing, so it is unknown") ||
		!strings.Contains(c.rankCaption(), "Without standard deviations") ||
		c.rankSheet().Rows[0].Cells[1].Main != "–" {
		t.Error(none, c.rankCaption())
	}
	of := c.ranks[0].Levels
	if words, _ := summary(func(p *verdicts.Counterpart) {
		if p.Published.SD = math.NaN(); p.Levels == of {
			known(p)
		}
	}); !strings.Contains(words, "in 1 of the 1 cell with known standard deviations") {
		t.Error(words)
	}
}

func TestComparisonSheets(t *testing.T) {
	c := compared(t, nil)
	tally := c.tallySheet()
	if len(tally.Rows) != 2 || tally.Rows[0].Heads[0].Label != "gaussian" {
		t.Fatalf("blocks %+v, want the two densities", tally.Rows)
	}
	texts := func(row sheet.Row) (list []string) {
		for _, e := range row.Cells {
			list = append(list, e.Main+" "+e.Spread)
		}
		return list
	}
	got := texts(tally.Rows[1])
	if want := []string{"+1.67 (6/3/0)", "0.00 (3/0/0)", "0.00 (3/0/0)", "+5.00 (0/3/0)"}; !slices.Equal(got, want) {
		t.Errorf("second block %q, want %q", got, want)
	}
	if want := []string{"+1.67 (12/6/0)", "0.00 (6/0/0)", "0.00 (6/0/0)", "+5.00 " +
		"(0/6/0)"}; !slices.Equal(texts(tally.Foot[0]), want) {
		t.Errorf("all %q, want %q", texts(tally.Foot[0]), want)
	}
	difference := c.differenceSheet()
	if e := difference.Rows[5].Cells[2]; e.Main != "+5.00 ↑" || e.Class != "differs" || !e.Bold {
		t.Errorf("a number that differs prints %+v", e)
	}
	if long := c.NumberSheet(); len(long.Rows) != 18 ||
		len(long.Rows[0].Heads)+len(long.Rows[0].Cells) != len(long.Heads) {
		t.Errorf("%d rows", len(long.Rows))
	} else {
		heads := map[string]bool{} // a part of the table that a page has no room for has them, too
		for _, row := range long.Rows {
			heads[fmt.Sprint(row.Heads)] = true
		}
		if len(heads) != len(long.Rows) {
			t.Errorf("%d rows have %d different heads", len(long.Rows), len(heads))
		}
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
	lines := fixture.CSV(t, fixture.Render(t, c.CSV))
	if len(lines) != 19 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines[1:] {
		a := c.Items[i]
		field := func(name string) string { return line[2+slices.Index(csvColumns, name)] }
		if mean, _ := strconv.ParseFloat(field("ours_mean"), 64); mean != a.Ours.Mean ||
			field("classifier") != a.Classifier || field("verdict") != string(a.Verdict) {
			t.Errorf("line %q, want %+v", line, a)
		}
		if (field("p_adjusted") == "NA") != (a.Verdict == verdicts.NotComparable) {
			t.Errorf("p-value of %q", line)
		}
	}
}

// Results that differ in a factor that the paper does not have are compared with the same number, which then
// counts several times.
func TestComparisonStatesRepeatedNumbers(t *testing.T) {
	const want = "Several of our results are compared with the same printed number, because our study varies " +
		"factors that the paper does not (densities)."
	if words, plain := compared(t, func(o *Options) { o.ExtraFactors = []string{"cpd", "cpd"} }).Findings(), compared(t,
		nil).Findings(); !strings.Contains(words, want) || strings.Contains(plain, "that the paper does not") {
		t.Errorf("%s\n%s", words, plain)
	}
}

// Tables with numbers for the same cells are rows of their own: each has its own ranks. Differences of several metrics
// have no mean.
func TestComparisonSeparatesTables(t *testing.T) {
	inTable := func(table string, pairs []verdicts.Counterpart) (list []verdicts.Counterpart) {
		for _, p := range pairs {
			levels := p.Levels.Map()
			levels[TableFactor] = table
			p.Levels = records.LevelsOf(levels)
			list = append(list, p)
		}
		return list
	}
	c := compared(t, func(o *Options) {
		second := inTable("2. B, balanced test error", o.Pairs)
		for i := range second {
			second[i].Metric, second[i].Published.Mean = metrics.BalancedError, 1-second[i].Published.Mean
		}
		o.Pairs = append(inTable("1. A, test error", o.Pairs), second...)
	})
	var taus []float64
	for _, r := range c.ranks {
		taus = append(taus, r.Tau)
	}
	if want := []float64{1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1}; !slices.Equal(taus, want) {
		t.Errorf("taus %v, want %v", taus, want)
	}
	for _, s := range c.Sheets() {
		if s.Heads[0].Label != "published table" {
			t.Errorf("%s starts with %q", s.ID, s.Heads[0].Label)
		}
	}
	if rows := c.differenceSheet().Rows; len(rows) != 12 {
		t.Errorf("%d rows of differences", len(rows))
	}
	if text := fixture.Render(t, c.CSV); !strings.HasPrefix(text, TableFactor+",") ||
		!strings.Contains(text, "\n\"2. B, balanced test error\",") {
		t.Error(text)
	}
	if strings.Contains(c.Findings(), "The mean difference") || c.TallyAll().Agree == 0 {
		t.Error(c.Findings())
	}
	families := Families(c.Options)
	if f := families[len(families)-1]; f.Count != 24 || f.Hypotheses != 2 { // 6 cells, 2 tables, our and printed means
		t.Errorf("%+v", f)
	}
	const dash = "A dash means that the numbers are of different metrics, so they have no mean."
	if s := c.tallySheet(); !strings.Contains(s.Caption, dash) || s.Foot[0].Cells[0].Main != "–" ||
		s.Foot[0].Cells[0].Spread != "(12/24/0)" {
		t.Errorf("%s: %+v", s.Caption, s.Foot[0].Cells)
	}
	c = compared(t, nil) // no separate tables, one metric
	if slices.Contains(c.factors, TableFactor) || strings.Contains(fixture.Render(t, c.CSV), TableFactor) ||
		strings.Contains(c.tallySheet().Caption, dash) {
		t.Errorf("%q, %s", c.factors, c.tallySheet().Caption)
	}
}

// A classifier with the published numbers of another one is compared, but not ranked, and a picture has no
// panel for a classifier without numbers.
func TestVariantsAreNotRanked(t *testing.T) {
	c := compared(t, func(o *Options) {
		for i := range o.Pairs {
			o.Pairs[i].Variant = o.Pairs[i].Classifier == "nb"
		}
	})
	if c.Family != 18 || !strings.Contains(c.Findings(), "The ranks leave out NB, because another of our classifiers") {
		t.Errorf("%d numbers: %s", c.Family, c.Findings())
	}
	for _, r := range c.ranks {
		if r.Classifiers != 2 || slices.Contains(r.Ours, "nb") || slices.Contains(r.Published, "nb") {
			t.Errorf("%+v", r)
		}
	}
	c = compared(t, func(o *Options) {
		o.ExtraFactors = []string{"n"}
		o.Pairs = slices.DeleteFunc(o.Pairs, func(p verdicts.Counterpart) bool {
			return p.Classifier != "slb" && p.Levels.Of("n") != "200"
		})
	})
	if len(c.ranks) != 2 { // the cells with n = 200
		t.Errorf("%d cells are ranked", len(c.ranks))
	}
	pictures := c.Pictures()
	if len(pictures) != 3 {
		t.Fatalf("%d pictures", len(pictures))
	}
	for i, want := range []int{3, 1, 1} {
		words := strings.Join(fixture.Texts(t, pictures[i]), "\n") + "\n"
		if got := strings.Count(words, " agree\n"); got != want { // one note in each panel
			t.Errorf("picture %d has %d panels, want %d: %s", i, got, want, words)
		}
	}
}

// Levels that differ only in case have different files, because some file systems ignore case.
func TestComparisonPagesHaveTheirOwnFiles(t *testing.T) {
	study, rows := fixture.Sample(3)
	levels := rows.Factors[0].Levels
	upper := strings.ToUpper(levels[0])
	for r := range recordstest.Each(rows) {
		named := r.Levels.Map()
		if named["cpd"] == levels[1] {
			named["cpd"] = upper
		}
		r.Levels = records.LevelsOf(named)
	}
	levels[1] = upper
	o := published(rows)
	o.ExtraFactors = []string{"cpd"}
	pictures := New(fixture.PapersView(study, rows), o).Pictures()
	if len(pictures) != 2 || pictures[1].Name != "comparison-"+upper+"-2" {
		t.Errorf("pages %+v", pictures)
	}
}

func TestComparisonPages(t *testing.T) {
	c := compared(t, func(o *Options) { o.ExtraFactors = []string{"cpd"} })
	pictures := c.Pictures()
	if len(pictures) != 2 || pictures[1].Name != "comparison-complex" {
		t.Fatalf("pages %+v", pictures)
	}
	for _, p := range pictures {
		words := fixture.Texts(t, p)
		for _, want := range []string{"SLB", "3 of 3 agree", "0 of 3 agree", "published mean error (%)",
			"differs, ours is larger"} {
			if !slices.Contains(words, want) {
				t.Errorf("no %q in %q", want, words)
			}
		}
	}
}

// The share of agreement is next to a short title and below a long one.
func TestComparisonTitlesHaveRoom(t *testing.T) {
	line := regexp.MustCompile(`<text x="[0-9.]+" y="([0-9.]+)"[^>]*>(SLB[^<]*|[0-9] of [0-9] agree)</text>`)
	for label, beside := range map[string]bool{"SLB": true, "SLB with a floor of 1e-300": false} {
		study, records := fixture.Sample(12)
		study.Classifiers[0].Label = label
		c := New(fixture.PapersView(study, records), published(records))
		found := line.FindAllStringSubmatch(string(fixture.Draws(t, c.Pictures()[0], "svg")), -1)
		if len(found) < 2 || found[0][2] != label {
			t.Fatalf("%s: %q", label, found)
		}
		title, _ := strconv.ParseFloat(found[0][1], 64)
		agree, _ := strconv.ParseFloat(found[1][1], 64)
		if (math.Abs(agree-title) < 1) != beside || agree < title-1 {
			t.Errorf("%s at %g, agreement at %g", label, title, agree)
		}
		for _, p := range c.Pictures() {
			for _, wrong := range fixture.Crowded(t, p) {
				t.Errorf("%s: %s", label, wrong)
			}
		}
	}
}

// The captions of the sheets have at most six lines of a journal's text; the verdict follows the table.
func TestCaptionsAreShort(t *testing.T) {
	const sixLines = 6 * 95 // characters
	c := compared(t, nil)
	for _, s := range c.Sheets() {
		if n := len(s.Title + s.Caption); n > sixLines {
			t.Errorf("%s: %d characters", s.Title, n)
		}
	}
	if s := c.Sheets()[0]; len(s.Remarks) != 1 || s.Remarks[0] != c.Findings() {
		t.Errorf("%q", s.Remarks)
	}
}
