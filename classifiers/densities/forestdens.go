package densities

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// ForestDens is the forest density classifier of Dorn et al. (2018), Figure 2, for two classes. It
// is a linear support vector machine on the log densities of all variables and all pairs of
// variables in each class.
//
// The densities are estimated by Gaussian product kernels. For a single variable, the paper uses
// Matlab's ksdensity. For pairs of variables, it does not state the bandwidths.
//
// Here the default bandwidths follow the rule of ksdensity in both cases. With n rows in the class,
// they are proportional to n^(-1/5) for a single variable and to n^(-1/6) for a pair.
//
// If a variable is constant in a class, its bandwidth there is 1 in the units of the variable. The
// predictions then depend on these units.
//
// The support vector machine follows Matlab's fitcsvm with its defaults: the cost is 1, and
// features are not scaled. The default tolerance of the solver is 1e-8. Before version 4, it was
// 0.001.
type ForestDens struct {
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"matlab,normal-reference,plug-in"`
	linearMachine
	// standardise the log densities
	Scale bool `param:"scale"`
}

// NewForestDens returns a ForestDens with the parameters of the paper.
func NewForestDens() *ForestDens {
	return &ForestDens{Bandwidth: string(kde.Matlab), linearMachine: newLinearMachine()}
}

// Fit implements method.Classifier. It does not use rng.
func (f *ForestDens) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return f.machine(f.Bandwidth, f.Scale).rule(ctx, train, logdensity.All(2, train.D()))
}
