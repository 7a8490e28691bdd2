package table

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// Levels of a factor are compared within replicates if cells share draws, and otherwise as independent
// samples. The interval is Student's or Welch's.
func TestContrasts(t *testing.T) {
	study, rows := fixture.Sample(12)
	paired := study
	fixture.SetSamplings(&paired, rows, func(c records.Cell) view.Sampling { // pair: [n]
		return view.Sampling{Source: c.Levels.Of("cpd")}
	})
	for name, s := range map[string]view.Study{"paired": paired, "independent": study} {
		content := makeTable(t, s, rows, func(o *Options) { o.Contrast = "n" })
		if len(content.Rows) != 4 || strings.Join(content.Rows[1].Labels, " ") != "gaussian 1000 − 200" {
			t.Fatalf("%s: %d rows, labels %q", name, len(content.Rows), content.Rows[1].Labels)
		}
		first, last := errorsIn(rows, "c00", "nb"), errorsIn(rows, "c02", "nb")
		mean := stats.Summarize(last).Mean - stats.Summarize(first).Mean
		v1, v2 := stat.Variance(first, nil)/12, stat.Variance(last, nil)/12
		se, df := math.Sqrt(v1+v2), (v1+v2)*(v1+v2)/(v1*v1/11+v2*v2/11) // Welch (1947)
		if name == "paired" {
			for i := range last {
				last[i] -= first[i]
			}
			se, df = stats.Summarize(last).MCSE, 11
		}
		half := se * distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(0.975)
		e := content.Rows[1].Entries[2]
		if math.Abs(e.Mean-mean) > 1e-9 || math.Abs(e.High-(mean+half)) > 1e-9 || math.Abs(e.Low-(mean-half)) > 1e-9 {
			t.Errorf("%s: %v in [%v, %v], want %v ± %v", name, e.Mean, e.Low, e.High, mean, half)
		}
		if on := strings.Contains(content.Caption, "paired differences"); on != (name == "paired") ||
			content.HasTests() {
			t.Errorf("%s: tests %v, %s", name, content.HasTests(), content.Caption)
		}
	}
}

// If a row pools cells, paired differences have the variances within pairs of cells, like means.
func TestContrastsOfPooledPairs(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Sampling = map[string]view.Sampling{}
	want, variance, squares := 0.0, 0.0, 0.0
	for cell, base := range map[string]string{"c01": "c00", "c11": "c10"} { // n = 400 minus n = 200
		study.Sampling[cell], study.Sampling[base] = view.Sampling{Source: cell}, view.Sampling{Source: cell}
		d := errorsIn(rows, cell, "nb")
		for i, e := range errorsIn(rows, base, "nb") {
			d[i] -= e + 5*float64(cell[1]-'0') // the cells differ much more than their replicates
		}
		v := stat.Variance(d, nil) / 12 / 4
		want, variance, squares = want+stat.Mean(d, nil)/2, variance+v, squares+v*v/11
	}
	for r := range recordstest.Each(rows) {
		if r.Cell == "c10" && r.Classifier == "nb" {
			r.Error += 0.05
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" })
	student := distuv.StudentsT{Sigma: 1, Nu: variance * variance / squares} // Satterthwaite (1946)
	high := want + student.Quantile(0.975)*math.Sqrt(variance)
	if e := content.Rows[0].Entries[2]; math.Abs(e.Mean-want) > 1e-9 || math.Abs(e.High-high) > 1e-9 {
		t.Errorf("%v up to %v, want %v up to %v", e.Mean, e.High, want, high)
	}
	texttest.Contains(t, content.Caption, "paired differences. Intervals use the variances within cells")
}

// If the differences of all replicates are equal apart from rounding errors, there is no interval.
func TestContrastWithoutSpread(t *testing.T) {
	study, rows := fixture.Sample(4)
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		return view.Sampling{Source: c.Levels.Of("cpd")}
	})
	for r := range recordstest.Each(rows) {
		r.Error = 0.1*float64(r.Replicate) + 0.2
		if r.Levels.Of("n") == "200" {
			r.Error -= 0.2
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast, o.Bold = "n", true })
	for _, row := range content.Rows {
		for k, e := range row.Entries {
			if e.Bold || !math.IsNaN(e.Low) || !math.IsNaN(e.High) || math.IsNaN(e.Mean) {
				t.Errorf("%q, %s: %+v", row.Labels, content.Columns[k], e)
			}
		}
	}
	texttest.Contains(t, content.Caption,
		"An entry without an interval has one result, results that do not vary, or levels")
	if families := content.Families(); len(families) != 1 || families[0].Count != 4 {
		t.Errorf("results that do not vary are hypotheses: %+v", families)
	}
}

