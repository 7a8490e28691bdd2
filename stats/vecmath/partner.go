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
	b := bar{s.Top, s.Kii, s.Floor, 0, 1}
	best, t := bestPartnerAsm(s, &b)
	for ; t < n; t++ {
		c := s.Kii + s.Diag[t] - 2*s.Row[t]
		if c <= 0 {
			c = s.Floor
		}
		d := s.Top - s.F[t] - s.Lower[t]
		if square := d * math.Abs(d); square*b.c > b.square*c {
			best, b.square, b.c = t, square, c
		}
	}
	return best
}

// A bar is what the next element must clear: square/c of the best so far.
type bar struct{ top, kii, floor, square, c float64 }
