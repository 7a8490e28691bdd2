package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KBN is the kernel-based Bayesian network that Freno et al. (2010) compare with. Its structure
// follows Hofmann and Tresp (NIPS 1995): from the empty graph, a greedy search adds, removes or
// reverses the arc that increases the leave-one-out log-likelihood (Eq. 14) most. Conditional
// densities and bandwidths are estimated as in KHRF, and the class density is
//
//	p(x) = prod_i p(x_i | pa_i(x)).
//
// Each added arc takes about d families, so that a search takes O(d^2 max_parents) of them.
type KBN struct {
	kernelField
	MaxParents int `param:"max_parents" doc:"largest number of parents of a node" range:"[1,64]"`
}

// NewKBN returns the paper's setting. The paper does not state the number of parents.
func NewKBN() *KBN { return &KBN{kernelField: newKernelField(2, 1), MaxParents: 3} }

// Fit learns each class's network and its densities.
func (k *KBN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return k.fit(ctx, train, func(ctx context.Context, s *field.Scorer) ([][]int, error) {
		return field.HillClimb(ctx, s.Variables(), k.MaxParents, k.MinGain, s)
	})
}
