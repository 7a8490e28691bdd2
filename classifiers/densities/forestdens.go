package densities

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// ForestDens is the forest density classifier of Dorn et al. (2018), Figure 2, for two classes: a
// linear support vector machine on the log densities of all variables and all pairs of variables
// in each class.
//
// Densities are Gaussian product-kernel estimates. The paper names Matlab's ksdensity in one
// dimension and no bandwidth in two; here the rule of ksdensity with the exponent of two dimensions
// is used. The machine is Matlab's fitcsvm with its defaults: cost 1, features as they are.
type ForestDens struct {
	Bandwidth string `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"matlab,normal-reference,plug-in"`
	linearMachine
	Scale bool `param:"scale" doc:"standardise the log densities"`
}

// NewForestDens returns the paper's setting.
func NewForestDens() *ForestDens {
	return &ForestDens{Bandwidth: string(kde.Matlab), linearMachine: newLinearMachine()}
}

// Fit runs Figure 2 of the paper.
func (f *ForestDens) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	// Steps 1 to 3: the densities, the feature map, the machine.
	return f.on(f.Bandwidth, f.Scale).rule(ctx, train, logdensity.All(2, train.D()))
}
