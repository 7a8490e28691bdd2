package networks

import (
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
)

// chainEntryNumbers describe one log density of those that chains are compared by.
const chainEntryNumbers = 40

// Numbers counts what the judge of chains keeps, a number for each row, pair of
// variables and class, and the log densities of the rows of one fold.
func (s *MarkovChain) Numbers(l method.Load) float64 {
	entries := float64(logdensity.Count(l.Classes, l.D))
	rows := float64(l.Train)
	if s.Judge == heldOut {
		rows /= float64(min(s.Folds, l.Train))
	}
	return (float64(l.Train) + rows + chainEntryNumbers) * entries
}
