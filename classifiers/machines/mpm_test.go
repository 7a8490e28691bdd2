package machines

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// drawMoments draws two means and two covariance matrices in d dimensions.
func drawMoments(d int, seed uint64) (means [2][]float64, covariances [2]*mat.SymDense) {
	rng := randtest.New(seed)
	for c := range 2 {
		root := mat.NewDense(d, d, nil)
		root.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, root)
		covariances[c] = mat.NewSymDense(d, nil)
		covariances[c].SymOuterK(1, root)
		means[c] = make([]float64, d)
		for j := range d {
			means[c][j] = 2 * rng.NormFloat64()
		}
	}
	return means, covariances
}

// TestMinimaxIsOptimal: no direction has a larger kappa, where kappa = a'(m0-m1) / (sqrt(a'S0 a) + sqrt(a'S1
// a)) for an a of any length.
func TestMinimaxIsOptimal(t *testing.T) {
	for _, d := range []int{1, 2, 5, 20} {
		means, covariances := drawMoments(d, uint64(d))
		a, kappa, err := NewMPM().minimax(t.Context(), means, covariances)
		if err != nil {
			t.Fatal(err)
		}
		delta := mat.NewVecDense(d, nil)
		delta.SubVec(mat.NewVecDense(d, means[0]), mat.NewVecDense(d, means[1]))
		value := func(a *mat.VecDense) float64 {
			return mat.Dot(a, delta) / (quadraticRoot(a, covariances[0]) + quadraticRoot(a, covariances[1]))
		}
		if got := value(a); math.Abs(got-kappa) > 1e-9*kappa {
			t.Errorf("d = %d: kappa %g, its direction's %g", d, kappa, got)
		}
		rng := randtest.New(1)
		for k := range 3000 {
			b := mat.NewVecDense(d, nil)
			for j := range d {
				b.SetVec(j, a.AtVec(j)+rng.NormFloat64()*mat.Norm(a, 2)*math.Pow(10, -float64(k%5)))
			}
			if v := value(b); v > kappa*(1+1e-9) {
				t.Fatalf("d = %d: direction %v has kappa %g > %g", d, b.RawVector().Data, v, kappa)
			}
		}
	}
}

// TestMinimaxClosedForms: in one dimension kappa = |m0-m1| / (s0+s1); with
// equal covariances kappa = sqrt(delta'S^-1 delta)/2.
func TestMinimaxClosedForms(t *testing.T) {
	line := [2]*mat.SymDense{mat.NewSymDense(1, []float64{4}), mat.NewSymDense(1, []float64{9})}
	_, kappa, err := NewMPM().minimax(t.Context(), [2][]float64{{1}, {4}}, line)
	if err != nil || math.Abs(kappa-3.0/5) > 1e-12 {
		t.Errorf("kappa %g, want 0.6 (%v)", kappa, err)
	}
	means, covariances := drawMoments(6, 3)
	covariances[1] = covariances[0]
	if _, kappa, err = NewMPM().minimax(t.Context(), means, covariances); err != nil {
		t.Fatal(err)
	}
	var solved mat.VecDense
	delta := mat.NewVecDense(6, nil)
	delta.SubVec(mat.NewVecDense(6, means[0]), mat.NewVecDense(6, means[1]))
	if err := solved.SolveVec(covariances[0], delta); err != nil {
		t.Fatal(err)
	}
	if want := math.Sqrt(mat.Dot(delta, &solved)) / 2; math.Abs(kappa-want) > 1e-8*want {
		t.Errorf("kappa %g, want %g", kappa, want)
	}
}

// The bisection and the iterations have the same solution.
func TestMinimaxBisection(t *testing.T) {
	for seed := range uint64(20) {
		means, covariances := drawMoments(1+int(seed), seed)
		_, want, err := NewMPM().minimax(t.Context(), means, covariances)
		if err != nil {
			t.Fatal(err)
		}
		bisecting := NewMPM()
		bisecting.MaxIterations = 1
		_, got, err := bisecting.minimax(t.Context(), means, covariances)
		if err != nil || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%d dimensions: kappa %g by bisection, %g by iterations (%v)", 1+seed, got, want, err)
		}
	}
}

// Few rows of binary attributes have a solution, although the iterations do not find it.
func TestMPMOfFewBinaryRows(t *testing.T) {
	x := mat.NewDense(4, 4, []float64{1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	methodtest.Fit(t, NewMPM(), dataset.New(x, []int{0, 1, 0, 1}, 2))
}

// If all rows of each class are equal, the boundary lies halfway between the classes.
func TestMPMOfEqualRows(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{2, 5, 2, 5})
	rule := methodtest.Fit(t, NewMPM(), dataset.New(x, []int{0, 1, 0, 1}, 2))
	if got := rule.Predict(mat.NewDense(2, 1, []float64{3.4, 3.6})); got[0] != 0 || got[1] != 1 {
		t.Errorf("classes %v left and right of 3.5", got)
	}
}

// TestMPMBoundary: on a line the boundary lies s0/(s0+s1) of the way from m0
// to m1, whatever the scale of the column.
func TestMPMBoundary(t *testing.T) {
	for _, scale := range []float64{1, 1e-6, 1e6} {
		x := mat.NewDense(6, 1, []float64{-1, 0, 1, 8, 10, 12}) // s0 = 1, s1 = 2, boundary 10/3
		x.Scale(scale, x)
		rule := methodtest.Fit(t, NewMPM(), dataset.New(x, []int{0, 0, 0, 1, 1, 1}, 2))
		at := rule.Predict(mat.NewDense(2, 1, []float64{3.333 * scale, 3.334 * scale}))
		if at[0] != 0 || at[1] != 1 {
			t.Errorf("scale %g: classes %v left and right of the boundary", scale, at)
		}
	}
}
