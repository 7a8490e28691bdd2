package generators

import (
	"math"
)

// A quantileTable maps normal scores to values of a margin, x(z) = F^-1(Phi(z)), and values to scores. It
// takes a hundredth of the time of inverting F. Evenly spaced scores divide both maps into pieces.
//
// Scores are mapped to values by monotone cubic Hermite polynomials through exact values and slopes at the
// ends of each piece, and values to scores, z(x) = Phi^-1(F(x)), by quintics through exact scores, slopes
// and curvatures. Pieces in which a polynomial is inexact, such as the gap between two distant modes, are
// computed exactly.
type quantileTable struct {
	margin   margin
	x, slope []float64 // at the ends of pieces: x(z) and its derivative
	smooth   []bool    // by piece: the cubic is exact enough and rises
	quintics []quintic // by piece
	exact    []bool    // by piece: scores are computed exactly, not by the quintic
	first    []uint16  // by bucket: the first piece with values in it
}

const (
	tableEnd   = 8.5      // larger scores, of probability 2e-17, are mapped as this one
	tableStep  = 1.0 / 32 // from one end of a piece to the next, in z
	tableError = 1e-6     // of the cubic, in z: about 10^12 rows could reveal it

	// scoreError bounds the error of the quintic in the middle of a piece, where it is largest: the sixth
	// derivative times step^6 / 46080, which is 2e-14.
	scoreError = 1e-9

	buckets = 4096 // of the real line; most are within one piece
)

// bucket returns the number of the bucket of x. Buckets have equal length in x / (1 + |x|). The number
// never falls as x rises, whatever the rounding.
func bucket(x float64) int {
	return int((1 + math.Copysign(1-1/(1+math.Abs(x)), x)) * (buckets / 2))
}

// newQuantileTable returns the table of a margin.
func newQuantileTable(m margin) *quantileTable {
	n := int(2*tableEnd/tableStep) + 1
	t := &quantileTable{
		margin:   m,
		x:        make([]float64, n),
		slope:    make([]float64, n),
		smooth:   make([]bool, n-1),
		quintics: make([]quintic, n-1),
		exact:    make([]bool, n-1),
	}
	bend := t.setPoints()
	for i := range t.smooth {
		t.setPiece(i, bend[i], bend[i+1])
	}
	t.setBuckets()
	return t
}

// setPoints sets x(z) and its slope at the ends of the pieces and returns the second derivatives of z(x)
// there. With density f, z' = f/phi(z), so z” = z' (f'/f + z z').
func (t *quantileTable) setPoints() (bend []float64) {
	bend = make([]float64, len(t.x))
	low, guess := -1.0, -1.0
	for normalScore(t.margin, low) > -tableEnd {
		low *= 2
	}
	for i := range t.x {
		z := -tableEnd + float64(i)*tableStep
		high := math.Max(guess, low+1e-3)
		for normalScore(t.margin, high) < z {
			high += 2 * (high - low)
		}
		t.x[i] = scoreInverse(t.margin, z, guess, low, high)
		t.slope[i] = math.Exp(-z*z/2-t.margin.logDensity(t.x[i])) / math.Sqrt(2*math.Pi)
		bend[i] = (t.margin.logSlope(t.x[i]) + z/t.slope[i]) / t.slope[i]
		low, guess = t.x[i], t.x[i]+t.slope[i]*tableStep
	}
	return bend
}

// setPiece sets the quintic of piece i and checks both polynomials in its middle. The cubic rises if no
// slope exceeds three times the mean slope (Fritsch and Carlson 1980).
func (t *quantileTable) setPiece(i int, bendLeft, bendRight float64) {
	rise := 3 * (t.x[i+1] - t.x[i]) / tableStep
	middle := -tableEnd + (float64(i)+0.5)*tableStep
	x := t.hermite(i, 0.5)
	score := normalScore(t.margin, x)
	t.smooth[i] = t.slope[i] <= rise && t.slope[i+1] <= rise && math.Abs(score-middle) <= tableError
	t.quintics[i] = newQuintic(middle-tableStep/2, t.x[i+1]-t.x[i], 1/t.slope[i], 1/t.slope[i+1], bendLeft, bendRight)
	t.exact[i] = !(math.Abs(t.quintics[i].at(x-t.x[i])-score) <= scoreError)
}

