package metrics

import (
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
)

// scored returns predictions of two classes from one score per row.
func scored(truth []int, score []float64) *Predictions {
	p := &Predictions{Truth: truth, Scores: mat.NewDense(len(truth), 2, nil)}
	for i, s := range score {
		p.Scores.Set(i, 1, s)
	}
	return p
}

// one returns a list of a single fit.
func one(p *Predictions) []*Predictions { return []*Predictions{p} }

// DeLong compares mean AUCs of several fits: a repeated fit changes nothing, and the difference
// of means is the mean difference.
func TestDeLongOfSeveralFits(t *testing.T) {
	truth := []int{0, 0, 0, 1, 1, 1}
	a, b := scored(truth, []float64{1, 2, 3, 2, 4, 5}), scored(truth, []float64{1, 4, 3, 2, 0, 5})
	single, err := DeLong(one(a), one(b))
	if err != nil {
		t.Fatal(err)
	}
	twice, err := DeLong([]*Predictions{a, a}, one(b))
	if err != nil || math.Abs(twice.SE-single.SE) > 1e-12 || math.Abs(twice.First-single.First) > 1e-12 {
		t.Errorf("%+v, want %+v, %v", twice, single, err)
	}
	mixed, err := DeLong([]*Predictions{a, b}, one(b))
	want := (value(t, "auc", a) - value(t, "auc", b)) / 2
	if err != nil || math.Abs(mixed.First-mixed.Second-want) > 1e-12 ||
		math.Abs(mixed.SE-single.SE/2) > 1e-12 {
		t.Errorf("%+v, want a difference of %v and half of %v, %v", mixed, want, single.SE, err)
	}
}

// The golden values are from testdata/metrics.R with pROC.
func TestDeLongAgainstPROC(t *testing.T) {
	rows := made(t)
	for _, row := range golden.Read(t, "testdata/delong.csv") {
		first := rows[row.Value["case"]]
		d, err := DeLong(one(first), one(scored(first.Truth, row.List("second"))))
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2]float64{
			"first AUC":  {d.First, row.Num("auc1")},
			"second AUC": {d.Second, row.Num("auc2")},
			"z":          {(d.First - d.Second) / d.SE, row.Num("z")},
			"p":          {d.PValue(0, stats.TwoSided), row.Num("p")},
		} {
			if !golden.Near(pair[0], pair[1]) {
				t.Errorf("%s: %s is %v, want %v", row.Value["case"], name, pair[0], pair[1])
			}
		}
		s := d.Shift(0.95)
		if excludes := s.Low > 0 || s.High < 0; excludes != (d.PValue(0, stats.TwoSided) <= 0.05) {
			t.Errorf("%s: p %v, %+v", row.Value["case"], d.PValue(0, stats.TwoSided), s)
		}
		if got := value(t, "auc", first); math.Abs(got-d.First) > 1e-12 {
			t.Errorf("%s: AUC %v, the metric is %v", row.Value["case"], d.First, got)
		}
	}
}

func TestDeLongRefuses(t *testing.T) {
	p := scored([]int{0, 0, 1, 1}, []float64{1, 2, 3, 4})
	if d, err := DeLong(one(p), one(p)); err != nil || d.PValue(0, stats.TwoSided) != 1 {
		t.Errorf("a rule against itself: %+v, %v", d, err)
	}
	for name, other := range map[string]*Predictions{
		"other rows":      scored([]int{0, 1, 1, 1}, []float64{1, 2, 3, 4}),
		"no scores":       {Truth: p.Truth},
		"one row of each": scored([]int{0, 1}, []float64{1, 2}),
		"three classes":   {Truth: p.Truth, Scores: mat.NewDense(4, 3, nil)},
	} {
		if _, err := DeLong(one(p), one(other)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	few := one(scored([]int{0, 1, 1}, []float64{1, 2, 3}))
	if _, err := DeLong(few, few); err == nil {
		t.Error("one row of a class: no error")
	}
}

// The test keeps its level for two rules of equal AUC, about 0.76, on the same rows.
func TestSizeDeLong(t *testing.T) {
	studies := 400
	if os.Getenv("COPSE_LONG") != "" {
		studies = 10_000
	}
	for _, n := range []int{50, 200} {
		rng := randtest.New(41)
		rejected := 0
		for range studies {
			truth, first, second := make([]int, n), make([]float64, n), make([]float64, n)
			for i := range truth {
				truth[i] = i % 2
				signal := float64(truth[i]) + 0.5*rng.NormFloat64()
				first[i], second[i] = signal+0.866*rng.NormFloat64(), signal+0.866*rng.NormFloat64()
			}
			d, err := DeLong(one(scored(truth, first)), one(scored(truth, second)))
			if err != nil {
				t.Fatal(err)
			}
			if d.PValue(0, stats.TwoSided) <= 0.05 {
				rejected++
			}
		}
		level, se := float64(rejected)/float64(studies), math.Sqrt(0.05*0.95/float64(studies))
		t.Logf("DeLong, %d rows: rejects %.1f%% of %d studies (standard error %.1f)", n, 100*level, studies, 100*se)
		if level > 0.06+3*se {
			t.Errorf("DeLong, %d rows: rejects %.1f%% of %d studies", n, 100*level, studies)
		}
	}
}
