package view

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/internal/texttest"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// twoSettings returns records of two cells with the same data sets. They differ only in the setting of slb,
// so nb has the same result in both.
func twoSettings(replicates int) *records.Records {
	rows := &records.Records{Study: "settings", Classifiers: []string{"slb", "nb"},
		Factors: []records.Factor{{Name: "floor", Levels: []string{"a", "b"}}}}
	for c, level := range rows.Factors[0].Levels {
		for r := 1; r <= replicates; r++ {
			for _, id := range rows.Classifiers {
				wrong := 20 + r
				if id == "slb" {
					wrong = 10 + r + 4*c
				}
				rows.Rows = append(rows.Rows, records.Record{Cell: "c" + level, Levels: records.Align([]string{"floor"},
					[]string{level}), Replicate: r, Classifier: id, Status: records.OK,
					NTest: 100, Errors: wrong, Error: float64(wrong) / 100, BER: float64(wrong) / 100,
					Data: fmt.Sprint("draw ", r)})
			}
		}
	}
	return rows
}

// Cells on the same data are pooled by their means: a classifier that the factor does not affect counts once
// per replicate.
func TestPoolCountsDataOnce(t *testing.T) {
	v := New(Study{}, twoSettings(5), PapersInference())
	m := measure(t, "error", "fraction")
	g := Group{Cells: v.Cells}
	pooled := v.Pool(&g)
	for id, want := range map[string]float64{"nb": 0.23, "slb": 0.15} {
		s := v.Summary(&g, &pooled, &m, id)
		if s.N != 5 || math.Abs(s.Mean-want) > 1e-12 {
			t.Errorf("%s: %+v, want 5 results of mean %v", id, s, want)
		}
	}
	pairs, err := pooled.Pairs(metrics.ErrorRate, "slb", "nb")
	if err != nil || len(pairs.X) != 5 {
		t.Errorf("%d pairs, error %v", len(pairs.X), err)
	}
	blocks, left, _ := v.BlockLosses(v.Cells, &m, []string{"slb", "nb"})
	if len(blocks) != 1 || len(left) != 0 {
		t.Errorf("blocks %v, %q left: the cells share their data", blocks, left)
	}
}

// A classifier that was run on only one version of each draw has no mean over both versions, and a sentence says why.
func TestMeansOverNoResult(t *testing.T) {
	rows := twoSettings(5)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Cell == "cb" && r.Classifier == "slb"
	})
	for r := range recordstest.Each(rows) {
		r.Data += r.Cell
	}
	v := New(Study{Sampling: map[string]Sampling{"ca": {Source: "draws"}, "cb": {Source: "draws"}}}, rows, noneAside())
	m, _ := NewMeasure("error", "fraction")
	got := v.PartialMeans([]Group{{Cells: v.Cells}}, &m, rows.Classifiers, rows.Classifiers)
	want := []string{"slb was not run on all data: its mean is over 0 of 5 replicates."}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := v.PartialMeans(SingleCellGroups(v.Cells), &m, rows.Classifiers, nil); len(got) > 0 {
		t.Errorf("single cells: %q", got)
	}
}

// noneAside is the default inference, except that it sets no classifier aside.
func noneAside() Inference {
	o := PapersInference()
	o.MaxFailureRate = 1
	return o
}

