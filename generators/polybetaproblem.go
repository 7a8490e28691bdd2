package generators

import (
	"math"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// polyBetaProblem is one draw of PolyBeta.
type polyBetaProblem struct {
	PolyBeta
	noise                 []betaNoise   // by variable
	classes               []polynomials // by class
	minimum, width        []float64     // by variable, of the normalisation; 0 and 1 without normalise: problem
	overflowing, edgeless int           // problems that were drawn again
}

// largest is the bound of raw values. The range of a column of such values is finite.
const largest = math.MaxFloat64 / 4

// drawRow fills a row with raw values (steps 15 to 17 of Algorithm 4). It reports whether all of them are
// finite and at most largest in absolute value.
func (p *polyBetaProblem) drawRow(class int, row []float64, rng *rand.Rand) bool {
	finite := true
	for i := range row {
		row[i] = p.noise[i].draw(rng) + p.classes[class].sum(i, row)
		finite = finite && math.Abs(row[i]) <= largest
	}
	return finite
}

// sum returns the contribution of the parents to variable i.
func (f polynomials) sum(i int, row []float64) float64 {
	sum := 0.0
	for e := range f[i] {
		sum += f[i][e].at(row[f[i][e].parent])
	}
	return sum
}

// pilot draws the pilot sample and sets the normalisation. It reports whether all values were finite.
func (p *polyBetaProblem) pilot(rng *rand.Rand) bool {
	rows := make([][]float64, p.PolyBeta.Classes*p.Pilot)
	for i := range rows {
		rows[i] = make([]float64, p.D)
		if !p.drawRow(i/p.Pilot, rows[i], rng) {
			return false
		}
	}
	p.minimum, p.width = minMax(p.D, len(rows), func(i int) []float64 { return rows[i] })
	if p.Normalise != "problem" {
		for j := range p.D {
			p.minimum[j], p.width[j] = 0, 1
		}
	}
	return true
}

// minMax returns the minimum and the width, maximum less minimum, of each of d columns of n rows. The
// width of a constant column is 1, so that its values are mapped to 0.
func minMax(d, n int, row func(i int) []float64) (minimum, width []float64) {
	minimum = append([]float64(nil), row(0)...)
	maximum := append([]float64(nil), row(0)...)
	width = make([]float64, d)
	for i := range n {
		for j, v := range row(i) {
			minimum[j] = min(minimum[j], v)
			maximum[j] = max(maximum[j], v)
		}
	}
	for j := range width {
		width[j] = maximum[j] - minimum[j]
		if width[j] == 0 {
			width[j] = 1
		}
	}
	return minimum, width
}

// Sample draws rows, again if they overflow, and normalises them.
func (p *polyBetaProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	s := sampleRows(counts, len(p.classes), p.D, func(class int, row []float64) {
		for !p.drawRow(class, row, rng) {
		}
	})
	minimum, width := p.minimum, p.width
	if p.Normalise == "sample" {
		minimum, width = minMax(p.D, s.N(), s.X.RawRowView)
	}
	for i := range s.N() {
		row := s.X.RawRowView(i)
		for j := range row {
			row[j] = (row[j] - minimum[j]) / width[j]
		}
	}
	return s
}

// Model describes what was drawn.
func (p *polyBetaProblem) Model() any {
	type edge struct {
		Child        string     `json:"child"`
		Parent       string     `json:"parent"`
		Coefficients [4]float64 `json:"coefficients"` // of x^3, x^2, x, 1
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

// polyBetaDensity is a problem with known densities: its normalisation does not depend on the sample.
type polyBetaDensity struct{ *polyBetaProblem }

// roundoff is the unit of float64's relative errors.
const roundoff = 1.0 / (1 << 52)

// LogDensity returns
//
//	sum_i log beta_i(r_i) + log width_i,   r_i = x_i - sum_j f_ij(x_j),
//
// in the raw values x = minimum + width * (values of the row).
//
// Large sums lose digits of the noise, and the map to [0, 1] loses digits of the parents. So the density
// of each r_i is its mean over the uncertainty that rounding leaves. That keeps it finite everywhere and
// positive for rows of the class.
func (p *polyBetaDensity) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	var stack [2][64]float64 // saves allocations for usual d
	raw, rawErr := stack[0][:0], stack[1][:0]
	total := 0.0
	for i, v := range x {
		value, valueErr := p.rawValue(i, v)
		raw, rawErr = append(raw, value), append(rawErr, valueErr)
		sum, sumErr := 0.0, 0.0 // of the polynomials
		for e := range p.classes[class][i] {
			f := &p.classes[class][i][e]
			sum += f.at(raw[f.parent])
			sumErr += f.err(raw[f.parent], rawErr[f.parent])
		}
		if math.IsNaN(sum) {
			return math.Inf(-1) // infinities of both signs: no row of this class
		}
		delta := valueErr + sumErr + roundoff*(math.Abs(value)+math.Abs(sum)+math.Abs(p.A)+math.Abs(p.B))
		total += p.noise[i].logDensity(value-sum, min(delta, largest)) + math.Log(p.width[i])
	}
	return total
}

// rawValue returns the raw value of variable i for a normalised one, and a bound of its rounding error.
func (p *polyBetaDensity) rawValue(i int, v float64) (value, err float64) {
	const roundings = 4 // bounds three when values are normalised and two back, each of half a unit
	value = p.minimum[i] + p.width[i]*v
	if p.Normalise == "problem" {
		err = roundings * roundoff * (math.Abs(value) + math.Abs(p.minimum[i]))
	}
	return value, err
}

// err bounds the change of f(x) if x changes by at most delta, with the rounding errors of f; it is 0 if
// x is exact. The bound is |f'(x)| delta + |f”(x)/2| delta^2 + |third derivative/6| delta^3 and 4 roundings of
// the sum of the absolute terms of f.
func (f *polynomial) err(x, delta float64) float64 {
	if delta == 0 {
		return 0
	}
	a, x2 := f.a, x*x
	first := math.Abs((3*a[0]*x+2*a[1])*x + a[2]) // |f'|
	second := math.Abs(3*a[0]*x + a[1])           // |f''|/2
	size := math.Abs(a[0]*x*x2) + math.Abs(a[1]*x2) + math.Abs(a[2]*x) + math.Abs(a[3])
	return ((math.Abs(a[0])*delta+second)*delta+first)*delta + 4*roundoff*size
}
