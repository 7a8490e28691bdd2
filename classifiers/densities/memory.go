package densities

import (
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/kde"
)

// entryNumbers describe one log density: where it stands, bandwidth and bound, its place
// in a tile, and all that again for a selection of them.
const entryNumbers = 40

// machineNumbers returns the numbers that a linear machine on p log densities at n rows
// holds, or the log densities of the test rows if these are more; kept: it is one of
// several machines on the same rows.
func machineNumbers(n, test, p int, kept bool) float64 {
	scores := float64(heldRows(test, p)) * float64(p)
	if wide(n, p, 1) {
		return max(products(n, 1)+2*float64(n)*tileColumns(p), scores)
	}
	return max(float64(n)*float64(p)+float64(svm.LinearNumbers(n, p, kept)), scores)
}

func products(n, matrices int) float64 { return float64(matrices) * float64(n) * float64(n) }

// tileColumns are the columns of one tile of p log densities.
func tileColumns(p int) float64 { return float64(min(p, logdensity.TileColumns)) }

func (s *SLB) Numbers(l method.Load) float64 {
	p, n := logdensity.Count(l.Classes, l.D), min(l.Train, s.SelectRows)
	folds := min(s.Folds, n)
	choice, held := 0.0, (folds+1)*n*p
	switch matrices := folds * len(s.Quantiles); {
	case len(s.Quantiles) == 1:
	case wide(n, p, matrices):
		choice = products(n, matrices+1) + float64(folds+2)*float64(n)*tileColumns(p)
	case held <= crossNumbers:
		choice = float64(held) + machineNumbers(n, 0, p, true)
	default:
		choice = machineNumbers(n, 0, p, true)
	}
	return max(choice, machineNumbers(l.Train, l.Test, p, false)) + entryNumbers*float64(p) + keptGrids(s.Bandwidth, l)
}

func (s *SLBMinus) Numbers(l method.Load) float64   { return allDensities(s.Bandwidth, l) }
func (f *ForestDens) Numbers(l method.Load) float64 { return allDensities(f.Bandwidth, l) }

func allDensities(rule string, l method.Load) float64 {
	p := logdensity.Count(l.Classes, l.D)
	return machineNumbers(l.Train, l.Test, p, false) + entryNumbers*float64(p) + keptGrids(rule, l)
}

// keptGrids are what the training set keeps of densities with bandwidth matrices.
func keptGrids(rule string, l method.Load) float64 {
	if kde.Rule(rule).Product() {
		return 0
	}
	return float64(logdensity.KeptGrids(l.Train, l.Classes, l.D))
}

func (s *LU) Numbers(l method.Load) float64 {
	return machineNumbers(l.Train, l.Test, l.Classes*l.D, false)
}

// pathNumbers is how many numbers one density adds to the models along two paths.
const pathNumbers = 200

// Numbers counts the log densities of all folds, or of one fold at a time, and the
// standardised columns of a path with its models.
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

func (s *SLBL1SVM) Numbers(l method.Load) float64 { return (*SLBL1)(s).Numbers(l) }

// splitEntryNumbers describe one univariate log density of a split, its interpolation
// included.
const splitEntryNumbers = 600

// Numbers counts what the splits keep, the values of a half and the log densities, and
// what the last one holds beside them.
func (s *FANS) Numbers(l method.Load) float64 {
	half := float64(l.Train) / 2 * float64(l.D)
	return float64(s.Splits+6)*half + float64(s.Splits)*splitEntryNumbers*float64(l.Classes*l.D)
}

// Numbers counts as for FANS.
func (s *FANS2) Numbers(l method.Load) float64 { return (*FANS)(s).Numbers(l) }
