package networks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/classifiers/internal/logdensity"
)

// A chainJudge compares chains by the scores that they give n rows in C classes.
type chainJudge struct {
	classes, d int
	y          []int // n of them
	prior      []float64
	alone      []float64   // n x C: scores with all variables independent
	gain       [][]float64 // by pair i < j, i d + j: n x C, what joining them adds
}

func newChainJudge(y []int, classes, d int, prior []float64) *chainJudge {
	j := &chainJudge{
		classes: classes,
		d:       d,
		y:       y,
		prior:   prior,
		alone:   make([]float64, len(y)*classes),
		gain:    make([][]float64, d*d),
	}
	for a := range d {
		for b := a + 1; b < d; b++ {
			j.gain[a*d+b] = make([]float64, len(y)*classes)
		}
	}
	return j
}

// setRow takes row r's log densities of the entries, the variables first.
func (j *chainJudge) setRow(r int, entries []logdensity.Entry, logs []float64) {
	scores := j.alone[r*j.classes:][:j.classes]
	copy(scores, j.prior)
	single := logs[:j.classes*j.d] // by class, then variable
	for k, e := range entries {
		if e.I == e.J {
			scores[e.Class] += logs[k]
			continue
		}
		j.gain[e.I*j.d+e.J][r*j.classes+e.Class] = logs[k] - single[e.Class*j.d+e.I] - single[e.Class*j.d+e.J]
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
		row := scores[r*j.classes:][:j.classes]
		for c, s := range row {
			if c != y && s >= row[y] {
				v.errors++
				break
			}
		}
	}
	if v.errors > best.errors {
		return best, false
	}
	for r, y := range j.y {
		row := scores[r*j.classes:][:j.classes]
		v.loss += floats.LogSumExp(row) - row[y]
	}
	return v, v.errors < best.errors || v.loss < best.loss
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
