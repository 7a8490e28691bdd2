// Package boosting grows gradient-boosted trees on binned columns. It uses the second-order
// expansion of the logistic loss (Friedman, Ann. Stat. 29:1189, 2001; Chen and Guestrin, KDD 2016,
// Eqs. 2-7). Histograms and the order of growth follow Ke et al. (NIPS 2017).
//
// With more than two classes, each class k has a function F_k. With two classes, there is only one
// function F, for class 1. In each round, every function gets one more tree. The tree is grown for
// the derivatives of the loss at row i,
//
//	g_i = p_ik - [y_i = k],  h_i = p_ik (1 - p_ik),
//
// where y_i is the class of the row and p_ik is the current probability of class k. Let G and H be
// the sums of g_i and h_i over the rows of a node, and l2 a penalty. The node is split into parts l
// and r so that
//
//	G_l^2/(H_l + l2) + G_r^2/(H_r + l2) - G^2/(H + l2)
//
// is largest. A leaf has the value -rate G/(H + l2), where rate is the learning rate. For n rows
// and d columns, a round takes O(n d) operations for each level of a tree and O(bins d) for each
// leaf.
package boosting

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
)

// Options are the settings of Fit.
type Options struct {
	Rounds  int
	Rate    float64   // learning rate, by which the leaf values are multiplied
	Leaves  int       // largest number of leaves of a tree, at least 2
	Depth   int       // largest depth of a tree; 0 means no limit
	MinRows int       // smallest number of rows in a leaf
	L2      float64   // penalty on half the squared leaf values
	Weights []float64 // Weights[k] multiplies the derivatives of the rows of class k
}

const (
	minHessian = 1e-3  // smallest sum of second derivatives in a leaf; scikit-learn's min_hessian_to_split
	tiny       = 1e-15 // keeps the value of a leaf finite if its second derivatives are 0
)

// gradientUnit returns the unit of rounded gradients, a power of two. It is 2^-44, but larger if the sum of
// all gradients would otherwise need more than 62 bits.
func gradientUnit(rows int, weights []float64) float64 {
	const finest, sumBits = 44, 62
	largest := max(1, slices.Max(weights))
	most := math.Ceil(float64(rows-1) * largest) // largest possible sum of gradients
	return math.Ldexp(1, -min(finest, sumBits-bits.Len(uint(most))))
}

// A Model contains the functions F_k. Each function is a constant plus a sum of trees.
type Model struct {
	base   []float64             // the constant of each function
	rounds [][]decisiontree.Tree // rounds[r][k] is the tree of function k in round r
	Splits int                   // number of splits of all trees
}

// Fit returns gradient-boosted trees. Row i has class y[i]. Each of the classes 0..len(o.Weights)-1
// must occur. Fit returns the context's error if ctx is cancelled.
func Fit(ctx context.Context, bins *Bins, y []int, o Options) (*Model, error) {
	m := &Model{base: baseline(y, o.Weights)}
	f := make([][]float64, len(m.base)) // f[k][i] is the current function k at row i
	for k := range f {
		f[k] = slices.Repeat(m.base[k:k+1], len(y))
	}
	g := newGrower(bins, o)
	logSums := make([]float64, len(y)) // log sum_k e^F_k of each row
	for range o.Rounds {
		trees := make([]decisiontree.Tree, len(f))
		if len(f) > 1 {
			sumLogs(logSums, f) // all trees of a round use the functions as they were before the round
		}
		for k := range f {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(f) == 1 {
				g.differentiateTwo(f[0], y)
			} else {
				g.differentiateMany(f[k], logSums, y, k)
			}
			trees[k] = g.grow(f[k]) // adds the tree to f[k]
			m.Splits += trees[k].Splits()
		}
		if m.Splits == 0 {
			return m, nil // more trees would only add rounding errors
		}
		m.rounds = append(m.rounds, trees)
	}
	return m, nil
}

// baseline returns the constant of each function before the first round. It is the log odds of class
// 1 for two classes. Otherwise, it is the logarithm of the weighted proportion of the class, centred
// over the classes.
func baseline(y []int, weights []float64) []float64 {
	count, total := make([]float64, len(weights)), 0.0 // weighted numbers of rows
	for _, c := range y {
		count[c] += weights[c]
	}
	// With balanced weights, counts should be equal despite rounding errors.
	for c, v := range count {
		const rounding = 1e-12 // upper limit of the relative rounding error
		if math.Abs(v-count[0]) <= rounding*v {
			count[c] = count[0]
		}
		total += count[c]
	}
	logs, sum := make([]float64, len(weights)), 0.0
	for c, v := range count {
		logs[c] = math.Log(v / total)
		sum += logs[c]
	}
	if len(logs) == 2 {
		return []float64{logs[1] - logs[0]}
	}
	for c := range logs {
		logs[c] -= sum / float64(len(logs))
	}
	return logs
}

// differentiateTwo sets the derivatives of each row's loss with respect to F, for two classes.
func (g *grower) differentiateTwo(f []float64, y []int) {
	for i, v := range f {
		sign := int64(1)
		if y[i] == 1 {
			v, sign = -v, -1
		}
		p, w := 1/(1+math.Exp(-v)), g.Weights[y[i]] // p is the probability of the class other than y[i]
		g.gradient[i] = sign * g.fixed(w*p)
		g.hessian[i] = g.fixed(w * (p * (1 - p)))
	}
}

// differentiateMany sets the derivatives of each row's loss with respect to F_k, for more than two
// classes. logSums[i] is log sum_c e^F_c at row i.
func (g *grower) differentiateMany(f, logSums []float64, y []int, k int) {
	for i, v := range f {
		p, w := math.Exp(v-logSums[i]), g.Weights[y[i]]
		g.hessian[i] = g.fixed(w * (p * (1 - p)))
		if y[i] == k {
			p--
		}
		g.gradient[i] = g.fixed(w * p)
	}
}

// sumLogs sets sums[i] to log sum_k e^F_k for each row i, without overflow.
func sumLogs(sums []float64, f [][]float64) {
	for i := range sums {
		top := math.Inf(-1)
		for k := range f {
			top = max(top, f[k][i])
		}
		var sum float64
		for k := range f {
			sum += math.Exp(f[k][i] - top)
		}
		sums[i] = top + math.Log(sum)
	}
}

// fixed returns v as a multiple of g.unit, rounded to an integer (half away from 0).
func (g *grower) fixed(v float64) int64 { return int64(math.Round(v / g.unit)) }

// Scores returns the score of class k at row i of x as element (i, k). The score is F_k: the baseline
// of the class plus the values of its trees. Two classes share one F, and get -F/2 and F/2.
func (m *Model) Scores(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	k := len(m.base)
	scores := mat.NewDense(n, max(k, 2), nil)
	for i := range n {
		row, values := scores.RawRowView(i), x.RawRowView(i)
		copy(row, m.base)
		for _, trees := range m.rounds {
			for c, t := range trees {
				row[c] += t.Value(values)
			}
		}
		if k == 1 {
			row[0], row[1] = -row[0]/2, row[0]/2
		}
	}
	return scores
}
