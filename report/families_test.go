package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/compare"
	"copse/report/figure"
	"copse/report/internal/fixture"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

func familiesOf(study view.Study, rows *records.Records, layout Layout, papers *compare.Options) ([]view.Family,
	error) {
	made, err := Make(study, rows, layout, papers)
	if err != nil || len(made.Missing) > 0 {
		return nil, fmt.Errorf("%w, %v missing", err, made)
	}
	return made.Families, nil
}

// Every table and figure with tests has a family with its own members, test, correction, measure and
// hypotheses. Those that state none use the family of the study.
func TestFamiliesAreThoseOfTheDocuments(t *testing.T) {
	study, rows := fixture.Sample(8)
	rows.Metrics = nil
	layout := everything()
	layout.Inference = view.PapersInference()
	own := table.Defaults()
	own.Name, own.Metric, own.Test, own.Rows = "own", "ber", "sign", []string{"cpd"}
	own.Family = []string{"slb", "nb"}
	layout.Tables = append(layout.Tables, own)
	differences := figure.Defaults()
	differences.Name, differences.Kind = "differences", "differences"
	differences.Panel, differences.Family = []string{"n"}, []string{"slb", "5nn"}
	layout.Figures = append(layout.Figures, differences)
	published := paper(rows)
	families, err := familiesOf(study, rows, layout, &published)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		got = append(got, fmt.Sprintf("%s | %s | %s | %d x %d | %s | %s", f.ShownIn, f.Measure, strings.Join(f.Members,
			" "), f.Count, f.Hypotheses, f.Level, f.LeastResults))
	}
	// LeastResults: the least n with 2^(1-n) <= 0.05/hypotheses.
	want := []string{
		"table table | test error | slb 5nn nb | 6 x 2 | nominal family-wise level 0.05, Bonferroni | 7 replicates",
		"table own | balanced test error | slb nb | 2 x 1 | family-wise level 0.05, Bonferroni | 6 replicates",
		"figure wins | test error | slb 5nn nb | 2 x 6 | family-wise level 0.05, Bonferroni | ",
		"figure differences | test error | slb 5nn | 3 x 1 | simultaneous level 95%, Bonferroni | ",
		"comparison with a paper & its Table 1 | test error |  | 1 x 18 | family-wise level 0.05, Holm | ",
		"comparison with a paper & its Table 1 | test error |  | 1 x 18 | family-wise level 0.05, Holm | ",
		"comparison with a paper & its Table 1 | test error |  | 12 x 2 | family-wise level 0.05, Bonferroni | ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, words := range map[int]string{0: "two-sided Wilcoxon signed-rank test on paired replicates",
		1: "two-sided sign test", 2: "SLB has a smaller test error", 3: "Hodges-Lehmann shift", 4: "Welch"} {
		texttest.Case(t, families[i].ShownIn).Contains(families[i].Compares, words)
	}
	if !slices.Equal(families[0].Uncorrected, []string{"balanced test error"}) || !slices.Equal(families[0].NotCompared,
		[]string{"oracle"}) {
		t.Errorf("next to %q, outside %q", families[0].Uncorrected, families[0].NotCompared)
	}
}

// Printed means without standard deviations are not tested for compatibility.
func TestFamiliesOfPrintWithoutDeviations(t *testing.T) {
	_, rows := fixture.Sample(8)
	bare := paper(rows)
	for i := range bare.Pairs {
		bare.Pairs[i].Published.SD = math.NaN()
	}
	families := compare.Families(bare)
	texttest.Contains(t, families[0].Compares, "a t test assumes ours for both means")
	texttest.Contains(t, families[1].Compares, "t tests that assume ours for both means")
	if f := families[len(families)-1]; f.Count != 6 || f.Hypotheses != 2 || !strings.Contains(f.Compares,
		"lack standard deviations") {
		t.Errorf("%+v", f)
	}
}

// A classifier that is not ranked has no hypothesis among the best classifiers.
func TestFamiliesLeaveOutVariants(t *testing.T) {
	_, rows := fixture.Sample(8)
	varied := paper(rows)
	for i := range varied.Pairs {
		varied.Pairs[i].Variant = varied.Pairs[i].Classifier == "nb"
	}
	families := compare.Families(varied)
	if f := families[len(families)-1]; f.Count != 12 || f.Hypotheses != 1 {
		t.Errorf("%+v", f)
	}
}

