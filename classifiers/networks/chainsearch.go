package networks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A chainScorer compares chains, which are orders of the variables. The better chain misclassifies
// fewer rows. If both misclassify the same number of rows, the better one has the smaller log loss.
//
// In a slice of scores, element r*others + c-1 is the score of class c >= 1 at row r. Class 0 has
// the score 0.
type chainScorer struct {
	others      int         // number of classes other than class 0
	d           int         // number of variables
	y           []int       // class of each row
	independent []float64   // scores if all variables are independent
	gain        [][]float64 // gain[a*d+b], a < b: change in the scores if a and b are neighbours
}

// newChainScorer returns a scorer whose scores consist of log priors. addVariables and setPairGains add
// log densities.
func newChainScorer(y []int, classes, d int, prior []float64) *chainScorer {
	s := &chainScorer{others: classes - 1, d: d, y: y, gain: make([][]float64, d*d)}
	for range y {
		for c := 1; c < classes; c++ {
			s.independent = append(s.independent, prior[c]-prior[0])
		}
	}
	for _, p := range stats.Pairs(d) {
		s.gain[p.I*d+p.J] = make([]float64, len(s.independent))
	}
	return s
}

// addVariables adds the log densities of single variables to s.independent. Row i of the matrix
// logs belongs to row rows[i] of the scorer. Column c*d + v contains log p_c(x_v).
func (s *chainScorer) addVariables(rows []int, logs *mat.Dense) {
	for i, r := range rows {
		row, scores := logs.RawRowView(i), s.atRow(s.independent, r)
		first := floats.Sum(row[:s.d])
		for c := 1; c <= s.others; c++ {
			scores[c-1] += floats.Sum(row[c*s.d:(c+1)*s.d]) - first
		}
	}
}

// setPairGains sets the gains of pairs (a,b) of variables: the increase of the score of each class c >= 1
// if a and b become neighbours,
//
//	g_c - g_0,  g_c = log p_c(x_a, x_b) - log p_c(x_a) - log p_c(x_b).
//
// Row i of both matrices belongs to data row rows[i]. Column c*s.d + a of univariate is log p_c(x_a).
// Column c*len(pairs) + k of bivariate is log p_c(x_a, x_b) for (a,b) = pairs[k].
func (s *chainScorer) setPairGains(rows []int, pairs []stats.Pair, univariate, bivariate *mat.Dense) {
	for i, r := range rows {
		single, double := univariate.RawRowView(i), bivariate.RawRowView(i)
		for k, pair := range pairs {
			a, b := pair.I, pair.J
			g := func(c int) float64 { // g_c
				return double[c*len(pairs)+k] - single[c*s.d+a] - single[c*s.d+b]
			}
			gain := s.atRow(s.gainOf(a, b), r) // gain[c-1] is the gain of class c
			for c := 1; c <= s.others; c++ {
				gain[c-1] = g(c) - g(0)
			}
		}
	}
}

// atRow returns the scores of classes 1, 2, ... at row r.
func (s *chainScorer) atRow(scores []float64, r int) []float64 {
	return scores[r*s.others:][:s.others]
}

// gainOf returns the changes of all scores when variables a and b become neighbours.
func (s *chainScorer) gainOf(a, b int) []float64 { return s.gain[min(a, b)*s.d+max(a, b)] }

type chainCost struct {
	errors int     // misclassified rows
	loss   float64 // sum of the log losses
}

func (a chainCost) less(b chainCost) bool {
	return a.errors < b.errors || a.errors == b.errors && a.loss < b.loss
}

var worst = chainCost{math.MaxInt, math.Inf(1)}

// cost returns the number of misclassified rows for the class scores of a chain, and the sum of
// the log losses. With more than maxErrors errors, the loss is +Inf, which saves time.
func (s *chainScorer) cost(scores []float64, maxErrors int) chainCost {
	var cost chainCost
	for r, y := range s.y {
		if misclassified(s.atRow(scores, r), y) {
			cost.errors++
		}
	}
	if cost.errors > maxErrors {
		cost.loss = math.Inf(1)
		return cost
	}
	for r, y := range s.y {
		cost.loss += logLoss(s.atRow(scores, r), y)
	}
	return cost
}

// misclassified reports whether another class scores at least as high as the true class y.
// scores[c-1] is the score of class c >= 1. Class 0 has the score 0.
func misclassified(scores []float64, y int) bool {
	if y == 0 {
		return slices.Max(scores) >= 0
	}
	for c, s := range scores {
		if c != y-1 && s >= scores[y-1] {
			return true
		}
	}
	return 0 >= scores[y-1]
}

// logLoss returns the log loss of a row of class y,
//
//	-log P(y) = log sum_c exp(s_c - s_y).
//
// scores[c-1] is s_c for c >= 1, and s_0 = 0. Losses near 0 keep full relative precision.
func logLoss(scores []float64, y int) float64 {
	trueScore := 0.0 // s_y
	if y > 0 {
		trueScore = scores[y-1]
	}
	largest := max(0, slices.Max(scores))
	if trueScore < largest { // the loss is not near 0; subtract the largest score, so that no exponential overflows
		sum := math.Exp(-largest)
		for _, s := range scores {
			sum += math.Exp(s - largest)
		}
		return largest - trueScore + math.Log(sum)
	}
	odds := 0.0 // sum of exp(s_c - s_y) over the other classes, so that the loss is log(1 + odds)
	for c, s := range scores {
		if c != y-1 {
			odds += math.Exp(s - trueScore)
		}
	}
	if y > 0 { // class 0 is another class, with the score 0
		odds += math.Exp(-trueScore)
	}
	return math.Log1p(odds)
}

