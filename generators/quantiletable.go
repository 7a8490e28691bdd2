package generators

import (
	"math"
	"slices"
)

// A quantileTable approximates the map x(z) = F^-1(Phi(z)) of a margin, from normal scores to
// values, and its inverse z(x). It is about a hundred times faster than the inversion of F.
type quantileTable struct {
	margin   margin
	x, slope []float64 // x(z) and its derivative at the ends of the pieces

	// One element for each piece.
	smooth   []bool    // whether the cubic polynomial is accurate enough and increasing
	quintics []quintic // z(x) as a polynomial of the distance from the left end
	exact    []bool    // z(x) is computed exactly, because the quintic is not accurate enough
}

const (
	tableEnd   = 8.5      // larger scores, whose probability is 2e-17, are treated as tableEnd
	tableStep  = 1.0 / 32 // length of a piece in z
	tableError = 1e-6     // largest error of the cubic in z; about 10^12 rows would be needed to notice it

	// scoreError is the largest accepted error of the quintic polynomial z(x). Smooth margins have
	// much smaller errors.
	//
	// The error is checked in the middle of each piece, where it is largest. For a piece of length
	// h, the error is about h^6 / 46080 times the sixth derivative of z(x).
	scoreError = 1e-9
)

// newQuantileTable returns a table for the margin m. Its pieces are intervals of length tableStep
// between the normal scores -tableEnd and tableEnd.
func newQuantileTable(m margin) *quantileTable {
	const pieces = int(2 * tableEnd / tableStep)
	t := &quantileTable{
		margin:   m,
		x:        make([]float64, pieces+1),
		slope:    make([]float64, pieces+1),
		smooth:   make([]bool, pieces),
		quintics: make([]quintic, pieces),
		exact:    make([]bool, pieces),
	}
	bend := t.setPoints() // second derivatives of z(x) at the ends of the pieces
	for i := range pieces {
		t.setPiece(i, bend[i], bend[i+1])
	}
	return t
}

// setPoints sets the values x(z) and the slopes dx/dz at the ends of the pieces, from left to
// right. It returns the second derivatives d^2z/dx^2 in bend. For the density f of the margin and the
// standard normal density phi,
//
//	dx/dz = phi(z)/f(x),   d^2z/dx^2 = (f'/f + z dz/dx) dz/dx.
func (t *quantileTable) setPoints() (bend []float64) {
	bend = make([]float64, len(t.x))
	x := t.below(-tableEnd)
	guess := -1.0
	for i := range t.x {
		z := -tableEnd + float64(i)*tableStep
		low := x // x(z) is increasing, so it is not below the previous x
		high := t.above(z, low, guess)
		x = scoreInverse(t.margin, z, guess, low, high)
		slope := math.Exp(-z*z/2-t.margin.logDensity(x)) / math.Sqrt(2*math.Pi)
		t.x[i], t.slope[i] = x, slope
		bend[i] = (t.margin.logSlope(x) + z/slope) / slope // logSlope is f'/f, and 1/slope is dz/dx
		guess = x + slope*tableStep                        // of the next x, by linear extrapolation
	}
	return bend
}

// below returns a value whose normal score is at most z.
func (t *quantileTable) below(z float64) float64 {
	low := -1.0
	for normalScore(t.margin, low) > z {
		low *= 2
	}
	return low
}

// above returns a value that exceeds low and has a normal score of at least z. The search begins at
// guess.
func (t *quantileTable) above(z, low, guess float64) float64 {
	high := math.Max(guess, low+1e-3)
	for normalScore(t.margin, high) < z {
		high += 2 * (high - low)
	}
	return high
}

