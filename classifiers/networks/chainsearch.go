package networks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A chainJudge compares chains, i.e. orders of the variables, by the class scores that they give to
// rows. The score of class c at a row is its log density minus the log density of class 0. Class 0
// always has the score 0, so it is not stored: the score of class c >= 1 at row r is
// scores[r*others + c-1].
type chainJudge struct {
	others int         // number of classes other than class 0
	d      int         // number of variables
	y      []int       // class of each row
	alone  []float64   // scores if all variables are independent
	gain   [][]float64 // gain[i*d+j], i < j: change of the scores if i and j are neighbours
}

// newChainJudge returns a judge for rows with the classes y and d variables. Its scores contain only
// the log priors: class c has the score prior[c] - prior[0] at each row.
func newChainJudge(y []int, classes, d int, prior []float64) *chainJudge {
	j := &chainJudge{
		others: classes - 1,
		d:      d,
		y:      y,
		gain:   make([][]float64, d*d),
	}
	for range y {
		for c := 1; c < classes; c++ {
			j.alone = append(j.alone, prior[c]-prior[0])
		}
	}
	for a := range d {
		for b := a + 1; b < d; b++ {
			j.gain[a*d+b] = make([]float64, len(y)*j.others)
		}
	}
	return j
}

// addVariables adds the log densities of single variables to the scores in j.alone. Row i of logs
// belongs to row rows[i] of the judge. Column c*d + v of logs is the log density of variable v in
// class c.
func (j *chainJudge) addVariables(rows []int, logs *mat.Dense) {
	for i, r := range rows {
		line := logs.RawRowView(i)
		first := floats.Sum(line[:j.d])
		for c := range j.others {
			own := line[(1+c)*j.d : (2+c)*j.d]
			j.alone[r*j.others+c] += floats.Sum(own) - first
		}
	}
}

// setPairs sets j.gain for some pairs (a,b) of variables at the given rows. With the change
//
//	g_c = log p_c(x_a, x_b) - log p_c(x_a) - log p_c(x_b)
//
// of the log density of class c, the score of class c changes by g_c - g_0. Row i of variables and
// joint belongs to row rows[i] of the judge. Column c*d + v of variables is log p_c(x_v). Column
// c*len(pairs) + k of joint is log p_c(x_a, x_b) for pairs[k].
func (j *chainJudge) setPairs(rows []int, pairs [][2]int, variables, joint *mat.Dense) {
	for i, r := range rows {
		single, double := variables.RawRowView(i), joint.RawRowView(i)
		for k, p := range pairs {
			change := func(c int) float64 { // g_c
				return double[c*len(pairs)+k] - single[c*j.d+p[0]] - single[c*j.d+p[1]]
			}
			scores := j.pair(p[0], p[1])[r*j.others:][:j.others]
			for c := range scores {
				scores[c] = change(c+1) - change(0)
			}
		}
	}
}

// pair returns the change of the scores if the variables a and b are neighbours.
func (j *chainJudge) pair(a, b int) []float64 { return j.gain[min(a, b)*j.d+max(a, b)] }

// A chainCost is the cost of a chain. Costs are compared first by the number of misclassified rows
// and then by the log loss.
type chainCost struct {
	errors int
	loss   float64
}

// worst is a cost that is higher than the cost of any chain.
var worst = chainCost{math.MaxInt, math.Inf(1)}

// improvement computes the cost of scores. If it is lower than best, improvement returns the cost and
// true, else best and false.
func (j *chainJudge) improvement(scores []float64, best chainCost) (chainCost, bool) {
	var cost chainCost
	for r, y := range j.y {
		if misclassified(scores[r*j.others:][:j.others], y) {
			cost.errors++
		}
	}
	if cost.errors > best.errors {
		return best, false // the loss does not matter
	}
	for r, y := range j.y {
		cost.loss += logLoss(scores[r*j.others:][:j.others], y)
	}
	if cost.errors < best.errors || cost.loss < best.loss {
		return cost, true
	}
	return best, false
}

// misclassified reports whether another class has at least the score of class y, the class of the
// row. scores[c-1] is the score of class c >= 1; class 0 has the score 0.
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

// logLoss returns the log loss of a row of class y, -log P(y) = log sum_c exp(s_c - s_y). scores[c-1]
// is s_c for c >= 1, and s_0 = 0. The result is also accurate near 0, so that chains without errors
// can be compared.
func logLoss(scores []float64, y int) float64 {
	own := 0.0
	if y > 0 {
		own = scores[y-1]
	}
	largest := max(0, slices.Max(scores))
	if own < largest { // subtract the largest score, so that no exponential overflows
		sum := math.Exp(-largest)
		for _, s := range scores {
			sum += math.Exp(s - largest)
		}
		return largest - own + math.Log(sum)
	}
	odds := 0.0 // sum of exp(s_c - s_y) over the other classes, possibly much smaller than 1
	for c, s := range scores {
		if c != y-1 {
			odds += math.Exp(s - own)
		}
	}
	if y > 0 {
		odds += math.Exp(-own)
	}
	return math.Log1p(odds)
}

// exhaustive returns the chain with the lowest cost among all d!/2 chains.
func (j *chainJudge) exhaustive(ctx context.Context) ([]int, error) {
	s := &chainEnumeration{chainJudge: j, best: worst, used: make([]bool, j.d)}
	for range j.d + 1 {
		s.scores = append(s.scores, make([]float64, len(j.alone)))
	}
	copy(s.scores[1], j.alone)
	err := s.extend(ctx)
	return s.bestChain, err
}