// exhaustive returns the chain with the lowest cost. It tries all d!/2 chains by depth-first
// search.
func (s *chainScorer) exhaustive(ctx context.Context) ([]int, error) {
	e := &enumeration{chainScorer: s, best: worst}
	for range s.d + 1 {
		e.scores = append(e.scores, slices.Clone(s.independent))
	}
	err := e.extend(ctx, nil)
	return e.bestChain, err
}

type enumeration struct {
	*chainScorer
	// scores[k] contains the class scores of all rows for the first k variables of the current
	// chain: these are linked, and all other variables are independent.
	scores    [][]float64
	best      chainCost
	bestChain []int
}

// extend tries all chains that begin with the given variables. e.scores[k] contains the class scores
// if the first k variables are linked and all others are independent.
func (e *enumeration) extend(ctx context.Context, chain []int) error {
	k := len(chain)
	if k == e.d { // the chain is complete
		e.try(chain)
		return ctx.Err()
	}
	for v := range e.d {
		if slices.Contains(chain, v) {
			continue
		}
		if k > 0 { // the first variable has no neighbour yet, so it changes no score
			floats.AddTo(e.scores[k+1], e.scores[k], e.gainOf(chain[k-1], v))
		}
		if err := e.extend(ctx, append(chain, v)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (e *enumeration) try(chain []int) {
	if chain[0] > chain[len(chain)-1] {
		return // its reverse has the same densities
	}
	if cost := e.cost(e.scores[e.d], e.best.errors); cost.less(e.best) {
		e.best, e.bestChain = cost, slices.Clone(chain)
	}
}

// greedy returns a chain of low cost. It starts with the best pair, repeatedly adds the best
// variable to either end, and finally reverses segments while this lowers the cost.
func (s *chainScorer) greedy(ctx context.Context) ([]int, error) {
	scores := slices.Clone(s.independent) // class scores of all rows; bestPair updates them
	first, err := s.bestPair(ctx, stats.Pairs(s.d), scores)
	if err != nil {
		return nil, err
	}
	chain := []int{first.I, first.J}
	for len(chain) < s.d {
		var extensions []stats.Pair // pairs of an end of the chain and another variable
		for v := range s.d {
			if !slices.Contains(chain, v) {
				first, last := chain[0], chain[len(chain)-1]
				extensions = append(extensions, stats.Pair{I: first, J: v}, stats.Pair{I: last, J: v})
			}
		}
		best, err := s.bestPair(ctx, extensions, scores)
		if err != nil {
			return nil, err
		}
		if end, next := best.I, best.J; end == chain[0] {
			chain = slices.Insert(chain, 0, next)
		} else {
			chain = append(chain, next)
		}
	}
	return chain, s.reverse(ctx, chain, scores)
}

// bestPair returns the pair of new neighbours with the lowest cost, and updates the class scores of
// all rows for this pair.
func (s *chainScorer) bestPair(ctx context.Context, pairs []stats.Pair, scores []float64) (stats.Pair, error) {
	best, extended := worst, make([]float64, len(scores))
	var pair stats.Pair
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return pair, err
		}
		floats.AddTo(extended, scores, s.gainOf(p.I, p.J))
		if cost := s.cost(extended, best.errors); cost.less(best) {
			best, pair = cost, p
		}
	}
	floats.Add(scores, s.gainOf(pair.I, pair.J))
	return pair, nil
}

const (
	maxSweeps        = 20   // largest number of sweeps over all segments of a chain
	leastImprovement = 1e-9 // smallest relative decrease of the loss that is not a rounding error
)

// reverse reverses segments of the chain until no reversal lowers the cost. It updates chain and
// scores.
func (s *chainScorer) reverse(ctx context.Context, chain []int, scores []float64) error {
	best := s.cost(scores, math.MaxInt)
	for range maxSweeps {
		cost, err := s.reverseSweep(ctx, chain, scores, best)
		if err != nil {
			return err
		}
		if cost == best {
			return nil
		}
		best = cost
	}
	return nil
}

// reverseSweep tries to reverse each segment of the chain once, and keeps every reversal that
// lowers the cost. best is the cost before the sweep, and the result is the cost afterwards.
func (s *chainScorer) reverseSweep(
	ctx context.Context, chain []int, scores []float64, best chainCost,
) (chainCost, error) {
	reversed := make([]float64, len(scores))
	for from := range chain {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		for to := from + 1; to < len(chain); to++ {
			if from == 0 && to == len(chain)-1 {
				continue // reversing the whole chain does not change the densities
			}
			copy(reversed, scores)
			s.reverseScores(reversed, chain, from, to)
			cost := s.cost(reversed, best.errors) // with more errors than best.errors, cost.loss is +Inf
			isRounding := cost.errors == best.errors && cost.loss > best.loss*(1-leastImprovement)
			if cost.less(best) && !isRounding {
				best = cost
				slices.Reverse(chain[from : to+1])
				copy(scores, reversed)
			}
		}
	}
	return best, nil
}

// reverseScores updates the scores for a reversal of chain[from..to], which changes the pairs of
// neighbours at both ends.
func (s *chainScorer) reverseScores(scores []float64, chain []int, from, to int) {
	if from > 0 {
		before := chain[from-1]
		floats.Sub(scores, s.gainOf(before, chain[from]))
		floats.Add(scores, s.gainOf(before, chain[to]))
	}
	if to < len(chain)-1 {
		after := chain[to+1]
		floats.Sub(scores, s.gainOf(chain[to], after))
		floats.Add(scores, s.gainOf(chain[from], after))
	}
}
