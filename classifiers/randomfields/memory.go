package randomfields

import "copse/classifiers/method"

// keptBandwidths is the number of bandwidths for which a scorer typically caches kernel densities.
// It is used to estimate memory.
const keptBandwidths = 40

// Numbers returns the number of densities that the scorers of all classes cache.
func (k *kernelField) Numbers(l method.Load) float64 {
	return keptBandwidths * float64(l.Train) * float64(l.D)
}