// A contrast of rows that pool cells gives each cell the same weight, although failed fits leave fewer results
// in one of them. The table states the unequal numbers.
func TestContrastsOfUnequalCells(t *testing.T) {
	study, rows := fixture.Sample(30)
	fixture.Fail(rows, "c00", "nb", 3, "no") // gaussian, n = 200
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" })
	want, variance, squares := 0.0, 0.0, 0.0
	for cell, weight := range map[string]float64{"c00": -0.5, "c10": -0.5, "c01": 0.5, "c11": 0.5} {
		values := errorsIn(rows, cell, "slb")
		if cell == "c00" {
			values = slices.Delete(values, 2, 3)
		}
		n := float64(len(values))
		v := weight * weight * stat.Variance(values, nil) / n
		want, variance, squares = want+weight*stat.Mean(values, nil), variance+v, squares+v*v/(n-1)
	}
	student := distuv.StudentsT{Sigma: 1, Nu: variance * variance / squares} // Satterthwaite (1946)
	high := want + student.Quantile(0.975)*math.Sqrt(variance)
	if e := content.Rows[0].Entries[0]; math.Abs(e.Mean-want) > 1e-9 || math.Abs(e.High-high) > 1e-9 {
		t.Errorf("SLB: %v up to %v, want %v up to %v", e.Mean, e.High, want, high)
	}
	texttest.Contains(t, strings.Join(content.Remarks, " "),
		"The cells have 29 to 30 replicates with results. Each cell has the same weight.")
	recordstest.Delete(rows, func(r records.Record) bool { // both cells of n = 400 have 10 replicates
		return r.Levels.Of("n") == "400" && r.Replicate > 10
	})
	pooled := makeTable(t, study, rows, func(o *Options) { o.Rows = []string{"n"} })
	texttest.Contains(t, strings.Join(pooled.Remarks, " "),
		"The cells have 10 to 30 replicates with results. Each replicate has the same weight.")
}

// If a nested factor gives a level of another factor more cells, this level does not count more.
func TestContrastsOfNestedFactors(t *testing.T) {
	study, rows := fixture.Sample(30)
	rows.Factors = append(rows.Factors, records.Factor{Name: "mode", Levels: []string{"a", "b"}})
	recordstest.Delete(rows, func(r records.Record) bool { return r.Cell == "c01" }) // gaussian, n = 400
	complexCells := map[string]records.Levels{
		"c10": records.LevelsOf(map[string]string{"cpd": "complex", "n": "200", "mode": "a"}),
		"c11": records.LevelsOf(map[string]string{"cpd": "complex", "n": "200", "mode": "b"}),
		"c12": records.LevelsOf(map[string]string{"cpd": "complex", "n": "1000", "mode": "a"}),
	}
	for r := range recordstest.Each(rows) {
		if levels, isComplex := complexCells[r.Cell]; isComplex {
			r.Levels = levels
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"cpd"}, "cpd" })
	mean := func(cell string) float64 { return stat.Mean(errorsIn(rows, cell, "nb"), nil) }
	want := ((mean("c10")+mean("c11"))/2+mean("c12"))/2 - (mean("c00")+mean("c02"))/2
	if e := content.Rows[0].Entries[2]; math.Abs(e.Mean-want) > 1e-9 {
		t.Errorf("%v, want %v", e.Mean, want)
	}
	const shared = "Cells that differ only in a factor that the other level lacks share the weight of one cell."
	hasRemarks(t, content, shared)

	// With one result per cell, the standard error uses the standard deviation of all results at a level.
	recordstest.Delete(rows, func(r records.Record) bool { return r.Replicate > 1 })
	content = makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"cpd"}, "cpd" })
	deviation := func(cells ...string) float64 {
		var values []float64
		for _, cell := range cells {
			values = append(values, mean(cell))
		}
		return stat.StdDev(values, nil)
	}
	const complexShares, gaussianShares = 0.25*0.25 + 0.25*0.25 + 0.5*0.5, 0.5*0.5 + 0.5*0.5 // sums of squares
	se := math.Hypot(deviation("c10", "c11", "c12")*math.Sqrt(complexShares),
		deviation("c00", "c02")*math.Sqrt(gaussianShares))
	if e := content.Rows[0].Entries[2]; math.Abs(e.MCSE-se) > 1e-9 {
		t.Errorf("standard error %v, want %v", e.MCSE, se)
	}

	// If both levels have the nested factor, each cell has the same weight.
	for r := range recordstest.Each(rows) {
		if r.Cell == "c00" {
			r.Levels = records.LevelsOf(map[string]string{"cpd": "gaussian", "n": "200", "mode": "a"})
		}
	}
	content = makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"cpd"}, "cpd" })
	texttest.Lacks(t, strings.Join(content.Remarks, " "), "share the weight")
}

