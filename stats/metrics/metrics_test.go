package metrics

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/golden"
)

// made holds the rows of testdata/rows.csv, which testdata/rows.py wrote.
func made(t *testing.T) map[string]*Predictions {
	t.Helper()
	type flat struct {
		p, s []float64
		Predictions
	}
	all := map[string]*flat{}
	for _, row := range golden.Read(t, "testdata/rows.csv") {
		f := all[row.Value["case"]]
		if f == nil {
			f = &flat{}
			all[row.Value["case"]] = f
		}
		f.Truth = append(f.Truth, int(row.Num("truth")))
		f.Labels = append(f.Labels, int(row.Num("label")))
		f.p, f.s = append(f.p, row.List("p")...), append(f.s, row.List("score")...)
	}
	made := map[string]*Predictions{}
	for name, f := range all {
		n := len(f.Truth)
		f.Probabilities, f.Scores = mat.NewDense(n, len(f.p)/n, f.p), mat.NewDense(n, len(f.s)/n, f.s)
		made[name] = &f.Predictions
	}
	return made
}

func value(t *testing.T, name string, p *Predictions) float64 {
	t.Helper()
	m, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if m.Needs == Counts {
		_, classes := p.Scores.Dims()
		return m.FromCounts(NewConfusion(classes, p.Truth, p.Labels))
	}
	return m.Value(p, 0)
}

// Every metric that is not a measurement of the run equals scikit-learn's.
func TestGolden(t *testing.T) {
	rows, seen := made(t), map[string]bool{}
	for _, row := range golden.Read(t, "testdata/metrics.csv") {
		name := row.Value["metric"]
		seen[strings.Split(name, ":")[0]] = true
		if got := value(t, name, rows[row.Value["case"]]); !golden.Near(got, row.Num("value")) {
			t.Errorf("%s, %s: %v, want %v", row.Value["case"], name, got, row.Num("value"))
		}
	}
	for _, m := range Registry {
		if !m.Measured() && m.Name != costName && !seen[m.Name] {
			t.Errorf("%s has no golden value; testdata/metrics.py computes them", m.Name)
		}
	}
	for _, row := range golden.Read(t, "testdata/auc.csv") { // pROC
		if got := value(t, "auc", rows[row.Value["case"]]); !golden.Near(got, row.Num("auc")) {
			t.Errorf("%s: AUC %v, want %v", row.Value["case"], got, row.Num("auc"))
		}
	}
}

// Values lie in the registered range, and perfect predictions have the best value and loss 0.
func TestLaws(t *testing.T) {
	rows := made(t)
	for _, p := range made(t) {
		n, c := p.Scores.Dims()
		perfect := &Predictions{Truth: p.Truth, Labels: p.Truth, Probabilities: mat.NewDense(n, c, nil)}
		for i, y := range p.Truth {
			perfect.Probabilities.Set(i, y, 1)
		}
		perfect.Scores = perfect.Probabilities
		rows["perfect"] = perfect
		for _, m := range Registry {
			if m.Measured() || m.Name == costName { // cost_test.go tests expressions
				continue
			}
			name := m.Name
			if m.PerClass {
				name += ":0"
			}
			if best := value(t, name, perfect); !golden.Near(m.Loss(best), 0) {
				t.Errorf("%s of perfect predictions: %v, loss %v", name, best, m.Loss(best))
			}
			got := value(t, name, p)
			if !(got >= m.Low && got <= m.High) {
				t.Errorf("%s is %v, outside [%v, %v]", name, got, m.Low, m.High)
			}
			if loss := m.Loss(got); loss < 0 || !golden.Near(m.Loss(loss), got) {
				t.Errorf("%s: value %v, loss %v", name, got, loss)
			}
		}
	}
}

// RowLosses returns losses for exactly the metrics that are means over rows, and their mean is the loss.
func TestRowLosses(t *testing.T) {
	for _, m := range Registry {
		if m.Measured() || m.PerClass { // a class or an expression determines which rows count
			continue
		}
		isMean, hasLosses := true, false // isMean: in all cases, because some metrics are means in a few
		for title, p := range made(t) {
			loss := m.Loss(value(t, m.Name, p))
			isMean = isMean && golden.Near(meanOfRows(&m, p), loss)
			if losses := m.RowLosses(p); losses != nil {
				hasLosses = true
				if mean := floats.Sum(losses) / float64(len(losses)); !golden.Near(mean, loss) {
					t.Errorf("%s, %s: the mean of RowLosses is %v, the loss %v", title, m.Name, mean, loss)
				}
			}
		}
		if isMean != hasLosses {
			t.Errorf("%s: is a mean over rows: %t, but its meanOfRows in registry.go is %t", m.Name, isMean, hasLosses)
		}
	}
}

