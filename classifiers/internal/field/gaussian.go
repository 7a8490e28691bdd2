package field

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Gaussian is the conditional density of variable i given a set N of variables, for a normal
// distribution with mean m and covariance S:
//
//	x_i | x_N ~ N( m_i + S_iN S_NN^-1 (x_N - m_N), S_ii - S_iN S_NN^-1 S_Ni ).
type Gaussian struct {
	node      int
	given     []int
	intercept float64
	slope     []float64 // slope[a] belongs to variable given[a]
	variance  float64
}

// NewGaussian returns the conditional density of variable node, given the variables in given, for a
// normal distribution with mean m and covariance s.
//
// It returns an error if the given variables have a singular covariance, or if node is a linear
// function of them.
func NewGaussian(m []float64, s mat.Symmetric, node int, given []int) (*Gaussian, error) {
	g := &Gaussian{node: node, given: given, intercept: m[node], variance: s.At(node, node)}
	if k := len(given); k > 0 { // otherwise the conditional density is the density of the variable alone
		// inner is the covariance of the given variables. cross contains their covariances with
		// node.
		inner, cross := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
		for a, i := range given {
			cross.SetVec(a, s.At(node, i))
			for b := range a + 1 {
				inner.SetSym(a, b, s.At(i, given[b]))
			}
		}
		var chol mat.Cholesky
		var slope mat.VecDense
		if !chol.Factorize(inner) || chol.SolveVecTo(&slope, cross) != nil {
			return nil, fmt.Errorf("the covariance of the %d neighbours of variable %d is singular", k, node+1)
		}
		g.slope = slope.RawVector().Data
		for a, i := range given {
			g.intercept -= g.slope[a] * m[i]
			g.variance -= g.slope[a] * cross.AtVec(a)
		}
	}
	if !(g.variance > 0) {
		return nil, fmt.Errorf("variable %d has no variance given its %d neighbours", node+1, len(given))
	}
	return g, nil
}

// LogDensity returns log p(row[node] | row[given]).
func (g *Gaussian) LogDensity(row []float64) float64 {
	u := row[g.node] - g.intercept
	for a, i := range g.given {
		u -= g.slope[a] * row[i]
	}
	return -0.5 * (u*u/g.variance + math.Log(2*math.Pi*g.variance))
}