// The standard error of a contrast counts a cell with a single result as much as the other cells, like the mean.
func TestContrastsOfASingleResult(t *testing.T) {
	study, rows := fixture.Sample(30)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Levels.Of("n") == "1000" || r.Cell == "c00" && r.Replicate > 1
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"cpd"}, "cpd" })
	gaussian := stat.StdDev(slices.Concat(errorsIn(rows, "c00", "nb"), errorsIn(rows, "c01", "nb")), nil) *
		math.Sqrt(0.25+0.25/30)
	variance := func(cell string) float64 { return stat.Variance(errorsIn(rows, cell, "nb"), nil) / 30 }
	complexCells := math.Sqrt(variance("c10")+variance("c11")) / 2
	want := math.Hypot(gaussian, complexCells)
	if e := content.Rows[0].Entries[2]; math.Abs(e.MCSE-want) > 1e-9 {
		t.Errorf("standard error %v, want %v", e.MCSE, want)
	}
}

// Levels of one data set with other folds or splits share no draw, although their replicates have the same
// numbers. Their difference has no interval.
func TestContrastsOfOtherSplits(t *testing.T) {
	study, rows := fixture.Sample(10)
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		split := "one"
		if c.Levels.Of("n") == "1000" {
			split = "another"
		}
		return view.Sampling{Folds: 10, OneDataSet: true, Source: "iris", Split: split, TestRatio: 1. / 9}
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast = "n" })
	for _, row := range content.Rows {
		isOther := row.Levels.Of("n") == "1000"
		if e := row.Entries[1]; math.IsNaN(e.Mean) || math.IsNaN(e.Low) != isOther {
			t.Errorf("%s: %+v", row.Levels, e)
		}
	}
}

// Levels with different files are not known to be independent, since the files may describe the same units.
func TestContrastsOfOtherFiles(t *testing.T) {
	study, rows := fixture.Sample(10)
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		return view.Sampling{Folds: 10, OneDataSet: true, Source: c.ID, Split: c.ID, TestRatio: 1. / 9}
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast = "n" })
	texttest.Contains(t, content.Caption,
		" The levels are treated as independent samples, because their files differ. ")
}

// Levels that share a data set but no fold are dependent, so their difference has no interval. The
// same holds for levels with a single shared replicate.
func TestContrastsOfDependentLevels(t *testing.T) {
	study, rows := fixture.Sample(10)
	fixture.SetSampling(&study, rows, view.Sampling{Folds: 10, OneDataSet: true, Source: "iris", TestRatio: 1. / 9})
	for _, shared := range []int{0, 1} {
		split := &records.Records{Study: rows.Study, Factors: rows.Factors, Classifiers: rows.Classifiers}
		for _, r := range rows.Rows { // n = 200 has folds 1 to 5; the other levels have folds 6 to 10
			if isFirst := r.Levels.Of("n") == "200"; isFirst == (r.Replicate <= 5) || r.Replicate <= shared {
				split.Rows = append(split.Rows, r)
			}
		}
		content := makeTable(t, study, split, func(o *Options) { o.Contrast, o.Bold = "n", true })
		for _, row := range content.Rows {
			if e := row.Entries[0]; math.IsNaN(e.Mean) || !math.IsNaN(e.Low) || e.Bold {
				t.Errorf("%d shared folds: %+v", shared, e)
			}
		}
		texttest.Case(t, shared).Lacks(content.Caption, "independent samples")
	}
}

