package densities

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// LU is SLB without pairs of variables (Tenzer et al. 2020, section 5, after Fan et al. 2016), for two
// classes: a linear support vector machine on the log densities of each variable in both classes.
// The machine has the settings of e1071, as in SLB.
type LU struct {
	Bandwidth string `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"plug-in,normal-reference,matlab"`
	linearMachine
	Scale bool `param:"scale" doc:"standardise the log densities"`
}

// NewLU returns the paper's setting. The paper does not state the floor.
func NewLU() *LU {
	return &LU{Bandwidth: string(kde.PlugIn), linearMachine: newLinearMachine(), Scale: true}
}

// Fit estimates the densities, then fits the machine to their logarithms at the training rows.
func (s *LU) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.on(s.Bandwidth, s.Scale).rule(ctx, train, logdensity.Univariate(2, train.D()))
}
