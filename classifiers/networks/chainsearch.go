package networks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A chainJudge compares chains by the scores that they give n rows. Only differences of
// scores count, so those of class 0 are 0 and scores are those of the other classes.
type chainJudge struct {
	others, d int         // classes but class 0, and variables
	y         []int       // n of them
	alone     []float64   // n x others: scores with all variables independent
	gain      [][]float64 // by pair i < j, i d + j: n x others, what joining them adds
}

func newChainJudge(y []int, classes, d int, prior []float64) *chainJudge {
	j := &chainJudge{
		others: classes - 1,
		d:      d,
		y:      y,
		alone:  make([]float64, len(y)*(classes-1)),
		gain:   make([][]float64, d*d),
	}
	for k := range j.alone {
		j.alone[k] = prior[1+k%j.others] - prior[0]
	}
	for a := range d {
		for b := a + 1; b < d; b++ {
			j.gain[a*d+b] = make([]float64, len(y)*j.others)
		}
	}
	return j
}

// addVariables adds the log densities of the variables at the given rows to their scores
// alone. logs has a row for each, the columns by class, then variable.
func (j *chainJudge) addVariables(rows []int, logs *mat.Dense) {
	for i, r := range rows {
		ofClass := func(c int) []float64 { return logs.RawRowView(i)[c*j.d : (c+1)*j.d] }
		first := floats.Sum(ofClass(0))
		for c := range j.others {
			j.alone[r*j.others+c] += floats.Sum(ofClass(1+c)) - first
		}
	}
}

// setPairs sets what joining the variables of the pairs adds at the given rows. variables
// are as of addVariables, logs the log densities of the pairs, by class, then pair.
func (j *chainJudge) setPairs(rows []int, pairs [][2]int, variables, logs *mat.Dense) {
	for i, r := range rows {
		single, joint := variables.RawRowView(i), logs.RawRowView(i)
		for k, p := range pairs {
			gain := func(c int) float64 { return joint[c*len(pairs)+k] - single[c*j.d+p[0]] - single[c*j.d+p[1]] }
			first := gain(0)
			for c := range j.others {
				j.pair(p[0], p[1])[r*j.others+c] = gain(1+c) - first
			}
		}
	}
}

func (j *chainJudge) pair(a, b int) []float64 { return j.gain[min(a, b)*j.d+max(a, b)] }

// A verdict is what a chain costs: misclassified rows, then log loss.
type verdict struct {
	errors int
	loss   float64
}

var worst = verdict{math.MaxInt, math.Inf(1)}

// judged returns the verdict on scores if it is better than the best so far, with
// the loss computed only where the errors do not decide.
func (j *chainJudge) judged(scores []float64, best verdict) (verdict, bool) {
	v := verdict{}
	for r, y := range j.y {
		if misclassified(scores[r*j.others:][:j.others], y) {
			v.errors++
		}
	}
	if v.errors > best.errors {
		return best, false
	}
	for r, y := range j.y {
		v.loss += logLoss(scores[r*j.others:][:j.others], y)
	}
	return v, v.errors < best.errors || v.loss < best.loss
}

// misclassified reports whether a row of class y has another class with no smaller score.
// scores are those of the classes from 1 on, class 0 scores 0.
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

// logLoss returns -log P(y) of a row with the scores of misclassified, which is accurate
// near 0 too: it tells chains apart that make no error.
func logLoss(scores []float64, y int) float64 {
	own := 0.0
	if y > 0 {
		own = scores[y-1]
	}
	largest := max(0, slices.Max(scores))
	if own < largest {
		sum := math.Exp(-largest)
		for _, s := range scores {
			sum += math.Exp(s - largest)
		}
		return largest - own + math.Log(sum)
	}
	odds := 0.0 // of the other classes
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

// exhaustive tries all chains.
func (j *chainJudge) exhaustive(ctx context.Context) ([]int, error) {
	best, found := worst, []int(nil)
	scores := make([][]float64, j.d+1) // after so many variables
	for k := range scores {
		scores[k] = make([]float64, len(j.alone))
	}
	copy(scores[1], j.alone)
	used := make([]bool, j.d)
	var extend func(chain []int) error
	extend = func(chain []int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if k := len(chain); k == j.d {
			if chain[0] <= chain[k-1] { // the reverse is the same
				if v, better := j.judged(scores[k], best); better {
					best, found = v, append([]int(nil), chain...)
				}
			}
			return nil
		}
		for v := range j.d {
			if used[v] {
				continue
			}
			if k := len(chain); k > 0 {
				floats.AddTo(scores[k+1], scores[k], j.pair(chain[k-1], v))
			}
			used[v] = true
			if err := extend(append(chain, v)); err != nil {
				return err
			}
			used[v] = false
		}
		return nil
	}
	if err := extend(make([]int, 0, j.d)); err != nil {
		return nil, err
	}
	return found, nil
}

// greedy grows a chain from its best pair at both ends and reverses parts of it.
func (j *chainJudge) greedy(ctx context.Context) ([]int, error) {
	scores, trial := append([]float64(nil), j.alone...), make([]float64, len(j.alone))
	chain, inside := []int(nil), make([]bool, j.d)
	best := worst
	for a := range j.d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := a + 1; b < j.d; b++ {
			floats.AddTo(trial, scores, j.pair(a, b))
			if v, better := j.judged(trial, best); better {
				best, chain = v, []int{a, b}
			}
		}
	}
	floats.Add(scores, j.pair(chain[0], chain[1]))
	inside[chain[0]], inside[chain[1]] = true, true
	for len(chain) < j.d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best = worst
		var end, next int
		for v := range j.d {
			for _, e := range []int{0, len(chain) - 1} {
				if inside[v] {
					continue
				}
				floats.AddTo(trial, scores, j.pair(chain[e], v))
				if verdict, better := j.judged(trial, best); better {
					best, end, next = verdict, e, v
				}
			}
		}
		floats.Add(scores, j.pair(chain[end], next))
		inside[next] = true
		if end == 0 {
			chain = append([]int{next}, chain...)
		} else {
			chain = append(chain, next)
		}
	}
	return chain, j.reverse(ctx, chain, scores)
}

// maxSweeps bounds the sweeps over all parts of a chain.
const maxSweeps = 20

// reverse turns parts of a chain with the given scores round, in place, until no
// part improves it.
func (j *chainJudge) reverse(ctx context.Context, chain []int, scores []float64) error {
	best, _ := j.judged(scores, worst)
	trial := make([]float64, len(scores))
	for range maxSweeps {
		improved := false
		for from := range chain {
			if err := ctx.Err(); err != nil {
				return err
			}
			for to := from + 1; to < len(chain); to++ {
				if from == 0 && to == len(chain)-1 {
					continue // the whole chain
				}
				copy(trial, scores)
				if from > 0 {
					floats.Sub(trial, j.pair(chain[from-1], chain[from]))
					floats.Add(trial, j.pair(chain[from-1], chain[to]))
				}
				if to < len(chain)-1 {
					floats.Sub(trial, j.pair(chain[to], chain[to+1]))
					floats.Add(trial, j.pair(chain[from], chain[to+1]))
				}
				v, better := j.judged(trial, best)
				if !better || v.errors == best.errors && v.loss > best.loss*(1-leastImprovement) {
					continue
				}
				best, improved = v, true
				slices.Reverse(chain[from : to+1])
				copy(scores, trial)
			}
		}
		if !improved {
			return nil
		}
	}
	return nil
}

// leastImprovement of the loss, relative, that is not rounding.
const leastImprovement = 1e-9
