package kde

import (
	"math"

	"copse/internal/vecmath"
)

// fullSums are kernels with a bandwidth matrix for each pair. Sample and points
// are multiplied by Scale H^(-1/2), which makes the kernel 2^-|u|^2.
type fullSums struct {
	parts  int
	offset []int
	pairs  []fullPair
}

type fullPair struct {
	Pair
	norm   float64
	w      H2      // Scale H^(-1/2)
	ci, cj float64 // centre, subtracted first to keep digits
	u, v   []float64
}

// FullPairs returns the densities of the pairs, with bandwidth matrix h[q] for
// pair q; columns[j] holds variable j.
func FullPairs(columns [][]float64, h []H2, pairs []Pair, p Partition) PairSums {
	s := &fullSums{parts: p.Parts(), offset: p.aligned()}
	length := s.offset[s.parts]
	for q, pair := range pairs {
		x, y := columns[pair.I], columns[pair.J]
		f := fullPair{
			Pair: pair,
			norm: 1 / (2 * math.Pi * math.Sqrt(h[q].Det())),
			w:    h[q].root().inverse().times(vecmath.Scale),
			ci:   x[0], cj: y[0],
			u: make([]float64, length), v: make([]float64, length),
		}
		u, v := make([]float64, len(x)), make([]float64, len(x))
		for i := range x {
			u[i], v[i] = f.coordinates(x[i], y[i])
		}
		p.arrange(f.u, u)
		p.arrange(f.v, v)
		s.pairs = append(s.pairs, f)
	}
	return s
}

// coordinates returns Scale H^(-1/2) (x - centre); so far away that the kernel
// is 0 in any case, x is moved nearer, where nothing overflows.
func (f *fullPair) coordinates(x, y float64) (u, v float64) {
	const far = 1e100
	x, y = min(max(x-f.ci, -far), far), min(max(y-f.cj, -far), far)
	return f.w.XX*x + f.w.XY*y, f.w.XY*x + f.w.YY*y
}

func (s *fullSums) Norm(q int) float64 { return s.pairs[q].norm }

func (s *fullSums) Sums(x, dst [][]float64) {
	u, v, sums := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for q := range s.pairs {
		f := &s.pairs[q]
		for r, t := range x {
			u[r], v[r] = f.coordinates(t[f.I], t[f.J])
		}
		for g := range s.parts {
			from, to := s.offset[g], s.offset[g+1]
			vecmath.SumsGauss2(sums, f.u[from:to], f.v[from:to], u, v)
			for r, sum := range sums {
				dst[r][q*s.parts+g] = sum
			}
		}
	}
}

// times returns the matrix times a.
func (h H2) times(a float64) H2 { return H2{a * h.XX, a * h.XY, a * h.YY} }
