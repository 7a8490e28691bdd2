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

	// One element for each piece. In pieces where a polynomial cannot be used, x(z) or z(x) is
	// computed exactly.
	cubicFits   []bool    // whether the cubic polynomial for x(z) is accurate and increasing
	quintics    []quintic // z(x) as a polynomial of the distance from the left end
	quinticFits []bool    // whether the quintic for z(x) is accurate
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
// between the normal scores -tableEnd and tableEnd. In each piece, a cubic polynomial approximates
// x(z), and a quintic polynomial approximates z(x).
func newQuantileTable(m margin) *quantileTable {
	const pieces = int(2 * tableEnd / tableStep)
	t := &quantileTable{
		margin:      m,
		x:           make([]float64, pieces+1),
		slope:       make([]float64, pieces+1),
		cubicFits:   make([]bool, pieces),
		quintics:    make([]quintic, pieces),
		quinticFits: make([]bool, pieces),
	}
	curvature := t.setEnds()
	for i := range pieces {
		t.setPiece(i, curvature[i], curvature[i+1])
	}
	return t
}

// setEnds sets the values x(z) and the slopes dx/dz at the ends of the pieces, from left to right.
// It returns the curvatures of z(x), which are its second derivatives. For the density f of the
// margin and the standard normal density phi,
//
//	dx/dz = phi(z)/f(x),   d^2z/dx^2 = (f'/f + z dz/dx) dz/dx.
func (t *quantileTable) setEnds() (curvature []float64) {
	curvature = make([]float64, len(t.x))
	low := t.lowerBound(-tableEnd)
	guess := -1.0 // an arbitrary start of the first search
	for i := range t.x {
		z := -tableEnd + float64(i)*tableStep
		high := t.upperBound(z, low, guess)
		x := scoreInverse(t.margin, z, guess, low, high)
		slope := math.Exp(-z*z/2-t.margin.logDensity(x)) / math.Sqrt(2*math.Pi)
		t.x[i], t.slope[i] = x, slope
		curvature[i] = (t.margin.logSlope(x) + z/slope) / slope // logSlope is f'/f, and 1/slope is dz/dx
		// x(z) increases, so x is below the next value. Linear extrapolation guesses this value.
		low, guess = x, x+slope*tableStep
	}
	return curvature
}

// lowerBound returns a value whose normal score is at most z.
func (t *quantileTable) lowerBound(z float64) float64 {
	low := -1.0
	for normalScore(t.margin, low) > z {
		low *= 2
	}
	return low
}

// upperBound returns a value that exceeds low and has a normal score of at least z. The search begins
// at guess.
func (t *quantileTable) upperBound(z, low, guess float64) float64 {
	high := math.Max(guess, low+1e-3)
	for normalScore(t.margin, high) < z {
		high += 2 * (high - low)
	}
	return high
}

// setPiece computes the quintic for z(x) in piece i, whose second derivatives at the ends are given.
// It sets cubicFits[i] if the cubic for x(z) is accurate and increasing, and quinticFits[i] if the
// quintic is accurate.
func (t *quantileTable) setPiece(i int, curvatureLeft, curvatureRight float64) {
	// The cubic is increasing if neither end slope exceeds steepest (Fritsch and Carlson 1980).
	steepest := 3 * (t.x[i+1] - t.x[i]) / tableStep
	middle := -tableEnd + (float64(i)+0.5)*tableStep
	x := t.hermite(i, 0.5)
	score := normalScore(t.margin, x)
	increases := t.slope[i] <= steepest && t.slope[i+1] <= steepest
	t.cubicFits[i] = increases && math.Abs(score-middle) <= tableError
	t.quintics[i] = newQuintic(middle-tableStep/2, t.x[i+1]-t.x[i], 1/t.slope[i], 1/t.slope[i+1],
		curvatureLeft, curvatureRight)
	t.quinticFits[i] = math.Abs(t.quintics[i].at(x-t.x[i])-score) <= scoreError
}

// score returns the normal score z(x) of x.
func (t *quantileTable) score(x float64) float64 {
	if x > t.x[0] && x < t.x[len(t.x)-1] {
		after, _ := slices.BinarySearch(t.x, math.Nextafter(x, math.Inf(1))) // index of the first end above x
		piece := after - 1
		if t.quinticFits[piece] {
			return t.quintics[piece].at(x - t.x[piece])
		}
	}
	return normalScore(t.margin, x)
}

// A quintic is a polynomial of degree five. Element k is the coefficient of x^k.
type quintic [6]float64

// newQuintic returns the quintic with value z at 0 and value z + tableStep at h. Its first and
// second derivatives are slopeLeft and curvatureLeft at 0, and slopeRight and curvatureRight at h.
func newQuintic(z, h, slopeLeft, slopeRight, curvatureLeft, curvatureRight float64) quintic {
	// The quintic is a polynomial in s = x/h, where s is in [0, 1]. Its terms up to s^2 match the
	// value and derivatives at s = 0. The higher terms, whose first two derivatives vanish at s = 0,
	// correct the value and derivatives at s = 1. Their coefficients solve
	//
	//	  c3 +   c4 +    c5 = missingRise,
	//	3 c3 + 4 c4 +  5 c5 = missingSlope,
	//	3 c3 + 6 c4 + 10 c5 = missingCurvature.
	c1, c2 := h*slopeLeft, h*h*curvatureLeft/2 // coefficients of s and s^2
	missingRise := tableStep - c1 - c2
	missingSlope := h*slopeRight - c1 - 2*c2
	missingCurvature := h*h*curvatureRight/2 - c2 // half of the missing second derivative, like c2
	c3 := 10*missingRise - 4*missingSlope + missingCurvature
	c4 := -15*missingRise + 7*missingSlope - 2*missingCurvature
	c5 := 6*missingRise - 3*missingSlope + missingCurvature
	q := quintic{z, c1, c2, c3, c4, c5}
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
	if i >= len(t.cubicFits) {
		return t.x[len(t.cubicFits)]
	}
	if !t.cubicFits[i] {
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
