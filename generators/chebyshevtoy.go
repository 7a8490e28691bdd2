package generators

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/dataset"
)

// ChebyshevToy draws the toy problem of Eban et al. (2014), section 8.1 and Figure 1a. It has a
// class y in {0, 1} and n = 2k+11 binary variables, in this order:
//
//   - S is the strong variable. It equals y with probability 0.9.
//   - W_1 to W_10 are weak variables. Each of them equals y with probability 0.6.
//   - C_1 to C_k are copies of W_1.
//   - D_1 to D_k are exclusive ors of two different weak variables. A pair of weak variables is
//     drawn at random for each D_i. Different D_i can have the same pair.
//
// Given y, the variables S, W_1, ..., W_10 are independent.
type ChebyshevToy struct {
	// number of copies C_1 to C_k of W_1, and also of exclusive ors D_1 to D_k. There are 2k +
	// n_weak + 1 variables in total
	K int `param:"k" range:"[0,inf)"`
	// number of weak variables W
	NWeak int `param:"n_weak" range:"[2,1000]"`
	// probability that the strong variable S equals the class
	PStrong float64 `param:"p_strong" range:"[0,1]"`
	// probability that a weak variable W equals the class
	PWeak float64 `param:"p_weak" range:"[0,1]"`
}

// NewChebyshevToy returns the generator with 15 variables, the smallest number in Figure 1a of Eban
// et al. (2014).
func NewChebyshevToy() *ChebyshevToy {
	return &ChebyshevToy{K: 2, NWeak: 10, PStrong: 0.9, PWeak: 0.6}
}

func (g *ChebyshevToy) columns() int { return 1 + g.NWeak + 2*g.K }

// New draws a pair of weak variables for each variable D, which is their exclusive or.
func (g *ChebyshevToy) New(rng *rand.Rand) (Problem, error) {
	p := &chebyshevProblem{ChebyshevToy: *g}
	for range g.K {
		p.pairs = append(p.pairs, [2]int(drawDistinct(stats.Indices(g.NWeak), 2, rng)))
	}
	p.names = slices.Concat([]string{"S"}, numbered("W", g.NWeak), numbered("C", g.K), numbered("D", g.K))
	return p, nil
}

// numbered returns the names W1, W2, ... for the letter W.
func numbered(letter string, count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", letter, i+1)
	}
	return names
}

type chebyshevProblem struct {
	ChebyshevToy
	pairs [][2]int // indices (from 0) of the two W's of each D
	names []string // names of the columns
}

// Sample draws counts[y] rows of each class y. The columns are the strong variable, NWeak weak
// variables, K copies of the first weak variable, and the exclusive or of each pair in p.pairs.
func (p *chebyshevProblem) Sample(counts []int, rng *rand.Rand) *dataset.Set {
	s := sampleRows(counts, 2, len(p.names), func(class int, row []float64) {
		y := float64(class)
		row[0] = flip(y, p.PStrong, rng) // y with probability p.PStrong, and otherwise 1-y
		weak, others := row[1:1+p.NWeak], row[1+p.NWeak:]
		copies, xors := others[:p.K], others[p.K:]
		for i := range weak {
			weak[i] = flip(y, p.PWeak, rng)
		}
		for i := range copies {
			copies[i] = weak[0]
		}
		for i, pair := range p.pairs {
			xors[i] = xor(weak, pair)
		}
	})
	for j := range s.Attributes {
		s.Attributes[j] = dataset.Attribute{Name: p.names[j], Kind: dataset.Discrete, Levels: []string{"0", "1"}}
	}
	return s
}

// flip returns y with probability keep, otherwise 1-y.
func flip(y, keep float64, rng *rand.Rand) float64 {
	if rng.Float64() < keep {
		return y
	}
	return 1 - y
}

func xor(w []float64, pair [2]int) float64 { return math.Abs(w[pair[0]] - w[pair[1]]) }

// LogDensity returns the log probability of row x (see Sample) given the class. It is -Inf if a
// copy C_i or an exclusive-or variable D_i contradicts the weak variables.
func (p *chebyshevProblem) LogDensity(class int, x []float64) float64 {
	checkRow(x, len(p.names))
	y := float64(class)
	weak, copies, xors := x[1:1+p.NWeak], x[1+p.NWeak:][:p.K], x[1+p.NWeak+p.K:]
	sum := logFlip(x[0], y, p.PStrong)
	for _, v := range weak {
		sum += logFlip(v, y, p.PWeak)
	}
	for i, pair := range p.pairs {
		if copies[i] != weak[0] || xors[i] != xor(weak, pair) {
			return math.Inf(-1)
		}
	}
	return sum
}

// logFlip returns the log probability that flip(y, keep) returns v.
func logFlip(v, y, keep float64) float64 {
	switch v {
	case y:
		return math.Log(keep)
	case 1 - y:
		return math.Log1p(-keep)
	}
	return math.Inf(-1)
}

// bayesError returns the error rate of the Bayes rule for equally likely classes y. S is the strong
// variable, and m is the number of weak variables W that are 1. The other variables are functions
// of these. The error rate is
//
//	1/2 sum_{s, m} min_y P(S = s | y) P(m of the W's are 1 | y).
func (p *chebyshevProblem) bayesError() float64 {
	sum := 0.0
	for s := range 2 {
		ways := 1.0 // binomial coefficient "NWeak choose m"
		for m := range p.NWeak + 1 {
			var q [2]float64 // q[y] is P(S = s and m of the W's are 1 | y)
			for y := range q {
				pStrong := math.Exp(logFlip(float64(s), float64(y), p.PStrong)) // P(S = s | y)
				pWeak := math.Exp(logFlip(1, float64(y), p.PWeak))              // P(W_i = 1 | y)
				q[y] = pStrong * ways * math.Pow(pWeak, float64(m)) * math.Pow(1-pWeak, float64(p.NWeak-m))
			}
			sum += min(q[0], q[1]) / 2
			ways *= float64(p.NWeak-m) / float64(m+1)
		}
	}
	return sum
}

func (p *chebyshevProblem) Model() any {
	parents := make(map[string][]string, p.K)
	for i, pair := range p.pairs {
		parents[fmt.Sprintf("D%d", i+1)] = []string{fmt.Sprintf("W%d", pair[0]+1), fmt.Sprintf("W%d", pair[1]+1)}
	}
	return description{
		Generator:  "chebyshev-toy",
		Parameters: describeParameters(p.ChebyshevToy),
		Drawn:      map[string]any{"parents": parents, "bayes_error_equal_classes": p.bayesError()},
	}
}
