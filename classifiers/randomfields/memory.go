package randomfields

import "copse/classifiers/method"

// keptBandwidths is a typical number of bandwidths for which a scorer caches kernel densities. The
// estimate of memory uses it.
const keptBandwidths = 40

// Numbers returns the number of densities that the scorers of all classes cache.
func (k *kernelField) Numbers(l method.Load) float64 {
	return keptBandwidths * float64(l.Train) * float64(l.D)
}
