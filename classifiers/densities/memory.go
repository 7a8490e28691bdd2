package densities

import (
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/kde"
)

// The methods called Numbers estimate the peak memory for fitting and predicting, not counting
// copies of the data (see method.Load). The unit of all sizes in this file is one float64.

// entryNumbers is the number of float64s in one fitted density. It counts each density twice,
// because selecting densities copies them.
const entryNumbers = 40

// severalMachines is a readable name for true as the last argument of machineNumbers.
const severalMachines = true

// machineNumbers estimates the peak memory for fitting a linear support vector machine to p log
// densities at n rows and predicting test rows. The solver may fit several machines to the same
// rows.
func machineNumbers(n, test, p int, several bool) float64 {
	scores := float64(rowsInMemory(test, p)) * float64(p)
	if prefersProducts(n, p, oneMatrix) {
		return max(productNumbers(n, 1)+2*float64(n)*tileColumns(p), scores)
	}
	return max(float64(n)*float64(p)+float64(svm.LinearNumbers(n, p, several)), scores)
}

func productNumbers(n, matrices int) float64 { return float64(matrices) * float64(n) * float64(n) }

func tileColumns(p int) float64 { return float64(min(p, logdensity.TileColumns)) }

// Numbers estimates the memory for the threshold search or the final fit, whichever needs more.
func (s *SLB) Numbers(l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	search := s.searchNumbers(min(l.Train, s.SelectRows), p)
	machine := machineNumbers(l.Train, l.Test, p, !severalMachines)
	return max(search, machine) + entryNumbers*float64(p) + keptGrids(s.Bandwidth, l)
}

// searchNumbers estimates the memory for choosing the threshold by cross-validation on n rows, with p
// log densities each.
func (s *SLB) searchNumbers(n, p int) float64 {
	if len(s.Quantiles) == 1 {
		return 0
	}
	folds := min(s.Folds, n)
	matrices := folds * len(s.Quantiles)
	if prefersProducts(n, p, matrices) {
		return productNumbers(n, matrices+1) + float64(folds+2)*float64(n)*tileColumns(p)
	}
	machine := machineNumbers(n, 0, p, severalMachines)
	if together := (folds + 1) * n * p; together <= crossNumbers {
		return float64(together) + machine
	}
	return machine
}

// Numbers estimates the memory for a machine on the log densities of all variables and pairs.
func (s *SLBMinus) Numbers(l method.Load) float64 { return allDensities(s.Bandwidth, l) }

// Numbers estimates the memory for a machine on the log densities of all variables and pairs.
func (f *ForestDens) Numbers(l method.Load) float64 { return allDensities(f.Bandwidth, l) }

// allDensities estimates the memory for a linear support vector machine on the log densities of all
// variables and pairs. rule is the bandwidth rule.
func allDensities(rule string, l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	return machineNumbers(l.Train, l.Test, p, !severalMachines) + entryNumbers*float64(p) + keptGrids(rule, l)
}

// keptGrids returns the number of float64s in the kernel sums that the training set caches. For
// product kernels, it caches none.
func keptGrids(rule string, l method.Load) float64 {
	if kde.Rule(rule).Product() {
		return 0
	}
	return float64(logdensity.KeptGrids(l.Train, l.Classes, l.D))
}

func (s *LU) Numbers(l method.Load) float64 {
	return machineNumbers(l.Train, l.Test, l.Classes*l.D, !severalMachines)
}

// pathModels is the number of models in memory: two paths with 100 penalties each. A model has one
// weight for each log density.
const pathModels = 200

// Numbers estimates the memory for the standardised columns, the models of all penalties, and the log
// densities of all folds. If these do not fit into memory, it counts the log densities of one fold.
func (s *SLBL1) Numbers(l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	kept := min(s.Folds, l.Train) + 1 // n x p matrices that refitColumns keeps: one per fold and one for all rows
	if s.Select == refit && kept*l.Train*p > crossNumbers {
		kept = 0
	}
	const others = 2 // n x p matrices: the log densities of the current fold and the standardised columns
	models := pathModels
	if l.Classes > 2 {
		models *= l.Classes
	}
	return float64((kept+others)*l.Train+max(l.Test, models)+entryNumbers) * float64(p)
}

// splitEntryNumbers is the number of float64s in one fitted density of FANS, including its
// interpolation table.
const splitEntryNumbers = 600

// Numbers estimates the memory for the rows and densities of all splits and for the regression columns
// of the last split.
func (s *FANS) Numbers(l method.Load) float64 {
	half := float64(l.Train) / 2 * float64(l.D)
	return float64(s.Splits+6)*half + float64(s.Splits)*splitEntryNumbers*float64(l.Classes*l.D)
}