// meanOfRows returns the mean of the losses of single rows.
func meanOfRows(m *Metric, p *Predictions) float64 {
	n, classes := p.Scores.Dims()
	sum := 0.0
	for i := range n {
		row := p.row(i)
		row.Scores = mat.NewDense(1, classes, p.Scores.RawRowView(i))
		sum += m.Loss(m.Value(row, classes))
	}
	return sum / float64(n)
}

// A metric is NaN if the rule does not return its input.
func TestLacking(t *testing.T) {
	p := &Predictions{Truth: []int{0, 1}, Labels: []int{0, 1}}
	for _, m := range Registry {
		if m.Needs == Probabilities || m.Needs == Scores {
			if got := m.Value(p, 2); !math.IsNaN(got) {
				t.Errorf("%s without %s: %v", m.Name, m.Needs, got)
			}
		}
		if got := m.FromCounts(nil); !math.IsNaN(got) {
			t.Errorf("%s without counts: %v", m.Name, got)
		}
	}
	p.Truth, p.Scores = []int{1, 1}, mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	if got := value(t, "auc", p); !math.IsNaN(got) {
		t.Errorf("AUC of one class: %v", got)
	}
}

// A metric has no value before its class is looked up, or if the data lack the class. Without
// class names, codes are accepted.
func TestClassesThatDataLack(t *testing.T) {
	p := &Predictions{Truth: []int{0, 1}, Labels: []int{0, 1}, Scores: mat.NewDense(2, 2, []float64{1, 0, 0, 1})}
	for _, m := range Registry {
		if !m.PerClass || m.Name == costName {
			continue
		}
		for _, class := range []string{"rose", "2", "7"} {
			one := find(m.Name + ":" + class)
			if counts, rows := one.FromCounts(NewConfusion(2, p.Truth,
				p.Labels)), one.Value(p, 2); !math.IsNaN(counts) || !math.IsNaN(rows) {
				t.Errorf("%s: %v from counts, %v from rows", one.Name, counts, rows)
			}
			if !one.Undefined(NewConfusion(2, p.Truth, p.Labels)) {
				t.Errorf("%s: test rows without the class are not the reason for the missing value", one.Name)
			}
		}
	}
}

// A metric that can be undefined for one true class, one predicted class or a missing class states when.
func TestUndefinedMetricsHaveAReason(t *testing.T) {
	for _, m := range Registry {
		name := m.Name
		if m.PerClass {
			name += ":1"
		}
		if m.Name == costName {
			name = costName + ":n(0,1)/n(_,1)"
		}
		metric, err := find(name).InClasses([]string{"0", "1"})
		if err != nil {
			t.Fatal(err)
		}
		undefined := m.PerClass
		for _, label := range []int{0, 1} {
			p := &Predictions{Truth: []int{0, 0}, Labels: []int{label, label},
				Scores: mat.NewDense(2, 2, nil), Probabilities: mat.NewDense(2, 2, []float64{0.5, 0.5, 0.5, 0.5})}
			undefined = undefined || !m.Measured() && math.IsNaN(metric.Value(p, 2))
		}
		if undefined != (m.UndefinedIf != "") {
			t.Errorf("%s can be undefined: %v, but UndefinedIf is %q", name, undefined, m.UndefinedIf)
		}
	}
}

// A constant added to all scores of a row does not change the metrics. Rows where no class is
// possible tie.
func TestRanksOfScores(t *testing.T) {
	for _, metric := range []string{"auc", "average_precision:0", "average_precision:1"} {
		for name, p := range made(t) {
			alone := &Predictions{Truth: p.Truth, Labels: p.Labels, Scores: mat.DenseCopyOf(p.Scores)}
			// sums are exact
			alone.Scores.Apply(func(_, _ int, v float64) float64 { return math.Round(v*(1<<20)) / (1 << 20) }, p.Scores)
			want := value(t, metric, alone)
			n, classes := p.Scores.Dims()
			for i := range n {
				for c := range classes {
					alone.Scores.Set(i, c, alone.Scores.At(i, c)+float64(1024*(i%7)))
				}
			}
			if got := value(t, metric, alone); !golden.Near(got, want) {
				t.Errorf("%s: %s %v, with rows shifted %v", name, metric, want, got)
			}
		}
	}
	no := math.Inf(-1)
	// neither class is possible: a tie
	for _, scores := range [][]float64{{0, 1, no, no, 1, 0, 0, 2}, {0, 1, 0, 0, 1, 0, 0, 2}} {
		p := &Predictions{Truth: []int{1, 0, 0, 1}, Labels: []int{1, 0, 0, 1}, Scores: mat.NewDense(4, 2, scores)}
		for _, metric := range []string{"auc", "average_precision:0", "average_precision:1"} {
			if got := value(t, metric, p); got != 1 {
				t.Errorf("scores %v: %s %v, want 1", scores, metric, got)
			}
		}
	}
}

