package generators

import (
	"math"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
)

// polyBetaProblem is one draw of PolyBeta; its minima and widths are 0 and 1
// unless the normalisation belongs to the problem.
type polyBetaProblem struct {
	PolyBeta
	noise                 []betaNoise
	classes               []polynomials
	minimum, width        []float64
	overflowing, edgeless int // problems that were drawn again
}

// largest bounds raw values: the range of a column of such values is finite.
const largest = math.MaxFloat64 / 4

// drawRow is steps 15 to 17 of Algorithm 4; it reports whether every value is
// finite and at most largest.
func (p *polyBetaProblem) drawRow(class int, row []float64, rng *rand.Rand) bool {
	finite := true
	for i := range row {
		row[i] = p.noise[i].draw(rng) + p.classes[class].sum(i, row)
		finite = finite && math.Abs(row[i]) <= largest
	}
	return finite
}

// sum returns what the parents contribute to variable i.
func (f polynomials) sum(i int, row []float64) float64 {
	sum := 0.0
	for e := range f[i] {
		sum += f[i][e].at(row[f[i][e].parent])
	}
	return sum
}

// pilot draws the pilot sample, fixes the normalisation and reports whether
// every row was finite.
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

// minMax returns the minimum and the range of each of d columns of n rows; a
// constant column has range 1, so that it is mapped to 0.
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

// polyBetaDensity is a problem whose normalisation is known beforehand.
type polyBetaDensity struct{ *polyBetaProblem }

// roundoff is the unit of float64's relative errors.
const roundoff = 1.0 / (1 << 52)

// LogDensity returns
//
//	sum_i log beta_i(r_i) + log width_i,   r_i = x_i - sum_j f_ij(x_j),
//
// in the raw values x = minimum + width * (the given ones). Large sums swallow
// the digits of the noise, and the map to [0, 1] some of the parents' digits;
// so the density of each r_i is its mean over the uncertainty that rounding
// leaves, which keeps it finite everywhere and positive for the class's own rows.
func (p *polyBetaDensity) LogDensity(class int, x []float64) float64 {
	checkRow(x, p.D)
	var stack [2][64]float64 // no allocation for usual d
	raw, err := stack[0][:0], stack[1][:0]
	total := 0.0
	for i, v := range x {
		value := p.minimum[i] + p.width[i]*v
		valueErr := 0.0
		if p.Normalise == "problem" { // three roundings there, two back
			valueErr = 4 * roundoff * (math.Abs(value) + math.Abs(p.minimum[i]))
		}
		raw, err = append(raw, value), append(err, valueErr)

		sum, sumErr := 0.0, 0.0
		for e := range p.classes[class][i] {
			f := &p.classes[class][i][e]
			sum += f.at(raw[f.parent])
			sumErr += f.err(raw[f.parent], err[f.parent])
		}
		delta := valueErr + sumErr + roundoff*(math.Abs(value)+math.Abs(sum)+math.Abs(p.A)+math.Abs(p.B))
		if math.IsNaN(sum) {
			return math.Inf(-1) // infinities of both signs: no row of this class
		}
		total += p.noise[i].logDensity(value-sum, min(delta, largest)) + math.Log(p.width[i])
	}
	return total
}

// err bounds the change of f when x changes by at most delta, rounding errors
// of f included; it is 0 where x is exact.
func (f *polynomial) err(x, delta float64) float64 {
	if delta == 0 {
		return 0
	}
	a, x2 := f.a, x*x
	first := math.Abs((3*a[0]*x+2*a[1])*x + a[2])
	second := math.Abs(3*a[0]*x + a[1]) // half the second derivative
	size := math.Abs(a[0]*x*x2) + math.Abs(a[1]*x2) + math.Abs(a[2]*x) + math.Abs(a[3])
	return ((math.Abs(a[0])*delta+second)*delta+first)*delta + 4*roundoff*size
}