// A contrast uses only cells that have a partner at the other level, with the same levels of all other factors.
// Otherwise, it would contain effects of these factors. The table names the other cells.
func TestContrastsCompareCellsWithPartners(t *testing.T) {
	byN := func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" }
	study, rows := fixture.Sample(8)
	recordstest.Delete(rows, func(r records.Record) bool { return r.Cell == "c02" }) // gaussian, n = 1000
	content := makeTable(t, study, rows, byN)
	mean := func(cell string) float64 { return stat.Mean(errorsIn(rows, cell, "nb"), nil) }
	both := (mean("c01")+mean("c11"))/2 - (mean("c00")+mean("c10"))/2
	for i, want := range []float64{both, mean("c12") - mean("c10")} {
		if e := content.Rows[i].Entries[2]; math.Abs(e.Mean-want) > 1e-9 {
			t.Errorf("%q: %v, want %v", content.Rows[i].Labels, e.Mean, want)
		}
	}
	texttest.Contains(t, content.Caption, "over R = 8 to 16 replicates per level. The levels are independent samples. "+
		"Intervals use the variances within cells and Welch-Satterthwaite degrees of freedom.")
	hasRemarks(t, content, "Left out, because no cell at the other level has the same levels of all other factors: "+
		"gaussian, n = 200 in n 1000 − 200.")
	fixture.Fail(rows, "c10", "nb", 3, "no") // both rows subtract this cell, but its eight fits count once
	notes := makeTable(t, study, rows, byN).Notes
	texttest.Contains(t, strings.Join(notes, "\n"), "NB: 1 of the 40 fits in 2 marked rows failed.")
}

// A contrast without partners has no row. If no contrast has partners, the table is an error.
func TestContrastsNeedPartners(t *testing.T) {
	study, rows := fixture.Sample(4)
	recordstest.Delete(rows, func(r records.Record) bool { // gaussian at n = 200, complex at n = 1000, both at n = 400
		return r.Cell == "c02" || r.Cell == "c10"
	})
	byN := func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" }
	content := makeTable(t, study, rows, byN)
	if len(content.Rows) != 1 || content.Rows[0].Labels[0] != "400 − 200" {
		t.Errorf("%+v", content.Rows)
	}
	hasRemarks(t, content, "Left out, because no cell at the other level has the same levels of all other factors: "+
		"complex, n = 400 in n 400 − 200; gaussian, n = 200 in n 1000 − 200; complex, n = 1000 in n 1000 − 200.")
	recordstest.Delete(rows, func(r records.Record) bool { return r.Levels.Of("n") == "400" })
	o := Defaults()
	byN(&o)
	_, err := New(fixture.PapersView(study, rows), o)
	errtest.Contains(t, err, `no two of these cells differ only in the level of "n"`)
}

// If a classifier ran in only some cells, its contrast uses those in which it ran at both levels.
func TestContrastsOfClassifiersThatRanInSomeCells(t *testing.T) {
	study, rows := fixture.Sample(8)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Cell == "c02" || r.Levels.Of("n") == "400"
	})
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" })
	want := stat.Mean(errorsIn(rows, "c12", "nb"), nil) - stat.Mean(errorsIn(rows, "c10", "nb"), nil)
	if e := content.Rows[0].Entries[2]; math.Abs(e.Mean-want) > 1e-9 {
		t.Errorf("%v, want %v", e.Mean, want)
	}
	texttest.Contains(t, content.Caption,
		"A difference uses only the cells in which the classifier ran at both levels.")
	// A failure in a cell that the difference does not use has no effect on it.
	fixture.Fail(rows, "c00", "nb", 3, "no")
	content = makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" })
	if e := content.Rows[0].Entries[2]; e.Failed > 0 || e.Excluded || math.Abs(e.Mean-want) > 1e-9 {
		t.Errorf("%+v, want %v without failures", e, want)
	}
}

