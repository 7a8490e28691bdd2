package vecmath

import (
	"fmt"
	"math"
)

// A PartnerSearch is the second-order choice of a pair's other row (Fan, Chen and
// Lin, JMLR 6:1889, 2005, WSS 2). Element t gains d|d|/c with d = Top - F[t] -
// Lower[t] and c = Kii + Diag[t] - 2 Row[t], or Floor where that is not positive.
type PartnerSearch struct {
	F, Lower, Diag, Row []float64 // of one length
	Top, Kii, Floor     float64
}

// Best returns the element that gains most, -1 where none gains. Elements are
// taken in turn, and one replaces the best so far where d|d| c' > d'|d'| c in
// floating point, so that nothing is divided.
func (s *PartnerSearch) Best() int {
	n := len(s.F)
	if len(s.Lower) != n || len(s.Diag) != n || len(s.Row) != n {
		panic(fmt.Sprintf("vecmath: lengths %d, %d, %d and %d", n, len(s.Lower), len(s.Diag), len(s.Row)))
	}
	best, square, curvature := s.clear(), 0.0, 1.0
	if best >= 0 {
		return best
	}
	for t := range n {
		d, c := s.at(t)
		if q := d * math.Abs(d); q*curvature > square*c {
			best, square, curvature = t, q, c
		}
	}
	return best
}

// at returns d and c of element t.
func (s *PartnerSearch) at(t int) (d, c float64) {
	c = s.Kii + s.Diag[t] - 2*s.Row[t]
	if c <= 0 {
		c = s.Floor
	}
	return s.Top - s.F[t] - s.Lower[t], c
}

const (
	// clearly is how many times the second largest gain the largest must be for
	// rounding to make no difference to their order;
	clearly = 1 + 1e-12
	// and products between these neither overflow nor lose digits.
	leastProduct, mostProduct = 1e-250, 1e250
)

// clear finds the element by dividing, all lanes at once, if it is clearly the best;
// else it returns -1.
func (s *PartnerSearch) clear() int {
	g := partnerGains{}
	n := partnerGainsAsm(s, &g)
	if n == 0 {
		return -1
	}
	best, most, second := -1, 0.0, 0.0
	add := func(t int, gain float64) {
		if gain > most {
			best, most, second = t, gain, most
		} else if gain > second {
			second = gain
		}
	}
	low, high := math.Inf(1), 0.0
	for l, gain := range g.most {
		add(int(g.at[l]), gain)
		second = max(second, g.second[l])
		low, high = min(low, g.low[l]), max(high, g.high[l])
	}
	for t := n; t < len(s.F); t++ {
		d, c := s.at(t)
		if d > 0 {
			add(t, d*d/c)
		}
		low, high = min(low, c), max(high, c)
	}
	if !(most > clearly*second) {
		return -1
	}
	d, _ := s.at(best)
	square := d * d
	if !(min(most, square, square*low) > leastProduct && max(most, square, square*high, high) < mostProduct) {
		return -1
	}
	return best
}

// partnerGains are the largest and the second largest gain of each lane, the element
// that has the largest, and the smallest and the largest c.
type partnerGains struct{ most, second, at, low, high [4]float64 }
