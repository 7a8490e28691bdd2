package densities

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// LU is a linear support vector machine for two classes (Tenzer et al. 2020, section 5, after Fan
// et al. 2016). Its inputs are the log densities of each variable in both classes. Unlike slb, it
// does not use pairs of variables.
//
// The cost and the scaling of the log densities are the defaults of R's package e1071, as in slb.
//
// The default bandwidths are the plug-in bandwidths of R's package ks, as in Tenzer et al. (2020).
// In contrast, the default of slb is normal-reference.
//
// The solver's default tolerance is 1e-8. Before version 3, it was 0.001, the default of e1071.
type LU struct {
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"plug-in,normal-reference,matlab"`
	linearMachine
	// standardise the log densities
	Scale bool `param:"scale"`
}

// NewLU returns an LU with the parameters of the paper. The paper does not state a lower bound on
// the densities. The default of Floor is a choice of this package.
func NewLU() *LU {
	return &LU{Bandwidth: string(kde.PlugIn), linearMachine: newLinearMachine(), Scale: true}
}

// Fit implements method.Classifier. It does not use rng.
func (s *LU) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.machine(s.Bandwidth, s.Scale).rule(ctx, train, logdensity.Univariate(2, train.D()))
}
