package platt

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
)

// rows maps the cases in testdata/rows.csv to their rows.
func rows(t *testing.T) map[string]*struct {
	f  []float64
	up []bool
} {
	t.Helper()
	all := map[string]*struct {
		f  []float64
		up []bool
	}{}
	for _, row := range golden.Read(t, "testdata/rows.csv") {
		name := row.Value["case"]
		if all[name] == nil {
			all[name] = &struct {
				f  []float64
				up []bool
			}{}
		}
		all[name].f, all[name].up = append(all[name].f, row.Num("f")), append(all[name].up, row.Num("y") == 1)
	}
	return all
}

// R's glm and scikit-learn find the same sigmoid, up to their stopping tolerances.
func TestSigmoidGolden(t *testing.T) {
	all := rows(t)
	for file, tolerance := range map[string]float64{"testdata/glm.csv": 1e-7, "testdata/sigmoid.csv": 5e-6} {
		for _, want := range golden.Read(t, file) {
			c := all[want.Value["case"]]
			got := Fit(c.f, c.up)
			for _, v := range [][2]float64{{got.A, want.Num("a")}, {got.B, want.Num("b")}} {
				if math.Abs(v[0]-v[1]) > tolerance*max(1, math.Abs(v[1])) {
					t.Errorf("%s, %s: %+v, want A %v, B %v",
						file, want.Value["case"], got, want.Num("a"), want.Num("b"))
				}
			}
		}
	}
}

// The probabilities do not depend on the unit of the scores. Constant scores give the regularised share of
// the positive rows.
func TestSigmoidLaws(t *testing.T) {
	for name, c := range rows(t) {
		plain := Fit(c.f, c.up)
		for _, unit := range []float64{1e-200, 1e-6, 1e9, 1e200} {
			scaled := make([]float64, len(c.f))
			floats.ScaleTo(scaled, unit, c.f)
			if got := Fit(scaled, c.up); math.Abs(got.A*unit/plain.A-1) > 1e-7 || math.Abs(got.B-plain.B) > 1e-7 {
				t.Errorf("%s in units of %v: %+v, want %+v", name, unit, got, plain)
			}
		}
	}
	for _, f := range [][]float64{{3, 3, 3, 3}, {0, 0, 0, 0}} {
		got := Fit(f, []bool{true, false, true, true})
		log, logNot := got.Logs(f[0])
		share := (3*4./5 + 1./3) / 4 // the mean of the targets
		if got.A != 0 || math.Abs(math.Exp(log)-share) > 1e-9 || math.Abs(math.Exp(log)+math.Exp(logNot)-1) > 1e-12 {
			t.Errorf("constant scores %v: %+v, %v, want %v", f[0], got, math.Exp(log), share)
		}
	}
	// logarithms do not saturate
	if log, logNot := (Sigmoid{-1, 0}).Logs(900); log != 0 || logNot != -900 {
		t.Errorf("logs %v, %v", log, logNot)
	}
}

func TestCoupleGolden(t *testing.T) {
	for _, want := range golden.Read(t, "testdata/couple.csv") {
		classes := int(want.Num("classes"))
		got := Couple(classes, want.List("r"))
		for c, p := range want.List("p") {
			if math.Abs(got[c]-p) > 1e-6 { // SLSQP's precision
				t.Errorf("%d classes: %v, want %v", classes, got, want.List("p"))
				break
			}
		}
	}
}

// If the pairwise probabilities come from class probabilities, coupling returns these, also at 0 and 1.
func TestCoupleLaws(t *testing.T) {
	for _, p := range [][]float64{{0.3, 0.7}, {0.2, 0.3, 0.5}, {0.01, 0.04, 0.25, 0.7}} {
		var firstShares []float64
		for a := range p {
			for b := a + 1; b < len(p); b++ {
				firstShares = append(firstShares, p[a]/(p[a]+p[b]))
			}
		}
		got := Couple(len(p), firstShares)
		if !floats.EqualApprox(got, p, 1e-12) {
			t.Errorf("%v, want %v", got, p)
		}
	}
	sure := Couple(3, []float64{1, 1, 1}) // class 0 before 1 before 2
	if math.Abs(floats.Sum(sure)-1) > 1e-15 || !(sure[0] > 0.999) || !(sure[1] >= 0) || !(sure[2] >= 0) {
		t.Errorf("sure pairs give %v", sure)
	}
}

// scipy finds the same inverse temperatures, up to the flatness of the cross-entropy. They scale with the
// inverse of the unit of the scores. Equal scores have no temperature.
func TestInverseTemperature(t *testing.T) {
	for _, want := range golden.Read(t, "testdata/temperature.csv") {
		y, flat := golden.Wholes(t, want.Value["y"]), want.List("scores")
		scores := mat.NewDense(len(y), len(flat)/len(y), flat)
		got := InverseTemperature(scores, y)
		if w := want.Num("inverse"); math.Abs(got-w) > 1e-6*max(w, 1/mat.Max(scores)) {
			t.Errorf("%s: %v, want %v", want.Value["case"], got, w)
		}
		scores.Scale(1e6, scores)
		if scaled := InverseTemperature(scores, y) * 1e6; math.Abs(scaled-got) > 1e-9*got {
			t.Errorf("%s: %v, with scores in another unit %v", want.Value["case"], got, scaled)
		}
	}
	if got := InverseTemperature(mat.NewDense(2, 2, []float64{5, 5, 5, 5}), []int{0, 1}); got != 0 {
		t.Errorf("equal scores: %v", got)
	}
}
