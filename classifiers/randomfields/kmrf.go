package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KMRF is the kernel-based Markov random field that Freno et al. (2010) use as a baseline. As in
// Hofmann and Tresp (NIPS 1997), a greedy search finds the graph. It begins without edges. Each
// step adds or removes one edge. It chooses the edge with the largest increase of the leave-one-out
// pseudo-likelihood.
//
// Two variables are neighbours if the graph has an edge between them. Conditional densities and
// bandwidths are estimated as in the classifier khrf. Their product over the variables i replaces
// the density of the class. It is called the pseudo-likelihood:
//
//	p*(x) = prod_i p(x_i | neighbours of i)
//
// With d variables, the search estimates about 2 d conditional densities for each added edge. Each
// is the density of a variable given its neighbours. In total, it estimates O(d^2 max_neighbours)
// conditional densities.
type KMRF struct {
	kernelField
	// largest number of neighbours of a node
	MaxNeighbours int `param:"max_neighbours" range:"[1,64]"`
}

// NewKMRF returns a KMRF with the parameters of Freno et al. (2010). The paper does not state
// MaxNeighbours. Its default is 10.
func NewKMRF() *KMRF { return &KMRF{kernelField: newKernelField(1, 2), MaxNeighbours: 10} }

// Fit implements method.Classifier. It does not use rng.
func (k *KMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(k.fit(ctx, train, func(ctx context.Context, s *field.Scorer) ([][]int, error) {
		return field.ToggleEdges(ctx, s.Variables(), k.MaxNeighbours, k.MinGain, s)
	}))
}