// A chainEnumeration is a depth-first search through all chains.
type chainEnumeration struct {
	*chainJudge
	chain     []int       // the first variables of the chains to try next
	used      []bool      // used[v] states whether chain contains v
	scores    [][]float64 // scores[k]: scores if the first k variables form a chain
	best      chainCost
	bestChain []int
}

// extend tries all chains that begin with the variables in s.chain.
func (s *chainEnumeration) extend(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := len(s.chain)
	if k == s.d {
		s.finish()
		return nil
	}
	for v := range s.d {
		if s.used[v] {
			continue
		}
		if k > 0 {
			floats.AddTo(s.scores[k+1], s.scores[k], s.pair(s.chain[k-1], v))
		}
		s.chain = append(s.chain, v)
		s.used[v] = true
		if err := s.extend(ctx); err != nil {
			return err
		}
		s.chain = s.chain[:k]
		s.used[v] = false
	}
	return nil
}

// finish compares the complete chain s.chain with the best chain so far and keeps the better one.
func (s *chainEnumeration) finish() {
	if s.chain[0] > s.chain[s.d-1] {
		return // the reversed chain has the same densities and is also tried
	}
	cost, better := s.improvement(s.scores[s.d], s.best)
	if better {
		s.best = cost
		s.bestChain = slices.Clone(s.chain)
	}
}

// greedy returns a chain of low cost. It begins with the pair of lowest cost. In each step, it adds
// the variable that gives the lowest cost at one of the two ends. While the chain grows, variables
// outside it count as independent. At last, greedy reverses parts of the chain as long as this
// lowers the cost.
func (j *chainJudge) greedy(ctx context.Context) ([]int, error) {
	chain, err := j.bestPair(ctx)
	if err != nil {
		return nil, err
	}
	scores := slices.Clone(j.alone)
	floats.Add(scores, j.pair(chain[0], chain[1]))
	for len(chain) < j.d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end, next := j.bestExtension(chain, scores)
		floats.Add(scores, j.pair(end, next))
		if end == chain[0] {
			chain = slices.Insert(chain, 0, next)
		} else {
			chain = append(chain, next)
		}
	}
	return chain, j.reverse(ctx, chain, scores)
}

// bestPair returns the pair of variables with the lowest cost if all other variables are independent.
func (j *chainJudge) bestPair(ctx context.Context) ([]int, error) {
	best, scores := worst, make([]float64, len(j.alone))
	var pair []int
	for a := range j.d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := a + 1; b < j.d; b++ {
			floats.AddTo(scores, j.alone, j.pair(a, b))
			if cost, better := j.improvement(scores, best); better {
				best, pair = cost, []int{a, b}
			}
		}
	}
	return pair, nil
}

// bestExtension returns the best way to lengthen a chain, i.e. the way with the lowest cost: the
// variable next, which is outside the chain, becomes a neighbour of end, which is the first or the
// last variable of the chain. scores holds the scores of the chain.
func (j *chainJudge) bestExtension(chain []int, scores []float64) (end, next int) {
	best, extended := worst, make([]float64, len(scores))
	for v := range j.d {
		if slices.Contains(chain, v) {
			continue
		}
		for _, e := range []int{chain[0], chain[len(chain)-1]} {
			floats.AddTo(extended, scores, j.pair(e, v))
			if cost, better := j.improvement(extended, best); better {
				best, end, next = cost, e, v
			}
		}
	}
	return end, next
}

const (
	maxSweeps        = 20   // largest number of sweeps over all parts of a chain
	leastImprovement = 1e-9 // smallest relative decrease of the loss that is not a rounding error
)

// reverse reverses parts of the chain, in place, until no reversal lowers its cost or maxSweeps
// sweeps are done. scores holds the scores of the chain; reverse updates them.
func (j *chainJudge) reverse(ctx context.Context, chain []int, scores []float64) error {
	best, _ := j.improvement(scores, worst)
	for range maxSweeps {
		cost, err := j.reverseSweep(ctx, chain, scores, best)
		if err != nil {
			return err
		}
		if cost == best {
			return nil // no reversal has lowered the cost
		}
		best = cost
	}
	return nil
}

// reverseSweep tries to reverse each part of the chain and keeps each reversal that lowers the cost,
// in chain and scores. best is the cost of the chain before the sweep; the result is the cost after
// the sweep.
func (j *chainJudge) reverseSweep(
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
			j.reverseScores(reversed, chain, from, to)
			cost, better := j.improvement(reversed, best)
			rounding := cost.errors == best.errors && cost.loss > best.loss*(1-leastImprovement)
			if better && !rounding {
				best = cost
				slices.Reverse(chain[from : to+1])
				copy(scores, reversed)
			}
		}
	}
	return best, nil
}

// reverseScores updates the scores of a chain for the reversal of its part chain[from..to]. The
// reversal changes only two pairs of neighbours: at the beginning and at the end of this part.
func (j *chainJudge) reverseScores(scores []float64, chain []int, from, to int) {
	if from > 0 {
		before := chain[from-1]
		floats.Sub(scores, j.pair(before, chain[from]))
		floats.Add(scores, j.pair(before, chain[to]))
	}
	if to < len(chain)-1 {
		after := chain[to+1]
		floats.Sub(scores, j.pair(chain[to], after))
		floats.Add(scores, j.pair(chain[from], after))
	}
}
