package vecmath

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

// sample returns n draws of N(0, scale^2).
func sample(rng *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
	}
	return x
}

var extremes = []float64{0, -0.5, -1e-300, -1e-17, -700, -708, -708.5, -708.74, -708.76, -709, -710, -745, -1e5, -1e308,
	math.Inf(-1), 1, 709}

// A version of the kernels.
type version struct {
	name        string
	asm, avx512 bool
}

// versions lists the versions that this processor and build support, the fastest first.
func versions() []version {
	all := []version{{"AVX-512", true, true}, {"AVX2", true, false}, {"plain Go", false, false}}
	return slices.DeleteFunc(all, func(v version) bool { return v.asm && !useAsm || v.avx512 && !useAVX512 })
}

// run calls f with one version.
func (v version) run(f func()) {
	asm, avx512 := useAsm, useAVX512
	useAsm, useAVX512 = v.asm, v.avx512
	defer func() { useAsm, useAVX512 = asm, avx512 }()
	f()
}

// everyWay runs f with all versions and tests that the results are identical.
func everyWay(t *testing.T, f func() []float64) []float64 {
	t.Helper()
	var first []float64
	for k, v := range versions() {
		var got []float64
		v.run(func() { got = f() })
		if k == 0 {
			first = got
		}
		for i := range first {
			if math.Float64bits(first[i]) != math.Float64bits(got[i]) {
				t.Fatalf("element %d: %s gives %v, %s gives %v", i, versions()[0].name, first[i], v.name, got[i])
			}
		}
	}
	return first
}

func TestSameBits(t *testing.T) {
	for _, v := range versions() {
		t.Logf("compared: %s", v.name)
	}
	rng := randtest.New(1)
	for n := range 70 {
		x, y, w := sample(rng, n, 3), sample(rng, n, 2), sample(rng, n, 1)
		negative := make([]float64, n)
		for i := range negative {
			negative[i] = -300 * rng.ExpFloat64()
			if n > 2*len(extremes) && i < len(extremes) {
				negative[i] = extremes[i]
				x[i], y[i] = math.Sqrt(math.Abs(extremes[i])), 0.3
			}
		}
		everyWay(t, func() []float64 { dst := make([]float64, n); Exp(dst, negative); return dst })
		everyWay(t, func() []float64 { dst := make([]float64, n); Gauss(dst, x, 0.4, 0.7); return dst })
		everyWay(t, func() []float64 {
			sums := []float64{SumGauss2(x, y, 0.3, -0.2)}
			for k := range n % 6 {
				sums = append(sums, SumGauss2(x, y, w[k], y[k]))
			}
			return sums
		})
		everyWay(t, func() []float64 {
			m := [Powers]float64{1, 2}
			v := append([]float64{}, w...)
			Moments(v, y, &m)
			return append(v, m[:]...)
		})
		positive := make([]float64, n)
		for i := range positive {
			positive[i] = math.Exp(50 * rng.NormFloat64())
			if i%7 == 3 {
				positive[i] = float64(i-10) * 1e-12
			}
		}
		everyWay(t, func() []float64 { dst := make([]float64, n); Log(dst, positive, 1e-10); return dst })
		u, v := withFar(sample(rng, n, 2)), withFar(y)
		everyWay(t, func() []float64 { m := [5]float64{}; Hermite4(u, v, n, &m); return m[:] })
		everyWay(t, func() []float64 { m := [3]float64{}; Hermite6(u, v, n, &m); return m[:] })
		a, b := sample(rng, TileRows*(n+3), 1), sample(rng, TileColumns*(n+3), 1)
		everyWay(t, func() []float64 {
			m := [TileRows * TileColumns]float64{1, 2, 3, 4, 5}
			Dots(a, b, n+3, n, &m)
			return m[:]
		})
		tiles := []Tile{{0, 2}, {1, 0}, {1, 3}, {1, 1}, {2, 3}, {2, 0}} // runs of 1, 3 and 2 of the same rows
		rows, start := sample(rng, 6*(n+3), 1), sample(rng, len(tiles)*TileRows*TileColumns, 1)
		each := everyWay(t, func() []float64 {
			m := slices.Clone(start)
			AddTileDots(m, rows, n+3, n, tiles)
			return m
		})
		for k, at := range tiles {
			m := [TileRows * TileColumns]float64(start[k*TileRows*TileColumns:])
			Dots(rows[at.Row*(n+3):], rows[at.Column*(n+3):], n+3, n, &m)
			if !slices.Equal(m[:], each[k*len(m):][:len(m)]) {
				t.Fatalf("n = %d, tile %d: %v, want %v", n, k, each[k*len(m):][:len(m)], m)
			}
		}
	}
}

