package generators

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

type polyBetaProblem struct {
	PolyBeta
	noise   []betaNoise   // noise of each variable
	classes []polynomials // polynomials of each class

	// A raw value x of variable i is mapped to (x - minimum[i]) / width[i]. If the parameter
	// Normalise is "problem", width is the maximum minus the minimum. Otherwise, minimum is 0 and
	// width is 1.
	minimum, width []float64

	overflowing, edgeless int // numbers of discarded problems
}

// largestRaw is the upper limit of absolute values before normalisation, so that differences are
// finite.
const largestRaw = math.MaxFloat64 / 4

// drawRow draws the raw values of a row, before normalisation (steps 15 to 17 of Algorithm 4). It
// returns false if a value is NaN or its absolute value exceeds largestRaw.
func (p *polyBetaProblem) drawRow(class int, row []float64, rng *rand.Rand) (ok bool) {
	ok = true
	for i := range row {
		row[i] = p.noise[i].draw(rng) + p.classes[class].sum(i, row)
		ok = ok && math.Abs(row[i]) <= largestRaw
	}
	return ok
}

// sum returns the sum of the polynomials of variable i at the values of its parents in row.
func (f polynomials) sum(i int, row []float64) float64 {
	sum := 0.0
	for e := range f[i] {
		sum += f[i][e].at(row[f[i][e].parent])
	}
	return sum
}

// setNormalisation sets p.minimum and p.width from a pilot sample with p.Pilot rows of each class.
// If a row overflows, it returns false and sets nothing.
func (p *polyBetaProblem) setNormalisation(rng *rand.Rand) (ok bool) {
	rows := mat.NewDense(p.Classes*p.Pilot, p.D, nil)
	for i := range p.Classes * p.Pilot {
		if !p.drawRow(i/p.Pilot, rows.RawRowView(i), rng) {
			return false
		}
	}
	p.minimum, p.width = make([]float64, p.D), slices.Repeat([]float64{1}, p.D)
	if p.Normalise == "problem" {
		p.minimum, p.width = minMax(rows)
	}
	return true
}

// minMax returns the minimum and the width (maximum minus minimum) of each column. A constant
// column has width 1, so that its values are mapped to 0.
func minMax(x *mat.Dense) (minimum, width []float64) {
	_, d := x.Dims()
	for j := range d {
		column := mat.Col(nil, j, x)
		low, high := slices.Min(column), slices.Max(column)
		minimum = append(minimum, low)
		width = append(width, cmp.Or(high-low, 1))
	}
	return minimum, width
}

// Sample draws counts[c] rows of each class c and maps each variable to (x - minimum) / width.
// minimum and width come from the problem or, if p.Normalise is "sample", from the drawn rows.
func (p *polyBetaProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	s := sampleRows(counts, len(p.classes), p.D, func(class int, row []float64) {
		for ok := false; !ok; {
			ok = p.drawRow(class, row, rng)
		}
	})
	minimum, width := p.minimum, p.width
	if p.Normalise == "sample" {
		minimum, width = minMax(s.X)
	}
	for i := range s.N() {
		row := s.X.RawRowView(i)
		for j := range row {
			row[j] = (row[j] - minimum[j]) / width[j]
		}
	}
	return s
}

// Model describes the parameters, everything that all classes share, and the polynomial of each
// edge in each class.
func (p *polyBetaProblem) Model() any {
	type edge struct {
		Child        string     `json:"child"`
		Parent       string     `json:"parent"`
		Coefficients [4]float64 `json:"coefficients"` // coefficients of x^3, x^2, x and 1
	}
	type beta struct {
		Alpha float64 `json:"alpha"`
		Beta  float64 `json:"beta"`
	}
	noise := make([]beta, p.D)
	for i, n := range p.noise {
		noise[i] = beta{n.alpha, n.beta}
	}
	d := description{
		Generator:  "polybeta",
		Parameters: describeParameters(p.PolyBeta),
		Drawn: map[string]any{
			"noise": noise, "minimum": p.minimum, "range": p.width,
			"redrawn_overflow": p.overflowing, "redrawn_no_edges": p.edgeless,
		},
	}
	for _, f := range p.classes {
		var edges []edge
		for i := range f {
			for _, e := range f[i] {
				edges = append(edges, edge{columnName(i), columnName(e.parent), e.a})
			}
		}
		d.Classes = append(d.Classes, edges)
	}
	return d
}