// Differences between the cells of a design do not add to the Monte Carlo error of their mean. Data sets with
// one result each are a sample.
func TestPooledErrorIsWithinCells(t *testing.T) {
	rows := twoSettings(6)
	for i := range rows.Rows {
		r := &rows.Rows[i]
		r.Data, r.Fit = r.Cell+r.Data, float64(i%5)
		r.Error = 0.1 + 0.01*float64((r.Replicate*r.Replicate)%7)
		if r.Cell == "cb" {
			r.Error = 0.5 + 0.02*float64(r.Replicate%3)
		}
		if r.Cell == "cb" && r.Classifier == "slb" && r.Replicate > 4 {
			r.Status, r.Error = records.Failed, math.NaN()
		}
	}
	m, _ := NewMeasure("error", "fraction")
	seconds, _ := NewMeasure("fit_seconds", "fraction")
	v := New(Study{}, rows, noneAside())
	g := Group{Cells: v.Cells}
	pooled := v.Pool(&g)
	for _, id := range []string{"slb", "nb"} {
		for _, of := range []*Measure{&m, &seconds} {
			sum, n := 0.0, 0.0
			for _, c := range v.TreatFailures(&g) {
				values := of.values(&c, id)
				part := stats.Summarize(values)
				sum, n = sum+float64(part.N)*part.SD*part.SD, n+float64(part.N)
			}
			if s := v.Summary(&g, &pooled, of, id); math.Abs(s.MCSE-math.Sqrt(sum)/n) > 1e-12 || s.N != int(n) ||
				s.SD/math.Sqrt(n) < 1.1*s.MCSE && of == &m {
				t.Errorf("%s, %s: %+v, want %v", id, of.Name, s, math.Sqrt(sum)/n)
			}
		}
	}
	v = New(Study{Sampling: map[string]Sampling{"ca": {Source: "iris", OneDataSet: true},
		"cb": {Source: "wine", OneDataSet: true}}}, rows, PapersInference())
	g = Group{Cells: v.Cells}
	pooled = v.Pool(&g)
	if s := v.Summary(&g, &pooled, &m, "nb"); s.N != 2 || math.Abs(s.MCSE-s.SD/math.Sqrt2) > 1e-12 {
		t.Errorf("data sets: %+v", s)
	}
}

// Summaries use the same values as figures and ranges, of one cell or several. This includes times, which
// every fit has separately.
func TestSummaryIsOfValues(t *testing.T) {
	rows := twoSettings(6)
	for i := range rows.Rows {
		r := &rows.Rows[i]
		r.Fit, r.Predict, r.Peak = float64(1+i%5), 0.1*float64(i), 1000*int64(1+i)
		if i == 3 {
			r.Status, r.Error = records.Failed, math.NaN()
		}
	}
	v := New(Study{Sampling: map[string]Sampling{"ca": {Folds: 3}, "cb": {Folds: 3}}}, rows, noneAside())
	for _, metric := range []string{"error", "fit_seconds", "predict_seconds", "peak_memory"} {
		m := measure(t, metric, "percent")
		for _, g := range []Group{{Cells: v.Cells[:1]}, {Cells: v.Cells}} {
			pooled := v.Pool(&g)
			for _, id := range rows.Classifiers {
				values := v.Values(&g, &pooled, &m, id)
				of, s := stats.Summarize(values), v.Summary(&g, &pooled, &m, id)
				if s.N == 0 || of.N != s.N || of.Mean != s.Mean || of.SD != s.SD && !math.IsNaN(s.SD) {
					t.Errorf("%s of %s in %d cells: %+v is summarised, %+v are the values", metric, id, len(g.Cells), s,
						of)
				}
			}
		}
	}
}

// Replicates of cells that differ only in the noise have the same draws and count once. Replicates of cells
// with separate draws all count.
func TestPoolCountsDrawsOnce(t *testing.T) {
	rows := twoSettings(5)
	for r := range recordstest.Each(rows) {
		r.Data = r.Cell + r.Data // with noise of their own
	}
	m, _ := NewMeasure("error", "fraction")
	for other, want := range map[string]int{"draws": 5, "others": 10} {
		v := New(Study{Sampling: map[string]Sampling{"ca": {Source: "draws"}, "cb": {Source: other}}}, rows,
			PapersInference())
		g := Group{Cells: v.Cells}
		pooled := v.Pool(&g)
		if s := v.Summary(&g, &pooled, &m, "slb"); s.N != want || math.Abs(s.Mean-0.15) > 1e-12 {
			t.Errorf("draws and %s: %+v, want %d results", other, s, want)
		}
		if blocks, _, _ := v.BlockLosses(v.Cells, &m, []string{"slb", "nb"}); len(blocks) != want/5 {
			t.Errorf("draws and %s: blocks %v", other, blocks)
		}
	}
}