// Folds of one data set have intervals of the corrected resampled t test. Rows of several data sets have
// Student's intervals over the means of the data sets.
func TestContrastCaptionNamesTheInterval(t *testing.T) {
	study, rows := fixture.Sample(5)
	fixture.SetSamplings(&study, rows, func(c records.Cell) view.Sampling {
		return view.Sampling{Folds: 5, OneDataSet: true, Source: c.Levels.Of("cpd"), TestRatio: 0.25}
	})
	for want, factors := range map[string][]string{"Student's t": {"n"}, "corrected resampled t": {"cpd", "n"}} {
		content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = factors, "n" })
		texttest.Case(t, factors).Contains(content.Caption, "("+want+", not simultaneous)")
	}
}

// Without bold type, no contrast is bold, and the caption does not explain it.
func TestPlainContrasts(t *testing.T) {
	study, rows := fixture.Sample(12)
	for _, bold := range []bool{false, true} {
		content := makeTable(t, study, rows, func(o *Options) { o.Contrast, o.Bold = "cpd", bold })
		e := content.Rows[0].Entries[0] // five percentage points between the levels
		if e.Low < 0 || e.Bold != bold || strings.Contains(content.Caption, "Bold") != bold {
			t.Errorf("%v: %+v, %s", bold, e, content.Caption)
		}
	}
}

// Bold type in a contrast keeps the study's level and correction over the compared classifiers of the row. The oracle
// is not compared, so it is not bold, unless it is in the family.
func TestContrastsAreCorrected(t *testing.T) {
	study, rows := fixture.Sample(12)
	ids := []string{"slb", "5nn", "nb", "oracle"}
	sizes := map[string]map[string]float64{ // differences between n = 400 and n = 200
		"gaussian": {"slb": 4, "5nn": 2.6, "nb": 1, "oracle": 4},
		"complex":  {"slb": 4, "5nn": 2.3, "nb": 2.2, "oracle": 4},
	}
	for r := range recordstest.Each(rows) {
		r.Error = 0.3 + 0.01*math.Sin(float64(7*r.Replicate+len(r.Classifier)))
		if r.Levels.Of("n") == "400" {
			r.Error += sizes[r.Levels.Of("cpd")][r.Classifier] * 0.01 / math.Sqrt(12)
		}
	}
	p := func(id, cell, base string) float64 { // of Welch's test
		a, b := errorsIn(rows, cell, id), errorsIn(rows, base, id)
		va, vb := stat.Variance(a, nil)/12, stat.Variance(b, nil)/12
		student := distuv.StudentsT{Sigma: 1, Nu: (va + vb) * (va + vb) / (va*va/11 + vb*vb/11)}
		return 2 * student.Survival(math.Abs(stat.Mean(a, nil)-stat.Mean(b, nil))/math.Sqrt(va+vb))
	}
	const third, half, all = 0.05 / 3, 0.05 / 2, 0.05 // levels of the steps of Holm's method
	first := []float64{p("slb", "c01", "c00"), p("5nn", "c01", "c00"), p("nb", "c01", "c00")}
	second := []float64{p("slb", "c11", "c10"), p("5nn", "c11", "c10"), p("nb", "c11", "c10")}
	if !(first[0] < third && third < first[1] && first[1] < half && all < first[2]) ||
		!(second[0] < third && half < min(second[1], second[2]) && max(second[1], second[2]) < all) {
		t.Fatalf("the p-values %v and %v do not tell the corrections apart", first, second)
	}
	for correction, want := range map[string][]string{
		"none": {"slb 5nn", "slb 5nn nb"}, "holm": {"slb 5nn", "slb"}, "bonferroni": {"slb", "slb"},
		"best": {"slb", "slb"}, "pairs": {"slb", "slb"},
	} {
		inference := view.DefaultInference()
		inference.Correction = correction
		o := Defaults()
		o.Contrast = "n"
		content := newTable(t, view.New(study, rows, inference), o)
		got := []string{boldIn(content.Rows[0].Entries, ids), boldIn(content.Rows[2].Entries, ids)}
		if !slices.Equal(got, want) {
			t.Errorf("%s: bold %q, want %q", correction, got, want)
		}
		level := map[string]string{"none": "each at level 0.05, uncorrected", "holm": "family-wise level 0.05, Holm"}
		texttest.Case(t, correction).Contains(content.Caption, "Bold: a two-sided t test shows that the difference is "+
			"not 0 ("+cmp.Or(level[correction], "family-wise level 0.05, Bonferroni")+"; 3 compared classifiers "+
			"per row). Shown for reference only: Bayes.")
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast, o.Family = "n", []string{"oracle", "nb"} })
	if got := boldIn(content.Rows[0].Entries, ids); got != "oracle" {
		t.Errorf("with a family of two: bold %s", got)
	}
}

