package figure

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/texttest"
	"copse/report/canvas"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// drawnCurves returns the curves of a kind in the first cell of a view.
func drawnCurves(t *testing.T, v *view.View, k *curveKind, o Options, ids ...string) (*predictionChart, []curve) {
	t.Helper()
	d := &predictionChart{kind: k, unitNoun: "replicates",
		chart: &chart{request: &request{View: v, options: o}, ids: ids}}
	curves, err := d.cellCurves(&v.Cells[0])
	if err != nil {
		t.Fatal(err)
	}
	return d, curves
}

// The area below a mean ROC curve equals the mean of the metric AUC within half a step of the grid, and is
// printed next to the name. This holds over replicates and over tasks, one of which lacks a fold.
func TestROCIsOfMeanAUC(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c00", "nb", 5, "no")
	for _, folds := range []int{0, 4} {
		study.Sampling = map[string]view.Sampling{"c00": {Folds: folds, DrawnProblems: folds > 0}}
		inference := view.PapersInference()
		inference.MaxFailureRate = 1 // one failure of twelve is no reason
		v := view.New(study, rows, inference)
		values := map[int][]float64{} // by unit
		metric, _ := metrics.Lookup("auc")
		err := study.Predictions("c00", func(replicate int, id string, p *metrics.Predictions) error {
			if unit, _ := v.UnitOf("c00", replicate); id == "nb" {
				values[unit] = append(values[unit], metric.Value(p, 2))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var aucs []float64
		for unit := range 12 {
			if list := values[unit+1]; len(list) == max(folds, 1) {
				aucs = append(aucs, stats.Summarize(list).Mean)
			}
		}
		want := stats.Summarize(aucs).Mean
		d, curves := drawnCurves(t, v, &rocCurves, Defaults(), "nb")
		area, c := 0.0, curves[0]
		for i := 1; i < len(c.points); i++ {
			from, to := c.points[i-1], c.points[i]
			area += (to.x - from.x) * (to.Mean + from.Mean) / 2
			if to.Mean < from.Mean || to.low > to.Mean || to.high < to.Mean {
				t.Errorf("folds %d: at %v the curve falls or leaves its band", folds, to.x)
			}
		}
		if len(aucs) != d.collections[0].averagedUnits || math.Abs(area-want) > 0.5/rocSteps || !golden.Near(c.area,
			want) {
			t.Errorf("folds %d: area %v and %v of %d units, mean auc %v of %d", folds, area, c.area,
				d.collections[0].averagedUnits, want, len(aucs))
		}
	}
}

// The points of a reliability curve are means over all test rows of a bin, with the standard error of a share
// in clusters. For folds of one data set it is larger.
func TestReliabilityIsOfAllRows(t *testing.T) {
	study, rows := fixture.Sample(12)
	v := fixture.PapersView(study, rows)
	o := Defaults()
	_, curves := drawnCurves(t, v, &reliabilityCurves, o, "slb")
	rest, shares := make([]float64, o.Bins), make([]stats.Share, o.Bins)
	err := study.Predictions("c00", func(_ int, id string, p *metrics.Predictions) error {
		if id == "slb" {
			for b, bin := range metrics.Reliability(p, 1, o.Bins) {
				shares[b].Add(bin.Hits, bin.Rows)
				rest[b] += bin.Predicted
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, k := curves[0], 0
	for b := range shares {
		s := shares[b].Summary()
		if s.N < leastUnits || shares[b].Rows() < leastRows {
			continue
		}
		p, x := c.points[k], rest[b]/float64(shares[b].Rows())
		high := min(1, s.Mean+2*s.MCSE)
		if !golden.Near(p.x, x) || p.testRows != shares[b].Rows() || p.Mean != s.Mean || !golden.Near(p.high, high) {
			t.Errorf("bin %d: %+v, want %v at %v", b, p, s, x)
		}
		k++
	}
	if k < 2 || k != len(c.points) {
		t.Fatalf("%d points, want %d", len(c.points), k)
	}
	study.Sampling = map[string]view.Sampling{"c00": {Folds: 12, OneDataSet: true, TestRatio: 0.25}}
	_, folds := drawnCurves(t, fixture.PapersView(study, rows), &reliabilityCurves, o, "slb")
	one := c.points[1]
	i := slices.IndexFunc(folds[0].points, func(p point) bool { return p.Mean == one.Mean })
	if i < 0 || !golden.Near(one.Mean-folds[0].points[i].low, (one.Mean-one.low)*math.Sqrt(1+12*0.25)) {
		t.Errorf("folds %+v, replicates %+v", folds[0].points, c.points)
	}
}

// A reliability curve and its band do not pass through a bin that the figure omits, because nothing is known
// about this bin. A bin between two omitted ones is still visible, also without marks.
func TestReliabilityIsInterruptedAtOmittedBins(t *testing.T) {
	const units = 5
	rowsInBins := []int{20, 20, 0, 20, 4, 20, 20, 20} // of each unit; the bins with 0 and 4 rows are omitted
	bins := len(rowsInBins)
	a := binAverage{units: units, shares: make([]stats.Share, bins), predicted: make([]float64, bins)}
	for b, n := range rowsInBins {
		for range units {
			a.shares[b].Add(n/2, n)
			a.predicted[b] += float64(n*b) / float64(bins)
		}
	}
	k, p := a.curve(), plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	var lengths []int
	for i, segment := range k.segments() {
		lengths = append(lengths, len(segment))
		var drawn recorder.Canvas
		one := curve{points: segment}
		lineAndMarks(draw.NewCanvas(&drawn, 100, 100), p, &one, canvas.Dashed, draw.GlyphStyle{})
		if len(drawn.Actions) == 0 {
			t.Errorf("segment %d of %d points is invisible", i, len(segment))
		}
	}
	if want := []int{2, 1, 3}; !slices.Equal(lengths, want) {
		t.Errorf("segments of %v points, want %v", lengths, want)
	}
	var drawn recorder.Canvas
	lineAndMarks(draw.NewCanvas(&drawn, 100, 100), p, &k, canvas.Dashed, draw.GlyphStyle{})
	strokes := 0
	for _, action := range drawn.Actions {
		if _, ok := action.(*recorder.Stroke); ok {
			strokes++
		}
	}
	if strokes != len(lengths) {
		t.Errorf("%d lines, want %d", strokes, len(lengths))
	}
}

// The axes of a figure of small probabilities end at the first bin that contains all points and bands.
func TestReliabilityAxesEndAtLastBin(t *testing.T) {
	for _, c := range []struct {
		points []point
		bins   int
		want   float64
	}{
		{nil, 10, 1},
		{[]point{{x: 0.12, high: 0.03}, {x: 0.03, high: 0.05}}, 10, 0.2},
		{[]point{{x: 0.12, high: 0.33}, {x: 0.41, high: 0.2}}, 20, 0.45},
		{[]point{{x: 0.12, high: 0.53}}, 2, 1},
	} {
		d := &predictionChart{chart: &chart{request: &request{options: Options{Bins: c.bins}},
			curves: [][]curve{{{points: c.points}}}}}
		if got := lastBinEnd(d); got != c.want {
			t.Errorf("%+v in %d bins: the axes end at %v, want %v", c.points, c.bins, got, c.want)
		}
	}
	study, rows := fixture.Sample(6)
	spoil(&study, func(p *metrics.Predictions) {
		for i := range p.Truth { // one row in ten belongs to class 1
			p.Truth[i] = max(0, i%10-8)
			p.Probabilities.SetRow(i, []float64{0.85, 0.15})
		}
	})
	page := figures(t, study, rows, func(o *Options) {
		o.Kind, o.Columns = "reliability", []string{"slb"}
	})[0]
	ends := 0
	for _, text := range fixture.Texts(t, page) {
		value, err := strconv.ParseFloat(text, 64)
		if err == nil && value > 0.2 {
			t.Errorf("a tick at %s", text)
		}
		if err == nil && value == 0.2 {
			ends++
		}
	}
	if ends < 2 {
		t.Errorf("%d axes end with a tick at 0.2", ends)
	}
}

// The caption names classifiers of which no bin has enough rows.
func TestReliabilityNamesEmptyCurves(t *testing.T) {
	study, rows := fixture.Sample(1)
	caption := captionOf(t, study, rows, func(o *Options) {
		o.Kind, o.Columns = "reliability", []string{"slb", "nb"}
	})
	texttest.Contains(t, caption, "No bin is left for: SLB, NB.")
}

// In a figure, a gap divides both the line and the band of a curve.
func TestGapsAreDrawn(t *testing.T) {
	study, rows := fixture.Sample(6)
	linePath := regexp.MustCompile(`<path d="[^"]*" fill="none" stroke="[^"]*" stroke-width="1.1"`)
	linesAndBands := func(probabilities ...float64) (lines, bands int) {
		spoil(&study, func(p *metrics.Predictions) {
			for i := range p.Truth {
				one := probabilities[i%len(probabilities)]
				p.Probabilities.SetRow(i, []float64{1 - one, one})
			}
		})
		pages := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Columns = "reliability", []string{"slb"}
			o.Where = records.Condition{"cpd": {"gaussian"}, "n": {"200"}}
		})
		drawing := string(fixture.Draws(t, pages[0], "svg"))
		for _, path := range linePath.FindAllString(drawing, -1) {
			lines += strings.Count(path, "M")
		}
		return lines, strings.Count(drawing, "fill-opacity")
	}
	lines, bands := linesAndBands(0.15, 0.25, 0.35, 0.45)
	divided, dividedBands := linesAndBands(0.15, 0.25, 0.75, 0.85)
	if divided != lines+1 || bands != 1 || dividedBands != 2 {
		t.Errorf("with a gap %d lines and %d bands, without %d and %d", divided, dividedBands, lines, bands)
	}
}

// Every cell has its own panel, whatever the value of panel.
func TestCurvesAreOfOneCell(t *testing.T) {
	study, rows := fixture.Sample(6)
	for _, panel := range [][]string{nil, {"cpd"}, {"n", "cpd"}} {
		p := figures(t, study, rows, func(o *Options) { o.Kind, o.Panel = "roc", panel })[0]
		words := fixture.Texts(t, p)
		if n := len(slices.DeleteFunc(words, func(w string) bool { return !strings.Contains(w, "n = 1000") })); n != 2 {
			t.Errorf("panel %q: %d panels at n = 1000, want 2", panel, n)
		}
	}
}

// The caption names the positive classes of all panels.
func TestCaptionsNamePositiveClasses(t *testing.T) {
	study, rows := fixture.Sample(6)
	study.Classes = map[string][]string{}
	for _, c := range rows.Cells() {
		study.Classes[c.ID] = []string{"well", "ill"}
	}
	for _, want := range []string{"of class ill:", "of class ill or class dead:"} {
		for _, kind := range []string{"roc", "reliability"} {
			p := figures(t, study, rows, func(o *Options) { o.Kind = kind })[0]
			texttest.Case(t, kind).Contains(p.Caption, want)
		}
		study.Classes["c01"] = []string{"alive", "dead"}
	}
}

// The caption lists what is not drawn: classifiers without the needed outputs, fits without kept predictions,
// and bins with few rows.
func TestCurveCaptionsListOmissions(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c00", "nb", 2, "no")
	all := study.Predictions
	keepOnly := func(keep func(replicate int, id string, p *metrics.Predictions) bool) {
		study.Predictions = fixture.KeepPredictions(all, keep)
	}
	caption := func(kind string, change func(*Options)) string {
		return captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Where = kind, records.Condition{"cpd": {"gaussian"}, "n": {"200"}}
			if change != nil {
				change(o)
			}
		})
	}
	texttest.Contains(t, caption("reliability", nil), "Failed fits: NB 1 of 12.")
	complete := rows.Rows
	rows.Rows = slices.DeleteFunc(slices.Clone(complete), func(r records.Record) bool { return r.Classifier == "nb" })
	texttest.Contains(t, caption("roc", nil), "Without results: NB.")
	rows.Rows = complete
	texttest.Contains(t, caption("reliability", func(o *Options) { o.Bins = 100 }), "bins with fewer than 25 rows, or "+
		"with rows from fewer "+
		"than 5 replicates. Lines are interrupted at these bins.")
	texttest.Contains(t, caption("roc", func(o *Options) { o.Band = "none" }),
		"Monte-Carlo standard errors are not drawn; the largest is 0.")
	keepOnly(func(_ int, id string, p *metrics.Predictions) bool {
		if id == "slb" {
			p.Probabilities = nil
		}
		if id == "5nn" {
			p.Probabilities, p.Scores = nil, nil
		}
		return true
	})
	texttest.Contains(t, caption("reliability", nil),
		"Left out, because they return no class probabilities: SLB, 5-NN.")
	texttest.Contains(t, caption("roc", nil), "Left out, because they return no scores: 5-NN.")
	keepOnly(func(replicate int, id string, _ *metrics.Predictions) bool { return id != "slb" || replicate > 4 })
	texttest.Contains(t, caption("roc", nil), "R = 8 to 12 replicates")
	texttest.Contains(t, caption("roc", nil),
		"Averages over only some replicates, because other predictions were not kept: SLB.")
	keepOnly(func(replicate int, _ string, p *metrics.Predictions) bool {
		if replicate < 3 {
			clear(p.Truth)
		}
		return true
	})
	texttest.Contains(t, caption("roc", nil),
		"Left out: up to 2 of 12 replicates in which all or none of the test rows belong to the class.")
}

// Tables replace the scores of failed fits, but curves leave out failed fits, and their captions state it.
func TestCurvesLeaveOutFailedFits(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c00", "nb", 5, "no")
	inference := view.DefaultInference()
	inference.Failures = []string{view.Worst}
	for _, kind := range []string{"roc", "reliability"} {
		o := Defaults()
		o.Kind = kind
		pages := pagesOf(t, view.New(study, rows, inference), o)
		caption := pages[0].Caption
		check := texttest.Case(t, kind)
		check.Contains(caption, "R = 11 to 12 replicates", "Curves and the areas "+
			"under them are means over successful fits only")
		check.Lacks(caption, "worst")
	}
}

// A figure omits a bin with fewer than 25 rows. A row that several folds, splits or fits test counts once.
func TestReliabilityCountsRowsOnce(t *testing.T) {
	folds := view.Sampling{OneDataSet: true, Folds: 5, TestRatio: 1. / 4}
	splits := view.Sampling{OneDataSet: true, TestRatio: 1. / 3}
	testSet := view.Sampling{OneDataSet: true, OneTestSet: true}
	for _, c := range []struct {
		name     string
		sampling view.Sampling
		units    int
		rows     int // smallest number of rows of each unit in a bin that is shown
	}{
		{"independent replicates", view.Sampling{}, 100, 1},
		{"folds of one task each", view.Sampling{DrawnProblems: true, Folds: 5}, 100, 1},
		{"5 folds", folds, 5, 5},
		{"5 folds, repeated 20 times", folds, 100, 5},
		{"an incomplete repeat", folds, 3, 9},
		{"splits that test a quarter of the rows", splits, 100, 7}, // 7 rows per 4 splits are 28
		{"training rows", view.Sampling{OneDataSet: true, OnTrainingRows: true, TestRatio: 1}, 100, 25},
		{"fits on one test set", testSet, 100, 25},
		{"one fit", testSet, 1, 25},
	} {
		for rows := range 2 * leastRows {
			a := binAverage{sampling: c.sampling, shares: make([]stats.Share, 1), predicted: make([]float64, 1)}
			p := &metrics.Predictions{Truth: make([]int, rows), Labels: make([]int, rows)}
			if rows > 0 {
				p.Probabilities = mat.NewDense(rows, 2, nil) // all of them are in the first of the bins
			}
			for range c.units {
				a.addUnit([]*metrics.Predictions{p}, 1)
			}
			if shown := len(a.curve().points) == 1; shown != (rows >= c.rows) {
				t.Errorf("%s, %d rows in each of %d units: shown %t", c.name, rows, c.units, shown)
			}
		}
	}
}

// Fits on one test set add no test rows: bins with few rows in each fit are omitted, and the caption states that
// bands ignore the variation between rows. A single fit has no bands.
func TestCurvesOfOneTestSet(t *testing.T) {
	caption := func(kind string, fits int, oneTestSet bool) string {
		study, rows := fixture.Sample(fits)
		study.Sampling = map[string]view.Sampling{"c00": {OneDataSet: oneTestSet, OneTestSet: oneTestSet}}
		return captionOf(t, study, rows, func(o *Options) {
			o.Kind, o.Where = kind, records.Condition{"cpd": {"gaussian"}, "n": {"200"}}
		})
	}
	omitted := regexp.MustCompile(`Left out: (\d+) bins with fewer than 25 rows` +
		`( \(a row that is tested several times counts once\))?`)
	count := func(caption string) (bins int, countOnce string) {
		m := omitted.FindStringSubmatch(caption)
		if m == nil {
			return 0, ""
		}
		bins, _ = strconv.Atoi(m[1])
		return bins, m[2]
	}
	ofFits, countOnce := count(caption("reliability", 12, true))
	ofReplicates, unsaid := count(caption("reliability", 12, false))
	if ofFits <= ofReplicates || countOnce == "" || unsaid != "" {
		t.Errorf("%d bins are omitted for fits%s, %d for replicates%s", ofFits, countOnce, ofReplicates, unsaid)
	}
	texttest.Contains(t, caption("roc", 12, true), "errors (between fits, not between test rows) on")
	for _, kind := range []string{"roc", "reliability"} {
		texttest.Case(t, "bands of one fit").Lacks(caption(kind, 1, true), "bands")
	}
}

// If a figure is impossible, the error names the key.
func TestCurvesThatCannotBeDrawn(t *testing.T) {
	for want, change := range map[string]func(*view.Study, *records.Records, *Options){
		"predictions: keep": func(study *view.Study, _ *records.Records, _ *Options) { study.Predictions = nil },
		"contains no predictions for this figure": func(study *view.Study, _ *records.Records, _ *Options) {
			study.Predictions = fixture.NoPredictions
		},
		`class "7" does not exist`: func(_ *view.Study, _ *records.Records, o *Options) { o.Class = "7" },
		`no class "c"; the classes are "a", "b" (cell cpd=gaussian, n=200)`: func(study *view.Study, _ *records.Records,
			o *Options) {
			o.Class, study.Classes = "c", map[string][]string{"c00": {"a", "b"}}
		},
		"do not use `excess`":                func(_ *view.Study, _ *records.Records, o *Options) { o.Excess = true },
		"allows `band: 2se` or `band: none`": func(_ *view.Study, _ *records.Records, o *Options) { o.Band = "sd" },
		"return none: NB": func(study *view.Study, _ *records.Records,
			o *Options) {
			o.Columns = []string{"nb"}
			silence(study)
		},
		"belong to cla": func(study *view.Study, _ *records.Records, o *Options) { oneClass(study) },
	} {
		study, rows := fixture.Sample(3)
		o := Defaults()
		o.Kind = "roc"
		change(&study, rows, &o)
		_, err := Draw(fixture.PapersView(study, rows), o)
		errtest.Contains(t, err, want)
	}
}

// silence removes all scores and probabilities. oneClass gives all test rows the same class.
func silence(study *view.Study) {
	spoil(study, func(p *metrics.Predictions) { p.Scores, p.Probabilities = nil, nil })
}
func oneClass(study *view.Study) { spoil(study, func(p *metrics.Predictions) { clear(p.Truth) }) }

func spoil(study *view.Study, how func(*metrics.Predictions)) {
	study.Predictions = fixture.KeepPredictions(study.Predictions, func(_ int, _ string, p *metrics.Predictions) bool {
		how(p)
		return true
	})
}

// The class of a curve is class 1 if there are two. Otherwise it is the predicted class or, for ROC curves,
// the named class.
func TestClassOfCurves(t *testing.T) {
	study, rows := fixture.Sample(3)
	study.Classes = map[string][]string{"c00": {"well", "ill"}}
	v := fixture.PapersView(study, rows)
	for _, c := range []struct {
		kind    *curveKind
		class   string
		classes int
		want    int
		words   string
	}{
		{&rocCurves, "", 2, 1, "class ill"},
		{&rocCurves, "well", 2, 0, "class well"},
		{&rocCurves, "0", 3, 0, "class well"},
		{&reliabilityCurves, "", 2, 1, "class ill"},
		{&reliabilityCurves, "", 3, -1, "the predicted class"},
	} {
		d := predictionChart{kind: c.kind, chart: &chart{request: &request{View: v, options: Options{Class: c.class}}}}
		got, err := d.positiveClass(&v.Cells[0], c.classes)
		if err != nil || got != c.want || d.positiveClasses[0] != c.words {
			t.Errorf("class %q of %d: %d, %q, %v", c.class, c.classes, got, d.positiveClasses, err)
		}
	}
	v.Classes["c00"] = append(v.Classes["c00"], "odd")
	d := predictionChart{kind: &rocCurves, chart: &chart{request: &request{View: v}}}
	_, err := d.positiveClass(&v.Cells[0], 3)
	errtest.Case(t, "three classes, none named").Contains(err, "set `class` to one of well, ill, odd")
}

// If no height is requested, both axes have the same scale: a step has the same length on both.
func TestCurvesAreSquare(t *testing.T) {
	tick := regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>0\.([28])</text>`)
	compared := 0 // narrow axes have fewer ticks
	for _, kind := range []string{"roc", "reliability"} {
		for _, width := range []string{"text", "column", "174mm"} {
			for _, where := range []records.Condition{nil, {"n": {"200"}}, {"n": {"200"}, "cpd": {"gaussian"}}} {
				study, rows := fixture.Sample(6)
				p := figures(t, study, rows, func(o *Options) { o.Kind, o.Width, o.Where = kind, width, where })[0]
				var along, up []float64
				last := map[string][2]float64{}
				for _, m := range tick.FindAllStringSubmatch(string(fixture.Draws(t, p, "svg")), -1) {
					x, _ := strconv.ParseFloat(m[1], 64)
					y, _ := strconv.ParseFloat(m[2], 64)
					if from, ok := last["2"]; ok && m[3] == "8" {
						if math.Abs(y-from[1]) < 0.1 {
							along = append(along, x-from[0])
						} else if math.Abs(x-from[0]) < 0.1 {
							up = append(up, from[1]-y)
						}
					}
					last[m[3]] = [2]float64{x, y}
				}
				if compared += len(along); len(along) > 0 && !slices.EqualFunc(along, up,
					func(a, b float64) bool { return math.Abs(a-b) < 0.1 }) {
					t.Errorf("%s, %s wide, %q: steps along %v, up %v", kind, width, where, along, up)
				}
			}
		}
	}
	if compared < 12 {
		t.Errorf("%d steps were compared", compared)
	}
}