// Over several data sets the folds of each count once, and are independent.
func TestPoolOverDataSets(t *testing.T) {
	rows := twoSettings(5)
	for r := range recordstest.Each(rows) {
		r.Data = r.Cell + r.Data // data of their own
	}
	sampling := Sampling{Folds: 5, OneDataSet: true, TestRatio: 0.25}
	v := New(Study{Sampling: map[string]Sampling{"ca": sampling, "cb": sampling}}, rows, PapersInference())
	m, _ := NewMeasure("error", "fraction")
	g := Group{Cells: v.Cells}
	pooled := v.Pool(&g)
	if s := v.Summary(&g, &pooled, &m, "slb"); s.N != 2 || math.Abs(s.Mean-0.15) > 1e-12 {
		t.Errorf("%+v, want one mean for each data set", s)
	}
	sampling.Source = "file"
	one := Group{Cells: v.Cells}
	v.Sampling["ca"], v.Sampling["cb"] = sampling, sampling
	same := v.Pool(&one)
	if s := v.Summary(&one, &same, &m, "slb"); s.N != 1 || math.Abs(s.Mean-0.15) > 1e-12 {
		t.Errorf("%+v, want one mean of two cells of one data set", s)
	}
	if blocks, _, _ := v.BlockLosses(v.Cells, &m, []string{"slb", "nb"}); len(blocks) != 1 {
		t.Errorf("blocks %v of one data set", blocks)
	}
	isNB := func(r records.Record) bool { return r.Classifier == "nb" }
	one.Cells[1] = one.Cells[1].With(slices.DeleteFunc(slices.Clone(one.Cells[1].Rows), isNB))
	same = v.Pool(&one)
	if s := v.Summary(&one, &same, &m, "nb"); s.N != 0 {
		t.Errorf("%+v, want none: it has a result in one of the two cells", s)
	}
	sampling.Source = ""
	v = New(Study{Sampling: map[string]Sampling{"ca": sampling, "cb": sampling}}, rows, PapersInference())
	paired, err := v.Paired(&pooled)
	if err != nil || paired.Design != stats.Independent || paired.Test.Name != "signed-rank" ||
		v.UnitNoun([]Group{g}) != "data sets" {
		t.Errorf("%s of %s, %s, error %v", paired.Test.Name, paired.Design, v.UnitNoun([]Group{g}), err)
	}
	one = Group{Cells: v.Cells[:1]}
	single := v.Pool(&one)
	if paired, err = v.Paired(&single); err != nil || paired.Design != stats.Resampled || paired.Share != 0.25 ||
		paired.Test.Name != "corrected-t" || v.UnitNoun([]Group{one}) != "folds" {
		t.Errorf("%s of %s, %s, error %v", paired.Test.Name, paired.Design, v.UnitNoun([]Group{one}), err)
	}
	held := New(Study{Sampling: map[string]Sampling{"ca": {OneDataSet: true, TestRatio: 0.25}}}, rows,
		PapersInference())
	if words := held.UnitNoun(SingleCellGroups(held.Cells[:1])); words != "splits" {
		t.Errorf("a held-out share has %s", words)
	}
	if s := v.Summary(&one, &single, &m, "slb"); math.Abs(s.MCSE-s.SD*math.Sqrt(1./5+0.25)) > 1e-15 {
		t.Errorf("standard error %v of folds, sd %v", s.MCSE, s.SD)
	}
}

