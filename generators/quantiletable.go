package generators

import (
	"math"
	"slices"
)

// A quantileTable maps normal scores to values of a margin, x(z) = F^-1(Phi(z)),
// at a hundredth of the time that inverting F takes: by monotone cubic Hermite
// pieces through exact values and slopes. A piece whose middle is off by more
// than tableError in z, or that might not rise, is inverted exactly instead,
// such as the gap between two modes far apart.
//
// Backwards, z(x) = Phi^-1(F(x)) is a quintic through the exact scores, slopes and
// curvatures at the same points.
type quantileTable struct {
	margin   margin
	x, slope []float64
	smooth   []bool    // by piece
	bend     []float64 // second derivative of z(x) at the points
	exact    []bool    // by piece: the score is not the quintic's
}

const (
	tableEnd   = 8.5 // scores beyond, of probability 2e-17, are moved to the end
	tableStep  = 1.0 / 32
	tableError = 1e-6 // in z: some 10^12 rows could show it
	// scoreError bounds the quintic's error in the middle of a piece, where it is
	// largest. The sixth power of the step over 46080 is 2e-14,
	// times that derivative.
	scoreError = 1e-9
)

func newQuantileTable(m margin) *quantileTable {
	n := int(2*tableEnd/tableStep) + 1
	t := &quantileTable{margin: m, x: make([]float64, n), slope: make([]float64, n), smooth: make([]bool, n-1), bend: make([]float64, n), exact: make([]bool, n-1)}
	low, guess := -1.0, -1.0
	for normalScore(m, low) > -tableEnd {
		low *= 2
	}
	for i := range n {
		z := -tableEnd + float64(i)*tableStep
		high := math.Max(guess, low+1e-3)
		for normalScore(m, high) < z {
			high += 2 * (high - low)
		}
		t.x[i] = scoreInverse(m, z, guess, low, high)
		t.slope[i] = math.Exp(-z*z/2-m.logDensity(t.x[i])) / math.Sqrt(2*math.Pi)
		// z' = f/phi(z), so z'' = z' (f'/f + z z')
		t.bend[i] = (m.logSlope(t.x[i]) + z/t.slope[i]) / t.slope[i]
		low, guess = t.x[i], t.x[i]+t.slope[i]*tableStep
	}
	for i := range t.smooth {
		rise := 3 * (t.x[i+1] - t.x[i]) / tableStep // Fritsch and Carlson's bound
		middle := -tableEnd + (float64(i)+0.5)*tableStep
		x := t.hermite(i, 0.5)
		score := normalScore(m, x)
		t.smooth[i] = t.slope[i] <= rise && t.slope[i+1] <= rise && math.Abs(score-middle) <= tableError
		t.exact[i] = !(math.Abs(t.quintic(i, x)-score) <= scoreError)
	}
	return t
}

// score returns z(x).
func (t *quantileTable) score(x float64) float64 {
	i, _ := slices.BinarySearch(t.x, x)
	if i == 0 || i == len(t.x) || t.exact[i-1] {
		return normalScore(t.margin, x)
	}
	return t.quintic(i-1, x)
}

// quintic returns the polynomial of piece i that has the scores, slopes and
// curvatures of both ends there.
func (t *quantileTable) quintic(i int, x float64) float64 {
	h := t.x[i+1] - t.x[i]
	s := (x - t.x[i]) / h
	left, right := h/t.slope[i], h/t.slope[i+1]
	bendLeft, bendRight := h*h*t.bend[i]/2, h*h*t.bend[i+1]/2
	rise := tableStep - left - bendLeft // what is left for the higher powers: of value,
	slope := right - left - 2*bendLeft  // slope
	bend := bendRight - bendLeft        // and curvature at s = 1
	third := 10*rise - 4*slope + bend
	fourth := -15*rise + 7*slope - 2*bend
	fifth := 6*rise - 3*slope + bend
	z := -tableEnd + float64(i)*tableStep
	return z + s*(left+s*(bendLeft+s*(third+s*(fourth+s*fifth))))
}

// at returns x(z).
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

// hermite returns the cubic of piece i at fraction s of it.
func (t *quantileTable) hermite(i int, s float64) float64 {
	left, right := t.slope[i]*tableStep, t.slope[i+1]*tableStep
	rise := t.x[i+1] - t.x[i]
	return t.x[i] + s*(left+s*((3*rise-2*left-right)+s*(left+right-2*rise)))
}

// scoreInverse returns the x in [low, high] whose normal score is z, by Newton's
// method from guess, with bisection where that leaves the bracket.
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
