package densities

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// LU is slb without pairs of variables, for two classes (Tenzer et al. 2020, section 5, after Fan et al.
// 2016). It is a linear support vector machine on the log densities of each variable in both classes. The
// cost and the scaling of the log densities are the defaults of R's e1071, as in slb. The default bandwidths
// are the plug-in bandwidths of R's ks, as in the paper; the default of slb is normal-reference. Before
// version 3, the tolerance was the default of e1071, 0.001.
type LU struct {
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"plug-in,normal-reference,matlab"`
	linearMachine
	// standardise the log densities
	Scale bool `param:"scale"`
}

// NewLU returns an LU with the parameters of the paper, except for the floor, which the paper does not
// state.
func NewLU() *LU {
	return &LU{Bandwidth: string(kde.PlugIn), linearMachine: newLinearMachine(), Scale: true}
}

// Fit estimates the densities and fits the machine to their logarithms at the training rows. It does
// not use rng.
func (s *LU) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.machine(s.Bandwidth, s.Scale).rule(ctx, train, logdensity.Univariate(2, train.D()))
}