// Rows with equal scores form one step in any order: constant scores have the average precision
// of the class's share.
func TestAveragePrecisionOfTies(t *testing.T) {
	p := &Predictions{Truth: []int{1, 0, 0, 0, 1, 0, 0, 0}, Scores: mat.NewDense(8, 2, nil)}
	if got := value(t, "average_precision:1", p); got != 0.25 {
		t.Errorf("%v, want 0.25", got)
	}
}

func TestLookup(t *testing.T) {
	for name, ok := range map[string]bool{"auc": true, "precision:1": true, "precision": false, "auc:1": false,
		"precision:": false, "precision:x": true, "precision:-1": true, "roc": false} {
		m, err := Lookup(name)
		if (err == nil) != ok || ok && m.Name != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
	_, err := Lookup("roc")
	errtest.Contains(t, err, "precision:CLASS")
	const placeholder = ` (replace words in capitals, as in precision:ill or cost:n(ill,_)/n for the class "ill")`
	for name, want := range map[string]string{
		"recall": `; did you mean "sensitivity:CLASS"?` + placeholder,
		"cost":   `; did you mean "cost:EXPRESSION"?` + placeholder,
		"eror":   `; did you mean "error"?`,
	} {
		_, err := Lookup(name)
		errtest.Case(t, name).HasSuffix(err, want)
	}
	if _, err := Lookup("cost:n(ill,_)/n"); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, m := range Registry {
		if seen[m.Name] || m.Label == "" || m.Source == "" || !(m.Low < m.High) || m.Higher && m.High != 1 {
			t.Errorf("entry %s is incomplete or not unique", strconv.Quote(m.Name))
		}
		seen[m.Name] = true
	}
}

// Adding the confusion matrices of folds gives the matrix of all rows.
func TestConfusionAdd(t *testing.T) {
	p := made(t)["three"]
	whole := NewConfusion(3, p.Truth, p.Labels)
	sum := NewConfusion(3, p.Truth[:30], p.Labels[:30])
	sum.Add(NewConfusion(3, p.Truth[30:], p.Labels[30:]))
	if !golden.Near(balancedError(whole, 0), balancedError(sum, 0)) || whole.Errors() != sum.Errors() ||
		whole.Rows() != len(p.Truth) {
		t.Errorf("%v and %v", whole, sum)
	}
}

// Scores that differ only by rounding tie: if they are equal up to 1e-13, the AUC is 1/2.
func TestScoresThatDifferByRoundingTie(t *testing.T) {
	p := &Predictions{Truth: []int{0, 1, 0, 1, 0, 1}, Scores: mat.NewDense(6, 2, nil)}
	for i, class := range p.Truth {
		p.Scores.Set(i, 0, 40)
		p.Scores.Set(i, 1, 40+1e-13*40*float64(class))
	}
	if got := value(t, "auc", p); got != 0.5 {
		t.Errorf("AUC of scores that are equal but for rounding: %v, want 0.5", got)
	}
	p.Scores.Set(1, 1, 40+1e-6)
	if got := value(t, "auc", p); got <= 0.5 {
		t.Errorf("AUC with one larger score: %v, want more than 0.5", got)
	}
	if steps := stepsDown(p, 1)(eachOnce(6)); len(steps) != 2 {
		t.Errorf("%d steps of two different scores", len(steps))
	}
}

// Probabilities of two classes are ranked by their odds, so both ends of the range are resolved. Exchanging the classes
// changes no metric, and DeLong's test and the ROC curve agree with the AUC.
func TestSaturatedProbabilities(t *testing.T) {
	truth := []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	// In ascending order of the odds. Two pairs of neighbours differ only by rounding.
	probabilities := mat.NewDense(10, 2, []float64{
		1, 0, 1, 1e-300, 1, 1e-40, 1, 1e-12, 0.3, 0.7, 1 - 0.7, 0.1 + 0.6,
		1e-12, 1, 1e-12 * (1 + 1e-14), 1, 1e-40, 1, 1e-300, 1,
	})
	p := &Predictions{Truth: truth, Scores: probabilities, Probabilities: probabilities}
	// Of the 25 pairs, rows of class 1 win 1 + 2 + 2.5 + 3.5 + 5, because two pairs tie.
	if got := value(t, "auc", p); got != 14./25 {
		t.Errorf("AUC %v, want %v", got, 14./25)
	}
	steps := stepsDown(p, 1)(eachOnce(10))
	if want := []step{{1, 1}, {2, 1}, {4, 2}, {6, 3}, {7, 4}, {8, 4}, {9, 5}, {10, 5}}; !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	if got := NewROC(p, 1).Area(); !golden.Near(got, 14./25) {
		t.Errorf("area under the ROC curve %v, want %v", got, 14./25)
	}
	if d, err := DeLong(one(p), one(p)); err != nil || !golden.Near(d.First, 14./25) {
		t.Errorf("DeLong's AUC %v, want %v; %v", d.First, 14./25, err)
	}

	exchanged := &Predictions{Scores: mat.NewDense(10, 2, nil)}
	for i, class := range truth {
		exchanged.Truth = append(exchanged.Truth, 1-class)
		exchanged.Scores.SetRow(i, []float64{probabilities.At(i, 1), probabilities.At(i, 0)})
	}
	renamed := &Predictions{Truth: exchanged.Truth, Scores: probabilities}
	if got, want := value(t, "auc", exchanged), value(t, "auc", p); got != want {
		t.Errorf("AUC %v after the exchange of classes, want %v", got, want)
	}
	if got := value(t, "auc", renamed); got != 11./25 {
		t.Errorf("AUC %v of the opposite ranking, want %v", got, 11./25)
	}
	for from, to := range []string{"average_precision:1", "average_precision:0"} {
		name := "average_precision:" + strconv.Itoa(from)
		if got, want := value(t, to, exchanged), value(t, name, p); got != want {
			t.Errorf("%s: %v after the exchange of classes, want %v", to, got, want)
		}
	}
}

// A chain of odds that each tie with the next one is a single tie for both classes.
func TestTiesDoNotDependOnTheOrderOfClasses(t *testing.T) {
	p := &Predictions{Truth: []int{0, 1, 0}, Scores: mat.NewDense(3, 2, nil)}
	for i := range 3 {
		v := 1e-5 * (1 + 0.7e-10*float64(i))
		p.Scores.SetRow(i, []float64{1 - v, v})
	}
	for _, class := range []int{0, 1} {
		if steps := stepsDown(p, class)(eachOnce(3)); len(steps) != 1 {
			t.Errorf("class %d: steps %v of a single tie", class, steps)
		}
	}
}

// Ties preserve the order of small probabilities and infinite scores.
func TestScoresOfKeepsOrder(t *testing.T) {
	values := []float64{math.Inf(-1), 1e-300, 2e-300, 0.5, 0.5 + 1e-13, math.Inf(1)}
	got := tieScores(len(values), func(i int) (float64, float64) { return values[i], math.Abs(values[i]) })
	want := []float64{math.Inf(-1), 1e-300, 2e-300, 0.5, 0.5, math.Inf(1)}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Rows that count several times have the same effect as copies of these rows among the predictions.
func TestResampled(t *testing.T) {
	names := []string{"error", "mcc", "sensitivity:0", "cost:n(0,1)/n", "log_loss", "ece", "auc", "average_precision:1"}
	for title, p := range made(t) {
		n, classes := p.Scores.Dims()
		times := make([]int, n)
		sample := &Predictions{}
		var probabilities, scores []float64
		for i := range times {
			times[i] = i % 3
			for range times[i] {
				sample.Truth, sample.Labels = append(sample.Truth, p.Truth[i]), append(sample.Labels, p.Labels[i])
				probabilities = append(probabilities, p.Probabilities.RawRowView(i)...)
				scores = append(scores, p.Scores.RawRowView(i)...)
			}
		}
		sample.Probabilities = mat.NewDense(len(sample.Truth), classes, probabilities)
		sample.Scores = mat.NewDense(len(sample.Truth), classes, scores)
		for _, name := range names {
			m, err := find(name).InClasses(nil)
			if err != nil {
				t.Fatal(err)
			}
			got, want := m.Resampled(p, classes)(times), m.Value(sample, classes)
			if !golden.Near(got, want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s, %s: %v, want %v", title, name, got, want)
			}
		}
	}
}

// A rare third class does not matter to a metric of one class, but few rows predicted as the class do.
func TestIndependentRows(t *testing.T) {
	p := &Predictions{Truth: []int{0, 0, 0, 0, 1, 1, 1, 2, 2}, Labels: []int{0, 0, 0, 0, 0, 0, 0, 0, 1}}
	for name, want := range map[string]int{"error": 9, "sensitivity:0": 4, "precision:1": 1, "ber": 6, "f1": 2,
		"auc": 2, "average_precision:0": 4, "cost:n(0,_)/n": 2} {
		if n := find(name).IndependentRows(p); n != want {
			t.Errorf("%s: %d rows, want %d", name, n, want)
		}
	}
}
