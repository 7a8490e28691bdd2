package densities

import (
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/kde"
)

// The methods Numbers estimate the peak memory of a fit and its prediction, as a number of float64s.
// Copies of the data are not included. All sizes in this file are numbers of float64s.

// entryNumbers is the size of one fitted density: its entry, bandwidth, bound and position in a tile,
// twice, because a selection of entries copies them.
const entryNumbers = 40

// machineNumbers returns the size of a linear machine on p log densities at n training rows, or the
// size of the log densities at the test rows if that is larger. If several is true, the solver also
// keeps what later machines on the same rows need.
func machineNumbers(n, test, p int, several bool) float64 {
	scores := float64(heldRows(test, p)) * float64(p)
	if wide(n, p, 1) {
		return max(productNumbers(n, 1)+2*float64(n)*tileColumns(p), scores)
	}
	return max(float64(n)*float64(p)+float64(svm.LinearNumbers(n, p, several)), scores)
}

// productNumbers returns the size of the given number of n x n matrices.
func productNumbers(n, matrices int) float64 { return float64(matrices) * float64(n) * float64(n) }

// tileColumns returns the number of columns in a tile, i.e. a batch of log densities, if there are p.
func tileColumns(p int) float64 { return float64(min(p, logdensity.TileColumns)) }

// Numbers returns the size of the search for the threshold, or of the final machine if that is larger.
func (s *SLB) Numbers(l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	search := s.searchNumbers(min(l.Train, s.SelectRows), p)
	machine := machineNumbers(l.Train, l.Test, p, false)
	return max(search, machine) + entryNumbers*float64(p) + keptGrids(s.Bandwidth, l)
}

// searchNumbers returns the size of the search for the threshold with p log densities at n rows.
func (s *SLB) searchNumbers(n, p int) float64 {
	if len(s.Quantiles) == 1 {
		return 0 // without a choice there is no search
	}
	folds := min(s.Folds, n)
	matrices := folds * len(s.Quantiles)
	if wide(n, p, matrices) {
		return productNumbers(n, matrices+1) + float64(folds+2)*float64(n)*tileColumns(p)
	}
	machine := machineNumbers(n, 0, p, true)
	if together := (folds + 1) * n * p; together <= crossNumbers {
		return float64(together) + machine
	}
	return machine
}

// Numbers returns the size of a machine on all log densities.
func (s *SLBMinus) Numbers(l method.Load) float64 { return allDensities(s.Bandwidth, l) }

// Numbers returns the size of a machine on all log densities.
func (f *ForestDens) Numbers(l method.Load) float64 { return allDensities(f.Bandwidth, l) }

// allDensities returns the size of a machine on the log densities of all variables and pairs, with the
// given bandwidth rule.
func allDensities(rule string, l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	return machineNumbers(l.Train, l.Test, p, false) + entryNumbers*float64(p) + keptGrids(rule, l)
}

// keptGrids returns the size of the kernel sums that the training set caches for the given bandwidth
// rule. It is 0 for product kernels, for which the training set caches no sums.
func keptGrids(rule string, l method.Load) float64 {
	if kde.Rule(rule).Product() {
		return 0
	}
	return float64(logdensity.KeptGrids(l.Train, l.Classes, l.D))
}

// Numbers returns the size of a machine on the log densities of all variables.
func (s *LU) Numbers(l method.Load) float64 {
	return machineNumbers(l.Train, l.Test, l.Classes*l.D, false)
}

// pathNumbers is the number of weights of one log density in the models along two paths.
const pathNumbers = 200

// Numbers returns the size of the log densities of all folds (of one fold if they do not fit into
// memory), of the standardised columns and of the models along the path.
func (s *SLBL1) Numbers(l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	folds := min(s.Folds, l.Train) + 2
	if s.Select == refit && (folds-1)*l.Train*p > crossNumbers {
		folds = 1
	}
	models := pathNumbers
	if l.Classes > 2 {
		models *= l.Classes
	}
	return float64((folds+1)*l.Train+max(l.Test, models)+entryNumbers) * float64(p)
}

// Numbers returns the same size as for SLBL1.
func (s *SLBL1SVM) Numbers(l method.Load) float64 { return (*SLBL1)(s).Numbers(l) }

// splitEntryNumbers is the size of one density of a variable in a split, with its interpolation table.
const splitEntryNumbers = 600

// Numbers returns the size of the rows and densities that all splits keep, and of the columns of the
// last split.
func (s *FANS) Numbers(l method.Load) float64 {
	half := float64(l.Train) / 2 * float64(l.D)
	return float64(s.Splits+6)*half + float64(s.Splits)*splitEntryNumbers*float64(l.Classes*l.D)
}

// Numbers returns the same size as for FANS.
func (s *FANS2) Numbers(l method.Load) float64 { return (*FANS)(s).Numbers(l) }