// polyBetaDensity is a polyBetaProblem whose densities can be computed, because all samples have
// the same normalisation.
type polyBetaDensity struct{ *polyBetaProblem }

// roundoff bounds the relative rounding error of a float64 operation.
const roundoff = 1.0 / (1 << 52)

// LogDensity returns the log density of the normalised row x in a class. Variable i has the raw
// value v_i and the noise e_i, and f_ij is the polynomial of its parent j:
//
//	sum_i log g_i(e_i) + log width_i,
//	e_i = v_i - sum_j f_ij(v_j),   v_i = minimum_i + width_i x_i.
//
// Rounding errors change e_i. Near the ends of the noise's interval, where its density may be 0 or
// infinite, even small errors matter. Therefore, g_i(e_i) is the mean density of the noise over an
// interval that contains the exact e_i. This mean is finite. For rows from Sample, it is also
// positive.
func (p *polyBetaDensity) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	var stack [64]rounded // avoids an allocation for up to 64 variables
	raw := stack[:0]      // the raw values of the variables so far; parents come before their children
	total := 0.0
	for i := range x {
		v := p.rawValue(i, x[i])
		raw = append(raw, v)
		parentSum := p.classes[class].roundedSum(i, raw) // sum of the polynomials at the parents of i
		if math.IsNaN(parentSum.value) {
			return math.Inf(-1) // some polynomials are +Inf and others -Inf; Sample returns no such row
		}
		e := p.noiseAt(v, parentSum)
		total += p.noise[i].logMeanDensity(e.value, e.bound) + math.Log(p.width[i])
	}
	return total
}

// noiseAt returns the noise e = v - sum of a variable, where v is its raw value and sum is the
// value without noise. The bound of e also covers the rounding errors of e - p.A and p.B - e, the
// distances from e to the ends of the noise's interval.
func (p *polyBetaDensity) noiseAt(v, sum rounded) rounded {
	// The rounding errors of the subtractions are at most roundoff times the sum of all magnitudes.
	size := math.Abs(v.value) + math.Abs(sum.value) + math.Abs(p.A) + math.Abs(p.B)
	bound := min(v.bound+sum.bound+roundoff*size, largestRaw) // finite, so that e +- bound cannot overflow
	return rounded{v.value - sum.value, bound}
}

// A rounded number has a value that differs from the exact number by at most bound.
type rounded struct{ value, bound float64 }

// rawValue returns the raw value of variable i with the normalised value v.
func (p *polyBetaDensity) rawValue(i int, v float64) rounded {
	const roundings = 4 // normalising rounds three times and its inverse twice, each time by at most roundoff/2
	raw := rounded{value: p.minimum[i] + p.width[i]*v}
	if p.Normalise == "problem" {
		raw.bound = roundings * roundoff * (math.Abs(raw.value) + math.Abs(p.minimum[i]))
	}
	return raw
}

// roundedSum is like sum, for raw values with error bounds.
func (f polynomials) roundedSum(i int, raw []rounded) (sum rounded) {
	for e := range f[i] {
		parent := raw[f[i][e].parent]
		sum.value += f[i][e].at(parent.value)
		sum.bound += f[i][e].errorBound(parent.value, parent.bound)
	}
	return sum
}

// errorBound returns an upper bound on the error of f(x) if the error of x is at most delta. It
// returns 0 if delta is 0. Otherwise, let f_k be the k-th derivative of f, and S the sum of the
// absolute values of the terms of f. The bound is
//
//	|f_1(x)| delta + |f_2(x)|/2 delta^2 + |f_3(x)|/6 delta^3 + 4 roundoff S.
func (f *polynomial) errorBound(x, delta float64) float64 {
	if delta == 0 { // Sample computed f at the same x, with the same rounding errors
		return 0
	}
	a, x2 := f.a, x*x
	first := math.Abs((3*a[0]*x+2*a[1])*x + a[2]) // |f'|
	second := math.Abs(3*a[0]*x + a[1])           // |f''|/2
	size := math.Abs(a[0]*x*x2) + math.Abs(a[1]*x2) + math.Abs(a[2]*x) + math.Abs(a[3])
	return ((math.Abs(a[0])*delta+second)*delta+first)*delta + 4*roundoff*size
}