// Folds of several splits of one data set are counted by split if every fold has a split.
func TestSplits(t *testing.T) {
	rows := twoSettings(6)
	for _, c := range []struct {
		a, b Sampling
		drop int // replicates of the first cell from the end
		want string
	}{
		{Sampling{Folds: 3, OneDataSet: true}, Sampling{Folds: 3, OneDataSet: true}, 0, "(2 splits into 3)"},
		{Sampling{Folds: 2, OneDataSet: true}, Sampling{Folds: 2, OneDataSet: true}, 0, "(3 splits into 2)"},
		{Sampling{Folds: 2, OneDataSet: true}, Sampling{Folds: 3, OneDataSet: true}, 0, ""},
		{Sampling{Folds: 6, OneDataSet: true}, Sampling{Folds: 6, OneDataSet: true}, 0, ""},
		{Sampling{Folds: 3, OneDataSet: true}, Sampling{Folds: 3, OneDataSet: true}, 1, ""},
		{Sampling{Folds: 3, OneDataSet: true}, Sampling{Folds: 3, OneDataSet: true}, 3, ""},
		{Sampling{Folds: 3}, Sampling{Folds: 3}, 0, ""},
		{Sampling{OneDataSet: true}, Sampling{OneDataSet: true}, 0, ""},
	} {
		some := *rows
		some.Rows = slices.DeleteFunc(slices.Clone(rows.Rows),
			func(r records.Record) bool { return r.Cell == "ca" && r.Replicate > 6-c.drop })
		v := New(Study{Sampling: map[string]Sampling{"ca": c.a, "cb": c.b}}, &some, PapersInference())
		if got := v.Splits(SingleCellGroups(v.Cells)); got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
	v := New(Study{Sampling: map[string]Sampling{"ca": {Folds: 3, OneDataSet: true},
		"cb": {Folds: 3, OneDataSet: true}}}, rows,
		PapersInference())
	if got := v.Splits([]Group{{Cells: v.Cells}}); got != "" {
		t.Errorf("data sets: %q", got)
	}
	for n, want := range map[int]string{6: "R = 6 folds (2 splits into 3)", 5: "R = 5 folds"} {
		if got := v.ResultWords(Range{n, n}, SingleCellGroups(v.Cells)); got != want {
			t.Errorf("%d results: %q, want %q", n, got, want)
		}
	}
}

// A mean time is a mean over folds. Its standard error is corrected for the folds of each data set.
func TestTimesAreOverFolds(t *testing.T) {
	rows := twoSettings(5)
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(1 + i*i%7)
	}
	sampling := Sampling{Folds: 5, OneDataSet: true, TestRatio: 0.25}
	v := New(Study{Sampling: map[string]Sampling{"ca": sampling, "cb": sampling}}, rows, PapersInference())
	m, _ := NewMeasure("fit_seconds", "")
	groups := []Group{{Cells: v.Cells}}
	if words := v.Replication(groups, &m, []string{"slb"}); words != "R = 10 folds" {
		t.Error(words)
	}
	if noun := v.StandardErrorNoun(groups, &m); noun != "Nadeau-Bengio standard errors within cells" {
		t.Error(noun)
	}
	squares := 0.0
	for _, g := range SingleCellGroups(v.Cells) {
		squares += math.Pow(v.Summaries(&g, &m, []string{"slb"})[0].MCSE, 2)
	}
	se, want := v.Summaries(&groups[0], &m, []string{"slb"})[0].MCSE, math.Sqrt(squares)/2
	if !(math.Abs(se-want) < 1e-12) {
		t.Errorf("standard error %v, want %v", se, want)
	}
}

// Standard errors and shares over folds of one data set are described as such, but not over several data sets.
func TestWordsForFoldsOfOneDataSet(t *testing.T) {
	rows := twoSettings(5)
	study := Study{Sampling: map[string]Sampling{}, Problems: map[string]string{},
		Random: randtest.Same}
	for _, cell := range []string{"ca", "cb"} {
		study.Sampling[cell] = Sampling{Folds: 5, OneDataSet: true, TestRatio: 0.25, Source: "iris"}
		study.Problems[cell] = "iris"
	}
	v := New(study, rows, DefaultInference())
	single := SingleCellGroups(v.Cells)
	if both := (Group{Cells: v.Cells}); !v.PoolsOneDataSet(both) || v.PoolsOneDataSet(single[0]) {
		t.Error("two cells of one data set are one unit, and a single cell has its folds")
	}
	m := measure(t, "error", "percent")
	if noun := v.StandardErrorNoun(single, &m); noun != "Nadeau-Bengio standard errors" {
		t.Error(noun)
	}
	words, err := v.StabilitySentence(v.Cells, &m, rows.Classifiers)
	if err != nil || !strings.HasSuffix(words, " Folds share rows and are dependent, so these percentages are "+
		"too close to 0 or 100%.") {
		t.Errorf("%q, %v", words, err)
	}
	for cell, s := range v.Sampling {
		s.OneTestSet, s.TestRatio = true, 0
		v.Sampling[cell] = s
	}
	words, err = v.StabilitySentence(v.Cells, &m, rows.Classifiers)
	remark := " Fits on one test set are dependent, so these percentages are too close to 0 or 100%."
	if err != nil || !strings.HasSuffix(words, remark) {
		t.Errorf("%q, %v", words, err)
	}
	v.Problems["cb"] = "wine"
	if words, _ = v.StabilitySentence(v.Cells, &m, rows.Classifiers); strings.Contains(words, "Folds") {
		t.Error(words)
	}
}

