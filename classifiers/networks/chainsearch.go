package networks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A chainJudge compares chains, orders of the variables, by the scores that they give to n rows.
// The score of a class is its log density minus the log density of class 0, which scores 0. A
// list of scores has others numbers for each row, one for each of the classes 1, 2, ...
type chainJudge struct {
	others int         // number of classes but class 0
	d      int         // number of variables
	y      []int       // the class of each row
	alone  []float64   // the scores with all variables independent
	gain   [][]float64 // at [i*d+j], i < j: the change of the scores if i and j are neighbours
}

// newChainJudge returns a judge for rows of classes y, without densities: the score of class c is
// prior[c] - prior[0], at r*others + c-1 for row r.
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

// addVariables adds the log densities of single variables at the given rows to j.alone.
// logs has a line for each of these rows; variable v of class c is its column c*d + v.
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

// setPairs sets the gains of some pairs of variables at the given rows: the log density of the
// pair minus the log densities of its variables. variables are the logs of addVariables; pair k of
// class c is column c*len(pairs) + k of joint.
func (j *chainJudge) setPairs(rows []int, pairs [][2]int, variables, joint *mat.Dense) {
	var gainOfFirst float64
	for i, r := range rows {
		single, double := variables.RawRowView(i), joint.RawRowView(i)
		for k, p := range pairs {
			scores := j.pair(p[0], p[1])[r*j.others:]
			for c := range 1 + j.others {
				gain := double[c*len(pairs)+k] - single[c*j.d+p[0]] - single[c*j.d+p[1]]
				if c == 0 {
					gainOfFirst = gain
				} else {
					scores[c-1] = gain - gainOfFirst
				}
			}
		}
	}
}

// pair returns the change of the scores if two variables are neighbours.
func (j *chainJudge) pair(a, b int) []float64 { return j.gain[min(a, b)*j.d+max(a, b)] }

// A chainCost compares chains: by the number of misclassified rows, then by the log loss.
type chainCost struct {
	errors int
	loss   float64
}

// worst is higher than the cost of any chain.
var worst = chainCost{math.MaxInt, math.Inf(1)}

// improvement returns the cost of scores and true if it is less than best, else best and false.
func (j *chainJudge) improvement(scores []float64, best chainCost) (chainCost, bool) {
	var cost chainCost
	for r, y := range j.y {
		if misclassified(scores[r*j.others:][:j.others], y) {
			cost.errors++
		}
	}
	if cost.errors > best.errors {
		return best, false // whatever the loss
	}
	for r, y := range j.y {
		cost.loss += logLoss(scores[r*j.others:][:j.others], y)
	}
	if cost.errors < best.errors || cost.loss < best.loss {
		return cost, true
	}
	return best, false
}

// misclassified reports whether another class scores at least as much as the class y of a row.
// scores has the classes from 1 on; class 0 scores 0.
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

// logLoss returns -log P(y) = log sum_c exp(s_c - s_y) of a row with the scores s of misclassified. It
// is also accurate near 0, so that chains without errors can be compared.
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
	odds := 0.0 // of the other classes against y, possibly much smaller than 1
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

// exhaustive returns the best of all chains.
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
	chain     []int // the variables so far
	used      []bool
	scores    [][]float64 // at [k]: with the first k variables joined
	best      chainCost
	bestChain []int
}

// extend tries all chains that begin with the variables so far.
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

// finish keeps a complete chain if it is the best so far.
func (s *chainEnumeration) finish() {
	if s.chain[0] > s.chain[s.d-1] {
		return // its reverse has the same densities
	}
	cost, better := s.improvement(s.scores[s.d], s.best)
	if better {
		s.best = cost
		s.bestChain = slices.Clone(s.chain)
	}
}

// greedy returns a chain that grows from the best pair, by the best variable at either end, and
// has parts reversed while that lowers its cost. Variables outside count as independent.
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

// bestPair returns the pair of variables of least cost, all others being independent.
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

// bestExtension returns the end of a chain with the given scores, and the variable outside it,
// whose joining costs least.
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
	maxSweeps        = 20   // over all parts of a chain
	leastImprovement = 1e-9 // relative decrease of the loss that is more than rounding
)

// reverse reverses parts of a chain with the given scores, in place, until no reversal lowers its
// cost or maxSweeps have passed.
func (j *chainJudge) reverse(ctx context.Context, chain []int, scores []float64) error {
	best, _ := j.improvement(scores, worst)
	reversed := make([]float64, len(scores))
	for range maxSweeps {
		improved := false
		for from := range chain {
			if err := ctx.Err(); err != nil {
				return err
			}
			for to := from + 1; to < len(chain); to++ {
				if from == 0 && to == len(chain)-1 {
					continue // the whole chain, whose reverse has the same densities
				}
				copy(reversed, scores)
				j.reverseScores(reversed, chain, from, to)
				cost, better := j.improvement(reversed, best)
				rounding := cost.errors == best.errors && cost.loss > best.loss*(1-leastImprovement)
				if !better || rounding {
					continue
				}
				best, improved = cost, true
				slices.Reverse(chain[from : to+1])
				copy(scores, reversed)
			}
		}
		if !improved {
			return nil
		}
	}
	return nil
}

// reverseScores changes the scores of a chain to those with the places from..to reversed. Only
// the pairs at both ends of this part are others then.
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
