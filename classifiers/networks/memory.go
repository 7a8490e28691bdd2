package networks

import (
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/kde"
)

// Numbers returns the number of cached kernel sums for the pairs of variables in the trees. It is 0
// for product kernels, which need no cache.
func (s *TAN) Numbers(l method.Load) float64 {
	if kde.Rule(s.Bandwidth).Product() || l.D < 2 {
		return 0
	}
	share := float64(l.D-1) / float64(l.D*(l.D+1)/2) // edges as a fraction of all pairs and single variables
	return share * float64(logdensity.KeptGrids(l.Train, l.Classes, l.D))
}

// chainEntryNumbers is the number of float64 values in one fitted density.
const chainEntryNumbers = 40

func (s *MarkovChain) Numbers(l method.Load) float64 {
	rows := l.Train // number of rows at which densities are evaluated together
	if s.Judge == heldOut {
		rows /= min(s.Folds, l.Train)
	}
	entries := logdensity.Count(l.Classes, l.D)
	batch := min(entries, max(l.Classes, batchNumbers/max(rows, 1))) // number of densities (see addDensities)
	pairs := l.D * (l.D - 1) / 2
	return float64(l.Train)*float64(pairs*(l.Classes-1)) + float64(batch)*float64(rows+chainEntryNumbers)
}
