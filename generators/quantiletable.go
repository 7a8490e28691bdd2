package generators

import (
	"math"
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
	quintics []quintic // by piece
	exact    []bool    // by piece: the score is not the quintic's
	first    []uint16  // by bucket: the first piece with values of it
}

const (
	tableEnd   = 8.5 // scores beyond, of probability 2e-17, are moved to the end
	tableStep  = 1.0 / 32
	tableError = 1e-6 // in z: some 10^12 rows could show it
	// scoreError bounds the quintic's error in the middle of a piece, where it is
	// largest. The sixth power of the step over 46080 is 2e-14,
	// times that derivative.
	scoreError = 1e-9
	// buckets of the real line, most of which lie within one piece.
	buckets = 4096
)

// bucket numbers the buckets, which are of equal length in x / (1 + |x|). It never
// falls as x rises, however that is rounded.
func bucket(x float64) int {
	return int((1 + math.Copysign(1-1/(1+math.Abs(x)), x)) * (buckets / 2))
}

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
	bend := make([]float64, n) // second derivative of z(x)
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
		bend[i] = (m.logSlope(t.x[i]) + z/t.slope[i]) / t.slope[i]
		low, guess = t.x[i], t.x[i]+t.slope[i]*tableStep
	}
	for i := range t.smooth {
		rise := 3 * (t.x[i+1] - t.x[i]) / tableStep // Fritsch and Carlson's bound
		middle := -tableEnd + (float64(i)+0.5)*tableStep
		x := t.hermite(i, 0.5)
		score := normalScore(m, x)
		t.smooth[i] = t.slope[i] <= rise && t.slope[i+1] <= rise && math.Abs(score-middle) <= tableError
		t.quintics[i] = newQuintic(middle-tableStep/2, t.x[i+1]-t.x[i],
			1/t.slope[i], 1/t.slope[i+1], bend[i], bend[i+1])
		t.exact[i] = !(math.Abs(t.quintics[i].at(x-t.x[i])-score) <= scoreError)
	}
	t.first = make([]uint16, buckets+2) // with that of infinity, and one more to end it
	b := 0
	for i := range t.smooth {
		for last := bucket(t.x[i+1]); b <= last; b++ {
			t.first[b] = uint16(i)
		}
	}
	for ; b < len(t.first); b++ {
		t.first[b] = uint16(len(t.smooth) - 1)
	}
	return t
}

// score returns z(x).
func (t *quantileTable) score(x float64) float64 {
	if !(x > t.x[0] && x < t.x[len(t.x)-1]) {
		return normalScore(t.margin, x)
	}
	b := bucket(x)
	i := int(t.first[b]) // the piece of x, by halves of the bucket's
	for n := int(t.first[b+1]) - i + 1; n > 1; {
		half := n / 2
		if t.x[i+half] <= x {
			i += half
		}
		n -= half
	}
	if t.exact[i] {
		return normalScore(t.margin, x)
	}
	return t.quintics[i].at(x - t.x[i])
}

// A quintic is a polynomial of degree five: coefficients, the constant first.
type quintic [6]float64

// newQuintic returns the quintic that rises from z to z + tableStep between 0
// and h, with the given slopes and second derivatives there.
func newQuintic(z, h, slopeLeft, slopeRight, bendLeft, bendRight float64) quintic {
	left, right := h*slopeLeft, h*slopeRight // of s = x / h
	bendLeft, bendRight = h*h*bendLeft/2, h*h*bendRight/2
	rise := tableStep - left - bendLeft // what is left for the higher powers: of value,
	slope := right - left - 2*bendLeft  // slope
	bend := bendRight - bendLeft        // and curvature at s = 1
	q := quintic{z, left, bendLeft, 10*rise - 4*slope + bend, -15*rise + 7*slope - 2*bend, 6*rise - 3*slope + bend}
	power := 1.0
	for k := range q {
		q[k] /= power
		power *= h
	}
	return q
}

func (q *quintic) at(x float64) float64 {
	return q[0] + x*(q[1]+x*(q[2]+x*(q[3]+x*(q[4]+x*q[5]))))
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
