package randomfields

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// KBN is the kernel-based Bayesian network that Freno et al. (2010) use as a baseline. As in
// Hofmann and Tresp (NIPS 1995), a greedy search finds the graph. It begins without arcs. Each step
// adds, removes or reverses one arc. It chooses the arc with the largest increase of the
// leave-one-out log likelihood (Eq. 14 of Freno et al.).
//
// Conditional densities and bandwidths are estimated as in the classifier khrf. Let pa_i be the
// parents of variable i. The density of a class is the product over the variables
//
//	p(x) = prod_i p(x_i | pa_i(x)),
//
// where pa_i(x) are the values of the parents in row x.
//
// With d variables, the search estimates about d conditional densities for each added arc. Each is
// the density of a variable given its parents. In total, it estimates O(d^2 max_parents)
// conditional densities.
type KBN struct {
	kernelField
	// largest number of parents of a node
	MaxParents int `param:"max_parents" range:"[1,64]"`
}

// NewKBN returns a KBN with the parameters of Freno et al. (2010). The paper does not state
// MaxParents. Its default is 3, as in KHRF.
func NewKBN() *KBN { return &KBN{kernelField: newKernelField(2, 1), MaxParents: 3} }

// Fit implements method.Classifier. It does not use rng.
func (k *KBN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return k.fit(ctx, train, func(ctx context.Context, s *field.Scorer) ([][]int, error) {
		return field.HillClimb(ctx, s.Variables(), k.MaxParents, k.MinGain, s)
	})
}
