package machines

import (
	"copse/classifiers/method"
)

// square returns the kernel values of n rows.
func square(n int) float64 { return float64(n) * float64(n) }

// Kernel values of one pair of classes, as far as the cache goes.
func (s *SVM) Numbers(l method.Load) float64 {
	return min(square(2*l.Train/l.Classes), float64(s.CacheMB<<20)/8)
}

func (s *SVMCV) Numbers(l method.Load) float64 {
	return 2 * min(square(l.Train), float64(s.CacheMB<<20)/8)
}
