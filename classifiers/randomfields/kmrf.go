package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KMRF is the kernel-based Markov random field that Freno et al. (2010) compare with. Its structure
// follows Hofmann and Tresp (NIPS 1997): from the empty graph, a greedy search adds or removes the
// edge that increases the leave-one-out pseudo-likelihood most. Conditional densities and bandwidths
// are estimated as in KHRF. The class density is the pseudo-likelihood
//
//	p*(x) = prod_i p(x_i | neighbours of i).
//
// Each added edge takes about 2 d families, so that a search takes O(d^2 max_neighbours) of them.
type KMRF struct {
	kernelField
	MaxNeighbours int `param:"max_neighbours" doc:"largest number of neighbours of a node" range:"[1,64]"`
}

// NewKMRF returns the paper's setting. The paper does not state the number of neighbours.
func NewKMRF() *KMRF { return &KMRF{kernelField: newKernelField(1, 2), MaxNeighbours: 10} }

// Fit learns each class's graph and its densities.
func (k *KMRF) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return withoutProbabilities(k.fit(ctx, train, func(ctx context.Context, s *field.Scorer) ([][]int, error) {
		return field.ToggleEdges(ctx, s.Variables(), k.MaxNeighbours, k.MinGain, s)
	}))
}
