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
	slope, err := slopes(s, node, given)
	if err != nil {
		return nil, err
	}
	g := &Gaussian{node: node, given: given, intercept: m[node], slope: slope, variance: s.At(node, node)}
	// The linear regression of node on the given variables has this slope, intercept and residual variance.
	for a, i := range given {
		g.intercept -= slope[a] * m[i]
		g.variance -= slope[a] * s.At(node, i)
	}
	if !(g.variance > 0) {
		return nil, fmt.Errorf("variable %d has no variance given its %d neighbours", node+1, len(given))
	}
	return g, nil
}

// slopes returns S_NN^-1 S_Ni (see Gaussian) for i = node and N = given, or nil if N is empty. It
// returns an error if S_NN is singular.
func slopes(s mat.Symmetric, node int, given []int) ([]float64, error) {
	k := len(given)
	if k == 0 {
		return nil, nil
	}
	inner, cross := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil) // S_NN and S_Ni
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
	return slope.RawVector().Data, nil
}

// LogDensity returns log p(row[node] | row[given]).
func (g *Gaussian) LogDensity(row []float64) float64 {
	u := row[g.node] - g.intercept
	for a, i := range g.given {
		u -= g.slope[a] * row[i]
	}
	return -0.5 * (u*u/g.variance + math.Log(2*math.Pi*g.variance))
}
