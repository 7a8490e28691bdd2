package kde

import (
	"math"
	"testing"
)

// The logarithm of a single kernel is its exponent at any point.
func TestTailOfOneKernel(t *testing.T) {
	for _, at := range []float64{0, 1, -40, 1e3, -1e9, 1e60} {
		d := New([]float64{2}, 0.5)
		u := (at - 2) / 0.5
		want := -u*u/2 - math.Log(0.5*math.Sqrt(2*math.Pi))
		for _, got := range []float64{d.Log(at), d.Tail(at)} {
			if !(math.Abs(got-want) <= 1e-14*math.Abs(want)+1e-14) {
				t.Errorf("log density at %g: %v, want %v", at, got, want)
			}
		}
		h := H2{XX: 0.25, XY: 0.3, YY: 1}
		a, b := at-2, at/2+1
		q := (h.YY*a*a - 2*h.XY*a*b + h.XX*b*b) / h.Det()
		want = -q/2 - math.Log(2*math.Pi*math.Sqrt(h.Det()))
		if got := Tail2([]float64{2}, []float64{-1}, h, at, at/2); !(math.Abs(got-want) <= 1e-13*math.Abs(want)+1e-13) {
			t.Errorf("bivariate log density at %g: %v, want %v", at, got, want)
		}
	}
}

// If sums are accurate to all digits, both methods agree. The change of method in Log is continuous: beyond
// the largest observation, values decrease steadily.
func TestTailContinuesTheSums(t *testing.T) {
	for _, n := range []int{5, 40, 300} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = math.Sin(float64(3*i)), math.Cos(float64(5*i*i))
		}
		d, h := New(x, 0.05), H2{XX: 0.01, XY: 0.004, YY: 0.02}
		joint := New2(x, y, h)
		before := math.Inf(1)
		for at := 1.0; at < 4; at += 0.01 {
			got := d.Log(at)
			if !(got < before) {
				t.Errorf("%d rows: log density %v at %g, %v a step before", n, got, at, before)
			}
			before = got
			if v := d.At(at); v > Least(d.Peak()) &&
				!(math.Abs(d.Tail(at)-math.Log(v)) <= 1e-11*math.Abs(math.Log(v))+1e-12) {
				t.Errorf("%d rows, at %g: %v term by term, %v from the sum", n, at, d.Tail(at), math.Log(v))
			}
			if v := joint.At(at, -at); v > Least(h.Peak()) &&
				!(math.Abs(Tail2(x, y, h, at, -at)-math.Log(v)) <= 1e-11*math.Abs(math.Log(v))+1e-12) {
				t.Errorf("%d rows, at (%g,%g): %v term by term, %v from the sum",
					n, at, -at, Tail2(x, y, h, at, -at), math.Log(v))
			}
		}
	}
}

// Logarithms are finite, also so far away that squares overflow.
func TestTailIsFinite(t *testing.T) {
	x, y := []float64{-1e-300, 0, 2e-300}, []float64{1e300, -1e300, 0}
	for _, at := range []float64{math.MaxFloat64, -math.MaxFloat64, 0} {
		for _, got := range []float64{New(x, 1e-300).Log(at), New(y, 1e300).Log(at),
			Tail2(x, x, H2{XX: 1e-20, YY: 1e-20}, at, -at)} {
			if math.IsNaN(got) || math.IsInf(got, 0) {
				t.Errorf("at %g: %v", at, got)
			}
		}
	}
}

// Bandwidths are in the units of the columns, for any units.
func TestBandwidthsOfExtremeColumns(t *testing.T) {
	x, y := make([]float64, 80), make([]float64, 80)
	for i := range x {
		x[i] = math.Sin(float64(3 * i))
		y[i] = x[i] + math.Cos(float64(5*i*i))
	}
	for _, rule := range []Rule{PlugIn, NormalReference, Matlab} {
		want, err := rule.Bandwidth(x)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := rule.Bandwidth2(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float64{1e-300, 1e-5, 1e200, 1e305} {
			h, err := rule.Bandwidth(times(x, unit))
			if err != nil || !(math.Abs(h/unit/want-1) <= 1e-9) {
				t.Errorf("%s in units of %g: %v instead of %v, %v", rule, unit, h/unit, want, err)
			}
		}
		h, err := rule.Bandwidth2(times(x, 1e7), times(y, 1e-6))
		if err != nil || !(math.Abs(h.XX/1e14/wide.XX-1) <= 1e-9 && math.Abs(h.XY*0.1-wide.XY) <= 1e-9*wide.XX) {
			t.Errorf("%s: %v in other units, %v before, %v", rule, h, wide, err)
		}
	}
	x[7] = 1e250 // the polynomials of the pairs with it overflow
	if h, err := EpanechnikovBandwidth(x[:40], false); err != nil || !(h > 0 && h < 10) {
		t.Errorf("bandwidth %v with one huge value, %v", h, err)
	}
	if h, err := PlugIn.Bandwidth([]float64{1, 2, 3, 1e300, -1e308, 1.7e308}); err == nil &&
		!(h > 0 && h <= math.MaxFloat64) {
		t.Errorf("bandwidth %v without an error", h)
	}
}

func times(x []float64, unit float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v * unit
	}
	return z
}
