package randomfields

import "copse/classifiers/method"

// keptBandwidths is about the number of bandwidths for which a scorer keeps the densities of a
// variable at all rows.
const keptBandwidths = 40

// Numbers counts the densities that the scorers of the classes keep.
func (k *kernelField) Numbers(l method.Load) float64 {
	return keptBandwidths * float64(l.Train) * float64(l.D)
}