// The page's own rank diagram is a family. A table without bold type has no tests.
func TestFamiliesOfThePage(t *testing.T) {
	study, rows := fixture.Sample(8)
	layout := DefaultLayout()
	layout.Tables[0].Bold, layout.Inference.Alpha = false, 0.1 // six blocks: p is 1/32 at least
	families, err := familiesOf(study, rows, layout, nil)
	if err != nil || len(families) != 1 || families[0].ShownIn != "average ranks in report.html" ||
		families[0].Hypotheses != 3 {
		t.Errorf("%+v, %v", families, err)
	}
}

// All pairs are counted if the correction counts them. A champion is named, without a claim that it was chosen before
// the results were seen.
func TestFamiliesFollowTheInference(t *testing.T) {
	study, rows := fixture.Sample(8)
	layout := DefaultLayout()
	for _, c := range []struct {
		change     func(o *view.Inference)
		hypotheses int
		asked      string
	}{
		{func(o *view.Inference) { o.Correction = "pairs" }, 3, "the best mean"},
		{func(o *view.Inference) { o.Alternative, o.Champion = "less", "nb" }, 2,
			"NB, the champion of the study, is compared with each of the others by a one-sided"},
	} {
		layout.Inference = view.PapersInference()
		c.change(&layout.Inference)
		families, err := familiesOf(study, rows, layout, nil)
		if err != nil || len(families) == 0 || families[0].Hypotheses != c.hypotheses ||
			!strings.Contains(families[0].Compares, c.asked) {
			t.Errorf("want %d hypotheses, %q; got %+v, %v", c.hypotheses, c.asked, families, err)
		}
	}
}

// A cell in which a rival is set aside has no hypothesis about it. Tables with other treatments of failed fits
// are tested without correction, and the families say so.
func TestFamiliesWithFailedFits(t *testing.T) {
	study, rows := fixture.Sample(8)
	fixture.Fail(rows, "c00", "nb", 1, "no")
	layout := everything()
	layout.Inference = view.PapersInference()
	layout.Inference.Failures = []string{view.Common, view.Worst}
	families, err := familiesOf(study, rows, layout, nil)
	if err != nil {
		t.Fatal(err)
	}
	var hypotheses []int // of the figure of wins
	for _, f := range families {
		if strings.HasPrefix(f.ShownIn, "figure wins") {
			hypotheses = append(hypotheses, f.Hypotheses)
		}
		if strings.HasPrefix(f.ShownIn, "table") && !slices.Contains(f.Uncorrected,
			"the same measure with failures: worst") {
			t.Errorf("%s: %q", f.ShownIn, f.Uncorrected)
		}
	}
	if !slices.Equal(hypotheses, []int{6, 5}) {
		t.Errorf("wins over 5-NN and NB have %v hypotheses, want 6 and 5", hypotheses)
	}
}

// A test that is named for the metric of a table does not apply to its variants with other metrics.
func TestVariantsUseTheTestOfTheirMetric(t *testing.T) {
	study, rows := fixture.Sample(1)
	study.Predictions = fixture.NoPredictions
	fixture.SetSampling(&study, rows, view.Sampling{OneDataSet: true, OneTestSet: true})
	inference := view.DefaultInference()
	inference.Test = "mcnemar"
	v := view.New(study, rows, inference)
	if _, err := table.New(v, table.Defaults()); err != nil {
		t.Error(err)
	}
	if others, err := otherMeasureTables(v, table.Defaults()); err != nil || len(others) == 0 {
		t.Errorf("%d variants, %v", len(others), err)
	}
}

// The command plot refuses blocks of the same generator, as a report does.
func TestPlotRefusesDependentBlocks(t *testing.T) {
	study, rows := fixture.Sample(4)
	for cell := range study.Problems {
		study.Problems[cell] = "forest"
	}
	layout := DefaultLayout()
	layout.Inference.Blocks = []string{"n"}
	o := figure.Defaults()
	o.Kind = "cd"
	_, _, err := Plot(study, rows, layout, o)
	errtest.Contains(t, err, "inference.blocks: several blocks contain forest")
}
