package kde

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/internal/errtest"
)

var rules = []Rule{PlugIn, SymmetricPlugIn, NormalReference, Matlab}

// affine returns a + b x, the last value first.
func affine(x []float64, a, b float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[len(x)-1-i] = a + b*v
	}
	return y
}

func close2(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Abs(want)
}

// Bandwidths are multiplied like the units and do not depend on a shift or on the order of rows. The factor
// must be positive, because the plug-in omits the largest observation.
func TestBandwidthsAreEquivariant(t *testing.T) {
	x, y := benchmarkSample(150)
	const a, b, c = 3, 2.5, 0.4
	for _, r := range rules {
		h, err1 := r.Bandwidth(x)
		moved, err2 := r.Bandwidth(affine(x, a, b))
		if err1 != nil || err2 != nil || !close2(moved, b*h, 1e-10) {
			t.Errorf("%s: h = %v, of a + b x %v; %v %v", r, h, moved, err1, err2)
		}
		h2, err1 := r.Bandwidth2(x, y)
		moved2, err2 := r.Bandwidth2(affine(x, a, b), affine(y, -a, c))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if !r.Product() { // sphering commutes with common units alone
			moved2, err2 = r.Bandwidth2(affine(x, a, b), affine(y, -a, b))
			h2.XY *= b / c
			h2.YY *= b * b / (c * c)
		}
		if err2 != nil || !close2(moved2.XX, b*b*h2.XX, 1e-9) || !close2(moved2.YY, c*c*h2.YY, 1e-9) ||
			!(math.Abs(moved2.XY-b*c*h2.XY) <= 1e-9*h2.XX) || !(moved2.Det() > 0) {
			t.Errorf("%s: H = %v, of the moved sample %v", r, h2, moved2)
		}
	}
}

// Densities are not negative, integrate to 1 and to their distribution function.
func TestDensitiesIntegrateToOne(t *testing.T) {
	x, y := benchmarkSample(120)
	for _, r := range rules {
		h, err := r.Bandwidth(x)
		if err != nil {
			t.Fatal(err)
		}
		f := New(x, h)
		const step = 0.01
		lo, hi := slices.Min(x)-9*h, slices.Max(x)+9*h
		sum := 0.0
		for s := lo; s < hi; s += step { // the trapezoid rule is exact to rounding here
			if p := f.At(s); p < 0 {
				t.Fatalf("%s: f(%v) = %v", r, s, p)
			}
			sum += step * f.At(s)
			if i := int((s - lo) / step); i%50 == 0 {
				if got := f.CDF(s + step/2); math.Abs(got-sum) > 1e-4 {
					t.Fatalf("%s: F(%v) = %v, integral %v", r, s, got, sum)
				}
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the integral is %v", r, sum)
		}
		h2, err := r.Bandwidth2(x, y)
		if err != nil {
			t.Fatal(err)
		}
		g := New2(x, y, h2)
		sum = 0
		const coarse = 0.12
		for s := -8.0; s < 8; s += coarse {
			for u := -10.0; u < 10; u += coarse {
				p := g.At(s, u)
				if p < 0 {
					t.Fatalf("%s: f(%v,%v) = %v", r, s, u, p)
				}
				sum += coarse * coarse * p
			}
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("%s: the integral in the plane is %v", r, sum)
		}
	}
}

func TestFloor(t *testing.T) {
	x, y := benchmarkSample(100)
	f, g := New(x, 0.3), New2(x, y, H2{0.1, 0.05, 0.2})
	for _, floor := range []float64{1e-10, 1e-300, 1e-3} {
		for _, at := range []float64{1e3, -1e6, 1e200, -math.MaxFloat64} {
			if got := Log(f.At(at), floor); got != math.Log(floor) {
				t.Errorf("log density at %v with floor %v: %v", at, floor, got)
			}
			if got := Log(g.At(at, -at), floor); got != math.Log(floor) {
				t.Errorf("log density at (%v,%v) with floor %v: %v", at, -at, floor, got)
			}
		}
	}
}

func TestNoBandwidth(t *testing.T) {
	constant, line := []float64{3, 3, 3}, []float64{1, 2, 3}
	for _, test := range []struct {
		what string
		x, y []float64
		want string
	}{
		{"constant", constant, line, "all 3 values equal 3"},
		{"constant second", line, constant, "all 3 values equal 3"},
		{"one row", line[:1], line[:1], "at least two values"},
	} {
		for _, r := range []Rule{PlugIn, NormalReference} {
			_, err := r.Bandwidth2(test.x, test.y)
			errtest.Case(t, fmt.Sprintf("%s, %s", r, test.what)).Contains(err, test.want)
		}
	}
	dependent := affine(line, 5, -2)
	if _, err := Hpi(line, dependent, false); err != errSingular {
		t.Errorf("linearly dependent variables: error %v", err)
	}
	want, _ := NormalReference.Bandwidth2(line, dependent)
	if h, err := PlugIn.Bandwidth2(line, dependent); err != nil || h != want {
		t.Errorf("linearly dependent variables: %v, %v; want %v", h, err, want)
	}
	// ksdensity's scale is the range if most values are equal, and 1 if all are.
	if h, err := Matlab.Bandwidth([]float64{1, 1, 1, 1, 7}); err != nil || !close2(h, 6*math.Pow(4.0/15, 0.2), 1e-15) {
		t.Errorf("mostly equal values: %v, %v", h, err)
	}
	if h, err := Matlab.Bandwidth(constant); err != nil || h != 1 {
		t.Errorf("equal values: %v, %v", h, err)
	}
	// the plug-in's interquartile range is 0
	if h, err := PlugIn.Bandwidth([]float64{1, 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 1}); err != nil || !(h > 0) {
		t.Errorf("no interquartile range: %v, %v", h, err)
	}
	for _, tiny := range [][]float64{{0, 1}, {0, 1, 1, 1, 1}, {0, 0, 0, 1}} {
		if h, err := PlugIn.Bandwidth(tiny); err != nil || !(h > 0) || math.IsInf(h, 0) {
			t.Errorf("%v: %v, %v", tiny, h, err)
		}
	}
}

// The symmetric plug-in bandwidths of a sample and of its reflection are equal, and so
// are those of (x, y) and (y, x). Those of ks differ.
func TestSymmetricPlugIn(t *testing.T) {
	x, y := benchmarkSample(150)
	for r, equal := range map[Rule]bool{SymmetricPlugIn: true, PlugIn: false} {
		h, err1 := r.Bandwidth(x)
		reflected, err2 := r.Bandwidth(affine(x, 0, -1))
		if err1 != nil || err2 != nil || close2(reflected, h, 1e-10) != equal {
			t.Errorf("%s: h = %v, of -x %v; %v %v", r, h, reflected, err1, err2)
		}
		h2, err1 := r.Bandwidth2(x, y)
		swapped, err2 := r.Bandwidth2(y, x)
		if err1 != nil || err2 != nil ||
			close2(swapped.YY, h2.XX, 1e-9) != equal || close2(swapped.XX, h2.YY, 1e-9) != equal {
			t.Errorf("%s: H = %v, of (y, x) %v; %v %v", r, h2, swapped, err1, err2)
		}
	}
}