// boldIn returns the classifiers whose entries are bold, separated by spaces.
func boldIn(entries []Entry, ids []string) string {
	isPlain := func(id string) bool { return !entries[slices.Index(ids, id)].Bold }
	return strings.Join(view.Without(ids, isPlain), " ")
}

// errorsIn returns the errors of a classifier in a cell in percent, by replicate.
func errorsIn(rows *records.Records, cell, classifier string) (list []float64) {
	for _, r := range rows.Rows {
		if r.Cell == cell && r.Classifier == classifier {
			list = append(list, 100*r.Error)
		}
	}
	return list
}

// The tests of contrasts are listed as families with the study's correction, one for each row.
func TestContrastsAreHypotheses(t *testing.T) {
	study, rows := fixture.Sample(4)
	for _, bold := range []bool{false, true} {
		families := makeTable(t, study, rows, func(o *Options) { o.Contrast, o.Bold = "n", bold }).Families()
		if !bold {
			if families != nil {
				t.Errorf("without bold type: %+v", families)
			}
			continue
		}
		// For each of 2 densities, 2 levels of n are compared with the first. The oracle is not compared.
		if len(families) != 1 || families[0].Count != 4 || families[0].Hypotheses != 3 ||
			families[0].Level != "family-wise level 0.05, Bonferroni" ||
			!slices.Equal(families[0].NotCompared, []string{"oracle"}) ||
			families[0].Compares != "A difference between levels of n is in bold if a two-sided t test shows that it "+
				"is not 0." {
			t.Errorf("%+v", families)
		}
	}
}

// A row of differences without standard errors has no tests.
func TestContrastsOfOneReplicateAreNotHypotheses(t *testing.T) {
	study, rows := fixture.Sample(4)
	recordstest.Delete(rows, func(r records.Record) bool { return r.Levels.Of("cpd") == "gaussian" && r.Replicate > 1 })
	families := makeTable(t, study, rows, func(o *Options) { o.Contrast = "n" }).Families()
	if len(families) != 1 || families[0].Count != 2 || families[0].Hypotheses != 3 { // 2 rows of cpd: complex
		t.Errorf("%+v", families)
	}
}

// Errors of a contrast name the factor and the levels of the rows. A failed fit at the first level of the
// factor is noted, although only further levels have rows.
func TestContrastsNoteFailedFits(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c00", "nb", 3, "no")
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast = "n" })
	want := "NB: 1 of the 36 fits in 2 marked rows failed. In 2 rows, " +
		"too many fits failed for a mean, test or rank."
	if !slices.ContainsFunc(content.Notes, func(note string) bool { return strings.HasPrefix(note, want) }) {
		t.Errorf("notes %q, want %s", content.Notes, want)
	}
}

// A contrast compares only levels that occur. It subtracts no cell that lacks the factor, such as gaussian here.
func TestContrastsLeaveOutCellsWithoutTheFactor(t *testing.T) {
	study, rows := fixture.Sample(4)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Cell == "c01" || r.Cell == "c02" || r.Cell == "c10"
	})
	for r := range recordstest.Each(rows) {
		if r.Cell == "c00" {
			r.Levels = r.Levels.Restrict([]string{"cpd"})
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Rows, o.Contrast = []string{"n"}, "n" })
	want := stats.Summarize(errorsIn(rows, "c12", "nb")).Mean - stats.Summarize(errorsIn(rows, "c11", "nb")).Mean
	if len(content.Rows) != 1 || content.Rows[0].Labels[0] != "1000 − 400" ||
		math.Abs(content.Rows[0].Entries[2].Mean-want) > 1e-9 {
		t.Errorf("%d rows, first %q: %+v, want %v", len(content.Rows), content.Rows[0].Labels,
			content.Rows[0].Entries[2].Summary, want)
	}
	hasRemarks(t, content, "Left out: 1 of 3 cells, which do not have the factor n (gaussian).")
}