// Units that the design does not have are rejected. A test is rejected for folds of one data set, but not for
// rows that pool several data sets.
func TestMisfits(t *testing.T) {
	folds, drawn := Sampling{Folds: 5, OneDataSet: true, TestRatio: 0.25}, Sampling{Folds: 5}
	for _, c := range []struct {
		unit string
		s    Sampling
		want string // no want: valid
	}{
		{"auto", folds, ""}, {"auto", drawn, ""}, {"auto", Sampling{}, ""}, {"replicate", folds, ""}, {"task", drawn,
			""},
		{"task", folds, "remove the key `unit`"},
		{"replicate", drawn, "use `unit: task`"},
	} {
		o := PapersInference()
		o.Unit = c.unit
		errtest.Case(t, fmt.Sprintf("%s of %+v", c.unit, c.s)).Match(o.CheckUnit(c.s), c.want)
	}
	rows := twoSettings(5)
	for r := range recordstest.Each(rows) {
		r.Data = r.Cell + r.Data
	}
	for test, want := range map[string][2]string{ // of folds of one set, of several sets
		"auto":         {"corrected-t", "signed-rank"},
		"sign":         {"use one of corrected-t", "sign"},
		"signed-rank":  {"valid in rows that pool several data sets", "signed-rank"},
		"corrected-t":  {"corrected-t", "signed-rank"},
		"calibrated-t": {"was calibrated for 10 repeats of 10 folds", "use one of signed-rank, "},
	} {
		o := PapersInference()
		o.Test = test
		v := New(Study{Sampling: map[string]Sampling{"ca": folds, "cb": folds}}, rows, o)
		for i, g := range []Group{{Cells: v.Cells[:1]}, {Cells: v.Cells}} {
			pooled := v.Pool(&g)
			paired, err := v.Paired(&pooled)
			misfit, isMisfit := errors.AsType[*Misfit](err)
			switch {
			case err == nil && paired.Test.Name != want[i]:
				t.Errorf("%s, %d cells: %s, want %s", test, len(g.Cells), paired.Test.Name, want[i])
			case err != nil && (!isMisfit || misfit.Key != "test" ||
				!errors.Is(err, stats.ErrAssumption) || !strings.Contains(strings.ToLower(err.Error()), want[i])):
				t.Errorf("%s, %d cells: %v, want %s", test, len(g.Cells), err, want[i])
			}
		}
	}
	anew := New(Study{}, rows, func() Inference { o := PapersInference(); o.Test = "corrected-t"; return o }())
	if _, err := anew.Paired(&anew.Cells[0]); err == nil || !strings.Contains(err.Error(), "use one of signed-rank") ||
		strings.Contains(err.Error(), "pool") {
		t.Error(err)
	}
	// No cell of the study has folds, so the test of folds is not replaced in a pooled row, either.
	pooled := anew.Pool(&Group{Cells: anew.Cells})
	if paired, err := anew.Paired(&pooled); err == nil || !strings.Contains(err.Error(), "use one of signed-rank") {
		t.Errorf("pooled: %s, %v", paired.Test.Name, err)
	}
}

// The calibrated t test needs ten repeats of ten folds. While a classifier lacks results, the cell has
// the corrected t test, which is valid for any number of folds.
func TestCalibratedTNeedsTenTimesTen(t *testing.T) {
	const refused, calibrated, corrected = "", "calibrated-t", "corrected-t"
	folds := func(k int) Sampling { return Sampling{Folds: k, OneDataSet: true, TestRatio: 1 / float64(k-1)} }
	for _, c := range []struct {
		s           Sampling
		requested   int    // replicates
		slb, nb     int    // results of the classifiers
		cell, pools string // test of a cell, and of a row that pools both cells
	}{
		{folds(10), 100, 100, 100, calibrated, "signed-rank"},
		{folds(10), 100, 30, 30, corrected, "signed-rank"}, // the run is unfinished
		{folds(10), 100, 100, 10, corrected, "signed-rank"},
		{folds(10), 10, 10, 10, refused, refused},
		{folds(10), 30, 30, 30, refused, refused},
		{folds(10), 200, 100, 100, refused, refused},
		{folds(5), 100, 100, 100, refused, refused},
		{Sampling{OneDataSet: true, TestRatio: 1.0 / 9}, 100, 100, 100, refused, refused}, // holdouts
	} {
		rows := twoSettings(100)
		recordstest.Delete(rows, func(r records.Record) bool {
			return r.Replicate > map[string]int{"slb": c.slb, "nb": c.nb}[r.Classifier]
		})
		for r := range recordstest.Each(rows) {
			r.Data = r.Cell + r.Data // the cells are two data sets
		}
		o := PapersInference()
		o.Test = calibrated
		design := Study{Replicates: c.requested, Sampling: map[string]Sampling{"ca": c.s, "cb": c.s}}
		v := New(design, rows, o)
		pooled := v.Pool(&Group{Cells: v.Cells})
		for _, tested := range []struct {
			cell *records.Cell
			want string
		}{{&v.Cells[0], c.cell}, {&pooled, c.pools}} {
			paired, err := v.Paired(tested.cell)
			if tested.want == refused && !errors.Is(err, stats.ErrAssumption) ||
				tested.want != refused && (err != nil || paired.Test.Name != tested.want) {
				t.Errorf("%+v, cell %s: %s, %v, want %q", c, tested.cell.ID, paired.Test.Name, err, tested.want)
			}
		}
		// A rehearsal has few results, but names the test of the finished study.
		design.Rehearsal = true
		paired, err := New(design, rows, o).Paired(&v.Cells[0])
		if (err != nil) != (c.cell == refused) || err == nil && paired.Test.Name != calibrated {
			t.Errorf("%+v, rehearsal: %s, %v", c, paired.Test.Name, err)
		}
	}
}