// setBuckets sets the first piece of each bucket, of that of infinity, and of one more at the end.
func (t *quantileTable) setBuckets() {
	t.first = make([]uint16, buckets+2)
	b := 0
	for i := range t.smooth {
		for last := bucket(t.x[i+1]); b <= last; b++ {
			t.first[b] = uint16(i)
		}
	}
	for ; b < len(t.first); b++ {
		t.first[b] = uint16(len(t.smooth) - 1)
	}
}

// score returns the normal score z(x).
func (t *quantileTable) score(x float64) float64 {
	if !(x > t.x[0] && x < t.x[len(t.x)-1]) {
		return normalScore(t.margin, x)
	}
	i := t.piece(x)
	if t.exact[i] {
		return normalScore(t.margin, x)
	}
	return t.quintics[i].at(x - t.x[i])
}

// piece returns the piece of x by binary search among the pieces of its bucket.
func (t *quantileTable) piece(x float64) int {
	b := bucket(x)
	i := int(t.first[b])
	for n := int(t.first[b+1]) - i + 1; n > 1; { // it is one of the n pieces from i on
		half := n / 2
		if t.x[i+half] <= x {
			i += half
		}
		n -= half
	}
	return i
}

// A quintic is a polynomial of degree five: coefficients, the constant first.
type quintic [6]float64

// newQuintic returns the quintic that rises from z to z + tableStep between 0 and h, with the given first
// and second derivatives (slope, bend) at these points.
func newQuintic(z, h, slopeLeft, slopeRight, bendLeft, bendRight float64) quintic {
	// In s = x / h, the powers up to s^2 meet the conditions at s = 0. The powers s^3 to s^5 add the rest of
	// the value, slope and half second derivative at s = 1.
	left, right := h*slopeLeft, h*slopeRight
	bendLeft, bendRight = h*h*bendLeft/2, h*h*bendRight/2
	rise := tableStep - left - bendLeft
	slope := right - left - 2*bendLeft
	bend := bendRight - bendLeft
	q := quintic{z, left, bendLeft, 10*rise - 4*slope + bend, -15*rise + 7*slope - 2*bend, 6*rise - 3*slope + bend}
	power := 1.0
	for k := range q { // from powers of s to powers of x
		q[k] /= power
		power *= h
	}
	return q
}

// at returns the value at x.
func (q *quintic) at(x float64) float64 {
	return q[0] + x*(q[1]+x*(q[2]+x*(q[3]+x*(q[4]+x*q[5]))))
}

// at returns the value x(z) of a normal score.
func (t *quantileTable) at(z float64) float64 {
	position := (z + tableEnd) / tableStep
	if !(position > 0) {
		return t.x[0]
	}
	i := int(position)
	if i >= len(t.smooth) {
		return t.x[len(t.smooth)]
	}
	if !t.smooth[i] {
		return scoreInverse(t.margin, z, t.x[i], t.x[i], t.x[i+1])
	}
	return t.hermite(i, position-float64(i))
}

// hermite returns the cubic of piece i at a fraction s of the piece.
func (t *quantileTable) hermite(i int, s float64) float64 {
	left, right := t.slope[i]*tableStep, t.slope[i+1]*tableStep
	rise := t.x[i+1] - t.x[i]
	return t.x[i] + s*(left+s*((3*rise-2*left-right)+s*(left+right-2*rise)))
}

// scoreInverse returns the x in [low, high] with normal score z. It takes Newton's steps from guess, and
// bisects where a step leaves the bracket.
func scoreInverse(m margin, z, guess, low, high float64) float64 {
	x := guess
	for range 200 {
		if !(low < x && x < high) {
			x = low + (high-low)/2
		}
		score := normalScore(m, x)
		if score < z {
			low = x
		} else {
			high = x
		}
		// dx/dz = phi(z)/f(x)
		next := x + (z-score)*math.Exp(-score*score/2-m.logDensity(x))/math.Sqrt(2*math.Pi)
		if math.Abs(next-x) <= 1e-13*math.Abs(x)+1e-15 || high-low <= 1e-15*math.Abs(x) {
			return min(max(next, low), high)
		}
		x = next
	}
	return x
}