// setPiece computes the quintic for z(x) in piece i, and checks both polynomials. smooth[i] becomes
// true if the cubic for x(z) is accurate and increasing. exact[i] becomes true if the quintic is
// too inaccurate, so that score must compute z(x) exactly.
func (t *quantileTable) setPiece(i int, bendLeft, bendRight float64) {
	// The cubic is increasing if neither end slope exceeds steepest (Fritsch and Carlson 1980).
	steepest := 3 * (t.x[i+1] - t.x[i]) / tableStep
	middle := -tableEnd + (float64(i)+0.5)*tableStep
	x := t.hermite(i, 0.5)
	score := normalScore(t.margin, x)
	increases := t.slope[i] <= steepest && t.slope[i+1] <= steepest
	t.smooth[i] = increases && math.Abs(score-middle) <= tableError
	t.quintics[i] = newQuintic(middle-tableStep/2, t.x[i+1]-t.x[i], 1/t.slope[i], 1/t.slope[i+1], bendLeft, bendRight)
	t.exact[i] = !(math.Abs(t.quintics[i].at(x-t.x[i])-score) <= scoreError)
}

// score returns the normal score z(x) of x.
func (t *quantileTable) score(x float64) float64 {
	if x > t.x[0] && x < t.x[len(t.x)-1] {
		after, _ := slices.BinarySearch(t.x, math.Nextafter(x, math.Inf(1))) // index of the first end above x
		piece := after - 1
		if !t.exact[piece] {
			return t.quintics[piece].at(x - t.x[piece])
		}
	}
	return normalScore(t.margin, x)
}

// A quintic is a polynomial of degree five. Element k is the coefficient of x^k.
type quintic [6]float64

// newQuintic returns the quintic with value z at 0 and value z + tableStep at h. Its first and
// second derivatives are slopeLeft and bendLeft at 0, and slopeRight and bendRight at h.
func newQuintic(z, h, slopeLeft, slopeRight, bendLeft, bendRight float64) quintic {
	// The quintic is a polynomial in s = x/h, where s is in [0, 1]. Its terms up to s^2 match the
	// value and derivatives at s = 0. The higher terms, whose first two derivatives vanish at s = 0,
	// correct the value and derivatives at s = 1.
	c1, c2 := h*slopeLeft, h*h*bendLeft/2 // coefficients of s and s^2
	missingRise := tableStep - c1 - c2
	missingSlope := h*slopeRight - c1 - 2*c2
	missingBend := h*h*bendRight/2 - c2 // half of the missing second derivative, like c2
	q := quintic{
		z,
		c1,
		c2,
		10*missingRise - 4*missingSlope + missingBend,
		-15*missingRise + 7*missingSlope - 2*missingBend,
		6*missingRise - 3*missingSlope + missingBend,
	}
	power := 1.0
	for k := range q { // convert coefficients of s^k to coefficients of x^k
		q[k] /= power
		power *= h
	}
	return q
}

func (q *quintic) at(x float64) float64 {
	return q[0] + x*(q[1]+x*(q[2]+x*(q[3]+x*(q[4]+x*q[5]))))
}

// at returns the value x(z) with the normal score z.
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

// hermite returns the approximation of x(z) in piece i by a cubic polynomial. s in [0, 1] is the
// position of z in the piece.
func (t *quantileTable) hermite(i int, s float64) float64 {
	left, right := t.slope[i]*tableStep, t.slope[i+1]*tableStep
	rise := t.x[i+1] - t.x[i]
	return t.x[i] + s*(left+s*((3*rise-2*left-right)+s*(left+right-2*rise)))
}

// scoreInverse returns the x in [low, high] whose normal score is z. It uses Newton's method from
// guess, and bisects if a step leaves the interval.
func scoreInverse(m margin, z, guess, low, high float64) float64 {
	const maxSteps = 200
	x := guess
	for range maxSteps {
		if !(low < x && x < high) {
			x = low + (high-low)/2
		}
		score := normalScore(m, x)
		if score < z {
			low = x
		} else {
			high = x
		}
		// Newton's step: dx/dz = phi(z)/f(x).
		next := x + (z-score)*math.Exp(-score*score/2-m.logDensity(x))/math.Sqrt(2*math.Pi)
		// Stop when the step or the interval is as small as rounding errors.
		if math.Abs(next-x) <= 1e-13*math.Abs(x)+1e-15 || high-low <= 1e-15*math.Abs(x) {
			return min(max(next, low), high)
		}
		x = next
	}
	return x
}