// withFar returns a copy of x with a margin.
func withFar(x []float64) []float64 {
	return append(slices.Clone(x), slices.Repeat([]float64{Far}, Margin)...)
}

// exact returns e^x to about 100 digits.
func exact(x float64) *big.Float {
	const halvings, terms, precision = 40, 20, 400
	r := new(big.Float).SetPrec(precision).SetFloat64(x)
	r.SetMantExp(r, -halvings)
	sum := new(big.Float).SetPrec(precision).SetInt64(1)
	term := new(big.Float).SetPrec(precision).SetInt64(1)
	for k := int64(1); k < terms; k++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func TestExpAccuracy(t *testing.T) {
	rng := randtest.New(2)
	x := append([]float64{}, -1, -707.9, 0, 1, 700)
	for range 400 {
		x = append(x, -0.5*rng.ExpFloat64(), -700*rng.Float64())
	}
	dst := make([]float64, len(x))
	Exp(dst, x)
	for i := range x {
		if e := relativeError(dst[i], exact(x[i])); e > 2.5e-16 {
			t.Errorf("exp(%v): relative error %.2g", x[i], e)
		}
	}
}

func TestLogAccuracy(t *testing.T) {
	rng := randtest.New(6)
	x := []float64{1, 2, 0.5, math.Sqrt2, math.Sqrt(0.5), 0x1p-1022, math.MaxFloat64, math.E, 1 + 0x1p-52, 1 - 0x1p-53}
	for range 1000 {
		x = append(x, math.Exp(100*rng.NormFloat64()), 1+0.5*rng.Float64(), 1-0.3*rng.Float64())
	}
	dst := make([]float64, len(x))
	Log(dst, x, 0)
	for i := range x {
		// Because of exp(log x) = x, the error of the ratio bounds that of the logarithm.
		ratio := new(big.Float).Quo(exact(dst[i]), new(big.Float).SetFloat64(x[i]))
		e, _ := ratio.Sub(ratio, big.NewFloat(1)).Float64()
		if !(math.Abs(e) <= 2.5e-16*math.Abs(dst[i])) {
			t.Errorf("log(%v) = %v: error %.2g", x[i], dst[i], e)
		}
	}
	Log(dst[:6], []float64{0, -1, 1e-11, 1e-10, -1e300, 1e-320}, 1e-10)
	for i, v := range dst[:6] {
		if v != dst[0] || math.Abs(v-math.Log(1e-10)) > 1e-14 {
			t.Errorf("floored logarithm %d is %v", i, v)
		}
	}
}

func relativeError(got float64, want *big.Float) float64 {
	d := new(big.Float).SetPrec(400).SetFloat64(got)
	d.Sub(d, want)
	d.Quo(d, want)
	e, _ := d.Float64()
	return math.Abs(e)
}

func TestTailsAreZero(t *testing.T) {
	x := []float64{-708.76, -745, -1e5, -1e308, math.Inf(-1), -710, -711}
	dst := make([]float64, len(x))
	Exp(dst, x)
	for i, v := range dst {
		if v != 0 {
			t.Errorf("exp(%v) = %v, want 0", x[i], v)
		}
	}
	far := []float64{math.Inf(1), math.Inf(-1), 1e308, -1e200, 40, 1e30, 33}
	Gauss(dst, far, 0, 1)
	for i, v := range dst {
		if v != 0 {
			t.Errorf("kernel at %v is %v, want 0", far[i], v)
		}
	}
	if s := SumGauss2(far, far, 0, 0); s != 0 {
		t.Errorf("sum of far kernels is %v", s)
	}
	Exp(dst[:1], []float64{math.NaN()})
	Gauss(dst[1:6], []float64{1, 2, math.NaN(), 3, math.NaN()}, 0, 1)
	if !math.IsNaN(dst[0]) || !math.IsNaN(dst[3]) || !math.IsNaN(dst[5]) {
		t.Errorf("NaN does not propagate: %v", dst)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// The kernels agree with their formulas, computed with math.Exp.
func TestFormulas(t *testing.T) {
	rng := randtest.New(3)
	const n = 53
	x, y := sample(rng, n, 1), sample(rng, n, 1)
	kernel := make([]float64, n)
	Gauss(kernel, x, 0.2, Scale/0.3)
	hermite := []func(float64) float64{
		func(u float64) float64 { return 1 },
		func(u float64) float64 { return u },
		func(u float64) float64 { return u*u - 1 },
		func(u float64) float64 { return u*u*u - 3*u },
		func(u float64) float64 { return u*u*u*u - 6*u*u + 3 },
		func(u float64) float64 { return u*u*u*u*u - 10*u*u*u + 15*u },
		func(u float64) float64 { return u*u*u*u*u*u - 15*u*u*u*u + 45*u*u - 15 },
	}
	want4, want6, wantM := [5]float64{}, [3]float64{}, [Powers]float64{}
	for i := range x {
		near(t, "Gauss", kernel[i], math.Exp(-0.5*(x[i]-0.2)*(x[i]-0.2)/0.09), 1e-14)
		sum := 0.0
		for j := range x {
			d1, d2 := (x[i]-x[j])/Scale, (y[i]-y[j])/Scale
			w := math.Exp(-0.5 * (d1*d1 + d2*d2))
			sum += w
			for b := range want4 {
				if i < j {
					want4[b] += w * hermite[4-b](d1) * hermite[b](d2) * math.Pow(Scale, 4)
				}
			}
			for b := range want6 {
				if i < j {
					want6[b] += w * hermite[6-b](d1) * hermite[b](d2) * math.Pow(Scale, 6)
				}
			}
		}
		near(t, "SumGauss2", SumGauss2(x, y, x[i], y[i]), sum, 1e-14)
		for k := range wantM {
			wantM[k] += kernel[i] * math.Pow(y[i], float64(k))
		}
	}
	var m4 [5]float64
	Hermite4(withFar(x), withFar(y), n, &m4)
	for b := range m4 {
		near(t, "Hermite4", m4[b], want4[b], 1e-13)
	}
	var m6 [3]float64
	Hermite6(withFar(x), withFar(y), n, &m6)
	for b := range m6 {
		near(t, "Hermite6", m6[b], want6[b], 1e-13)
	}
	var m [Powers]float64
	Moments(kernel, y, &m)
	for k := range m {
		near(t, "Moments", m[k], wantM[k], 1e-13)
	}
	near(t, "next weight", kernel[7], math.Exp(-0.5*(x[7]-0.2)*(x[7]-0.2)/0.09)*math.Pow(y[7], Powers), 1e-13)
}

func TestDots(t *testing.T) {
	rng := randtest.New(4)
	const n, stride = 41, 47
	a, b := sample(rng, TileRows*stride, 1), sample(rng, TileColumns*stride, 1)
	var got [TileRows * TileColumns]float64
	Dots(a, b, stride, n, &got)
	for i := range TileRows {
		for j := range TileColumns {
			want := 0.0
			for k := range n {
				want += a[i*stride+k] * b[j*stride+k]
			}
			near(t, "Dots", got[TileColumns*i+j], want, 1e-13)
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	const n = 500
	rng := randtest.New(5)
	x, y, dst := sample(rng, n, 3), sample(rng, n, 3), make([]float64, n)
	negative := make([]float64, n)
	for i := range negative {
		negative[i] = -x[i] * x[i]
	}
	rows := sample(rng, (TileRows+TileColumns)*n, 1)
	farX, farY := withFar(x), withFar(y)
	const points = 32
	kernels := []struct {
		name     string
		elements int
		f        func()
	}{
		{"Exp", n, func() { Exp(dst, negative) }},
		{"math.Exp", n, func() {
			for i, v := range negative {
				dst[i] = math.Exp(v)
			}
		}},
		{"Log", n, func() { Log(dst, rows[:n], 1e-10) }},
		{"Gauss", n, func() { Gauss(dst, x, 0.3, 0.7) }},
		{"SumGauss2", points * n, func() {
			for k := range points {
				dst[k] = SumGauss2(x, y, x[k], y[k])
			}
		}},
		{"Moments", n, func() { var m [Powers]float64; copy(dst, x); Moments(dst, y, &m) }},
		{"Hermite4", n * (n - 1) / 2, func() { var m [5]float64; Hermite4(farX, farY, n, &m) }},
		{"Hermite6", n * (n - 1) / 2, func() { var m [3]float64; Hermite6(farX, farY, n, &m) }},
		{"Dots", TileRows * TileColumns * n, func() {
			var m [TileRows * TileColumns]float64
			Dots(rows, rows[TileRows*n:], n, n, &m)
		}},
	}
	for _, k := range kernels {
		for _, v := range versions() {
			b.Run(k.name+"/"+v.name, func(b *testing.B) {
				v.run(func() {
					for range b.N {
						k.f()
					}
				})
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(k.elements), "ns/element")
			})
		}
	}
}