func TestContrastMistakes(t *testing.T) {
	study, rows := fixture.Sample(4)
	for factor, c := range map[string]struct {
		o    func(*Options)
		want string
	}{
		"n": {func(o *Options) { o.Rows = []string{"cpd"} },
			`"n" is not a factor of the rows (their factors: cpd)`},
		"cpd": {func(o *Options) { o.Where = map[string][]string{"cpd": {"complex"}}; o.Rows = []string{"cpd"} },
			"no two of these cells differ only in"},
		"other": {func(*Options) {}, `"other" is not a factor of the rows`},
	} {
		o := Defaults()
		o.Contrast = factor
		c.o(&o)
		_, err := New(fixture.PapersView(study, rows), o)
		errtest.Case(t, factor).Contains(err, c.want)
	}
	for key, set := range map[string]func(*Options){
		"ranks":  func(o *Options) { o.Ranks = true },
		"test":   func(o *Options) { o.Test = "sign" },
		"spread": func(o *Options) { o.Spread = "se" },
	} {
		o := Defaults()
		o.Contrast = "n"
		set(&o)
		errtest.Case(t, key+" of contrasts").Contains(o.Validate(), "`"+key+"`")
	}
}

// The CSV file names the level that is subtracted, and remarks count the warnings at that level.
func TestContrastsNameTheirFirstLevel(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) {
		if r.Cell == "c00" && r.Classifier == "nb" && r.Replicate == 1 {
			r.Message = "a column is constant"
		}
	}
	content := makeTable(t, study, rows, func(o *Options) { o.Contrast = "n" })
	lines := strings.Split(fixture.Render(t, content.CSV), "\n")
	if !strings.HasSuffix(lines[0], ",low,high,minus") || !strings.HasSuffix(lines[1], ",200") {
		t.Errorf("%s\n%s", lines[0], lines[1])
	}
	texttest.Contains(t, "\n"+strings.Join(content.Remarks, "\n"), "\nNB warned in 1 fit")
}

// Captions do not call p-values adjusted if nothing corrects them.
func TestUncorrectedPValuesAreNotAdjusted(t *testing.T) {
	for correction, adjusted := range map[string]bool{"none": false, "holm": true} {
		study, rows := fixture.Sample(12)
		inference := view.PapersInference()
		inference.Correction, inference.Margin = correction, 0.03
		content := newTable(t, view.New(study, rows, inference), Defaults())
		texttest.Case(t, correction).ContainsIf(adjusted, content.Effects().Caption, "adjusted")
	}
}

// A contrast needs results at both levels. With scored: training, it may be bold, so no remark states the opposite.
func TestContrastsOfPartialAndTrainingResults(t *testing.T) {
	study, rows := fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Levels.Of("n") == "200"
	})
	ofN := func(o *Options) { o.Contrast = "n" }
	families := makeTable(t, study, rows, ofN).Families()
	if families[0].Count != 4 || families[0].Hypotheses != 2 || slices.Contains(families[0].Members, "nb") {
		t.Errorf("%d hypotheses on %q", families[0].Hypotheses, families[0].Members)
	}
	fixture.SetSampling(&study, rows, view.Sampling{OneDataSet: true, Folds: 3, TestRatio: 1, OnTrainingRows: true})
	remarks := makeTable(t, study, rows, ofN).Remarks
	const want = "With scored: training, errors are measured on the training rows. They describe the fit, not its " +
		"accuracy on new rows."
	if !slices.Contains(remarks, want) {
		t.Errorf("%q", remarks)
	}
}

// With a margin, each family of differences has a family of equivalences with as many hypotheses.
func TestEquivalencesAreHypotheses(t *testing.T) {
	study, rows := fixture.Sample(12)
	inference := view.DefaultInference()
	inference.Margin = 0.02
	content := newTable(t, view.New(study, rows, inference), Defaults())
	families := content.Families()
	if len(families) != 2 || families[0].Count != 6 || families[1].Count != 6 ||
		families[0].Hypotheses != families[1].Hypotheses ||
		!strings.HasSuffix(families[1].Compares, "show that a difference is smaller than 2 percentage points.") {
		t.Errorf("%+v", families)
	}
}