// One-sided tests need a champion.
func TestChampion(t *testing.T) {
	for _, c := range []struct {
		alternative, champion string
		family                []string
		key                   string
	}{
		{"two-sided", "", nil, ""}, {"less", "slb", nil, ""}, {"less", "slb", []string{"nb", "slb"}, ""},
		{"less", "", nil, "alternative"}, {"two-sided", "slb", nil, "champion"}, {"less", "slb", []string{"nb", "rf"},
			"champion"},
	} {
		o := PapersInference()
		o.Alternative, o.Champion, o.Family = c.alternative, c.champion, c.family
		err := o.Validate()
		wrong, ok := errors.AsType[*recipe.Error](err)
		if c.key == "" && err != nil || c.key != "" && (!ok || wrong.Key != c.key) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A replicate of a generator and a whole data set are not results of the same kind, so they are not pooled. Times are
// not pooled in any case.
func TestGeneratorsAndDataSetsAreNotPooled(t *testing.T) {
	split := Sampling{OneDataSet: true, TestRatio: 0.25}
	v := New(Study{Sampling: map[string]Sampling{"cb": split}}, twoSettings(5), DefaultInference())
	m, _ := NewMeasure("error", "percent")
	seconds, _ := NewMeasure("fit_seconds", "")
	both := []Group{{Cells: v.Cells}}
	want := "separate them by floor, with the key `rows` or `where`"
	err := v.CheckPooling(both, &m, "rows where")
	if bad, ok := errors.AsType[*BadOption](err); !ok || !strings.HasSuffix(bad.Error(), want) || len(bad.Keys) != 2 {
		t.Errorf("error %v, want %s", err, want)
	}
	for _, err := range []error{v.CheckPooling(SingleCellGroups(v.Cells), &m, ""), v.CheckPooling(both, &seconds, "")} {
		if err != nil {
			t.Error(err)
		}
	}
	v.Sampling["ca"] = split
	if err := v.CheckPooling(both, &m, ""); err != nil {
		t.Errorf("two data sets: %v", err)
	}
}

// Cross-validation of a single drawn problem is pooled with replicates of a generator: its folds form one task.
func TestOneTaskIsPooledWithReplicates(t *testing.T) {
	folds := Sampling{Folds: 5, DrawnProblems: true, OneDataSet: true, TestRatio: 0.25, Source: "draws"}
	v := New(Study{Sampling: map[string]Sampling{"cb": folds}}, twoSettings(5), DefaultInference())
	m, _ := NewMeasure("error", "percent")
	both := []Group{{Cells: v.Cells}}
	if err := v.CheckPooling(both, &m, ""); err != nil {
		t.Error(err)
	}
	if pooled := v.Pool(&both[0]); len(pooled.Replicates) != 6 || v.UnitNoun(both) != "replicates or tasks" {
		t.Errorf("%d %s, want 5 replicates and a task", len(pooled.Replicates), v.UnitNoun(both))
	}
	words := v.PoolingSentence("Each row", both, &m, []string{"nb"})
	texttest.Contains(t, words, "1 to 5 replicates or tasks")
}

// The mean of a metric over cells on the same data is not the metric of all test rows. If the metric is undefined in a
// cell, the mean is undefined, too. Repeats of a cross-validation are averaged, but its folds are added.
func TestPoolAveragesCountMetrics(t *testing.T) {
	// Rows are classes, columns are labels.
	matrices := map[string]metrics.Confusion{"ca": {6, 2, 1, 1}, "cb": {4, 0, 1, 5}}
	rows := twoSettings(4)
	for r := range recordstest.Each(rows) {
		r.Confusion, r.NTest = matrices[r.Cell], 10
	}
	// The costs are 2*1 + 2 = 4 and 2*1 + 0 = 2. The shares of wrong labels 1 are 2/3 and 0/5.
	const cost, wrongLabels = "cost:2*n(1,0)+n(0,1)", "cost:n(0,1)/n(_,1)"
	for name, want := range map[string]float64{cost: 3, wrongLabels: 1. / 3} {
		v, m := New(Study{}, rows, PapersInference()), costMeasure(t, name)
		all := Group{Cells: v.Cells}
		pooled := v.Pool(&all)
		if got := v.Summary(&all, &pooled, &m, "nb"); got.N != 4 || math.Abs(got.Mean-want) > 1e-12 {
			t.Errorf("%s: %+v, want the mean %v over 4 draws", name, got, want)
		}
		folds := Sampling{Folds: 2, OneDataSet: true, Source: "iris", TestRatio: 1} // two repeats of two folds
		v = New(Study{Sampling: map[string]Sampling{"ca": folds, "cb": folds}}, rows, PapersInference())
		all = Group{Cells: v.Cells}
		pooled = v.Pool(&all)
		ofDataSet := want
		if name == cost {
			ofDataSet *= 2 // the costs of two folds are added
		}
		if got := v.Summary(&all, &pooled, &m, "nb"); got.N != 1 || math.Abs(got.Mean-ofDataSet) > 1e-12 {
			t.Errorf("%s: %+v, want %v for one data set", name, got, ofDataSet)
		}
	}
	for r := range recordstest.Each(rows) {
		if r.Cell == "ca" && r.Replicate == 1 {
			r.Confusion = metrics.Confusion{8, 0, 2, 0} // no row has label 1
		}
	}
	v := New(Study{}, rows, PapersInference())
	m := costMeasure(t, wrongLabels)
	all := Group{Cells: v.Cells}
	pooled := v.Pool(&all)
	if got := v.Summary(&all, &pooled, &m, "nb"); got.N != 3 {
		t.Errorf("one draw has a cell without a label 1: %+v, want 3 results", got)
	}
	if text := v.LeftOutResults([]Group{all}, &m, []string{"nb"}); !strings.HasSuffix(text,
		"Results left out for this reason: nb 1 of 4.") {
		t.Error(text)
	}
}

// measure returns the measure of a metric. An error ends the test.
func measure(t *testing.T, metric, unit string) Measure {
	t.Helper()
	m, err := NewMeasure(metric, unit)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func costMeasure(t *testing.T, name string) Measure {
	m := measure(t, name, "fraction")
	var err error
	if m.Metric, err = m.Metric.InClasses([]string{"0", "1"}); err != nil {
		t.Fatal(err)
	}
	return m
}

// Single drawn problems are blocks with the same generator. Tests can compare classifiers on several problems, but not
// on several cells of one.
func TestSingleTasksAreUnits(t *testing.T) {
	drawn := func(source string) Sampling {
		return Sampling{Folds: 5, DrawnProblems: true, OneDataSet: true, Source: source}
	}
	v := New(Study{Sampling: map[string]Sampling{"ca": drawn("a"), "cb": drawn("b")},
		Problems: map[string]string{"ca": "forest", "cb": "bayesnet"}}, twoSettings(5), DefaultInference())
	both := Group{Cells: v.Cells}
	if key := v.BlockKey(v.Cells); key != "generator" || v.PoolsOneDataSet(both) {
		t.Errorf("blocks with the same %s; one data set: %t", key, v.PoolsOneDataSet(both))
	}
	v.Sampling["cb"] = drawn("a")
	if !v.PoolsOneDataSet(both) {
		t.Error("two cells of one problem are two units")
	}
}

// Each kind of cell has its own standard error.
func TestStandardErrorsOfGeneratorsAndDataSets(t *testing.T) {
	v := New(Study{Sampling: map[string]Sampling{"cb": {OneDataSet: true, TestRatio: 0.25}}}, twoSettings(5),
		DefaultInference())
	m, _ := NewMeasure("error", "percent")
	want := "Monte-Carlo standard errors or Nadeau-Bengio standard errors"
	if noun := v.StandardErrorNoun(SingleCellGroups(v.Cells), &m, &m); noun != want {
		t.Error(noun)
	}
}
