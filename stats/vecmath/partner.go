package vecmath

import (
	"fmt"
	"math"
)

// A PartnerSearch selects the second row of a pair in a support vector machine by the second-order rule of
// Fan, Chen and Lin (JMLR 6:1889, 2005, WSS 2). Element t belongs to the pair with second row t. Its gain is
// d|d|/c, where
//
//	d = Top - F[t] - Lower[t], c = Kii + Diag[t] - 2 Row[t].
//
// d is the violation of optimality by the pair, and c is the curvature of the objective. Floor replaces c if
// c <= 0.
type PartnerSearch struct {
	F, Lower, Diag, Row []float64 // of one length
	Top, Kii, Floor     float64
}

// Best returns the element with the largest gain, or -1 if no gain is positive.
//
// Best compares the elements one by one, without division: an element with (d, c) replaces the best
// one so far, with (d', c'), if d|d| c' > d'|d'| c in floating point. Where possible, it uses
// clearBest, which finds the same element faster.
func (s *PartnerSearch) Best() int {
	n := len(s.F)
	if len(s.Lower) != n || len(s.Diag) != n || len(s.Row) != n {
		panic(fmt.Sprintf("vecmath: F, Lower, Diag and Row have different lengths: %d, %d, %d and %d",
			n, len(s.Lower), len(s.Diag), len(s.Row)))
	}
	if best := s.clearBest(); best >= 0 {
		return best
	}
	best, square, curvature := -1, 0.0, 1.0 // d|d| and c of the best element
	for t := range n {
		d, c := s.at(t)
		signedSquare := d * math.Abs(d)
		if signedSquare*curvature > square*c {
			best, square, curvature = t, signedSquare, c
		}
	}
	return best
}

// at returns d and c of element t, as defined in PartnerSearch.
func (s *PartnerSearch) at(t int) (d, c float64) {
	c = s.Kii + s.Diag[t] - 2*s.Row[t]
	if c <= 0 {
		c = s.Floor
	}
	return s.Top - s.F[t] - s.Lower[t], c
}

const (
	// If the largest gain exceeds clearRatio times the second largest gain, rounding cannot change
	// their order.
	clearRatio = 1 + 1e-12
	// Products between leastProduct and mostProduct neither overflow nor lose digits.
	leastProduct, mostProduct = 1e-250, 1e250
)

// clearBest returns the element with the largest gain. It computes the gains by division, most of them in
// assembly. It returns -1 if rounding could change which gain is the largest, or if there is no assembly.
func (s *PartnerSearch) clearBest() int {
	g := partnerGains{}
	n := blocks(len(s.F), 4)
	if n == 0 {
		return -1 // too few elements, or no assembly on this processor
	}
	partnerGainsAVX2(&s.F[0], &s.Lower[0], &s.Diag[0], &s.Row[0], n, s.Top, s.Kii, s.Floor, &g)
	best, most, second := -1, 0.0, 0.0 // element with the largest gain, this gain, and the second largest gain
	compare := func(t int, gain float64) {
		if gain > most {
			best, most, second = t, gain, most
		} else if gain > second {
			second = gain
		}
	}
	minC, maxC := math.Inf(1), 0.0
	for l, gain := range g.most {
		compare(int(g.at[l]), gain)
		second = max(second, g.second[l])
		minC, maxC = min(minC, g.minC[l]), max(maxC, g.maxC[l])
	}
	for t := n; t < len(s.F); t++ { // the elements that do not fill a vector
		d, c := s.at(t)
		if d > 0 {
			compare(t, d*d/c)
		}
		minC, maxC = min(minC, c), max(maxC, c)
	}
	if !(most > clearRatio*second) { // also if both are infinite or 0
		return -1
	}
	// Best compares products of one element's d|d| and another element's c. The products that decide the
	// result lie between these bounds.
	d, _ := s.at(best)
	square := d * d
	smallest, largest := min(most, square, square*minC), max(most, square, square*maxC, maxC)
	if !(smallest > leastProduct && largest < mostProduct) {
		return -1 // a product in Best may overflow or lose digits
	}
	return best
}

// partnerGains contains the results of partnerGainsAVX2 for each lane, in the order that it writes them.
type partnerGains struct {
	most, second [4]float64 // the two largest gains
	at           [4]float64 // the element with the largest gain
	minC, maxC   [4]float64 // the smallest and the largest c
}
