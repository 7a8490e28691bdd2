package machines

import "copse/classifiers/method"

// Numbers returns the number of cached kernel values for the rows of one pair of classes.
func (s *SVM) Numbers(l method.Load) float64 { return kernelNumbers(2*l.Train/l.Classes, s.CacheMB) }

// Numbers returns the number of kernel values in the caches of the cross-validation and of the
// final fit.
func (s *SVMCV) Numbers(l method.Load) float64 { return 2 * kernelNumbers(l.Train, s.CacheMB) }

// kernelNumbers returns the number of kernel values of all pairs of n rows. If a cache of cacheMB
// megabytes holds fewer values, it returns the number that the cache holds.
func kernelNumbers(n, cacheMB int) float64 {
	return min(float64(n)*float64(n), float64(cacheMB<<20)/8)
}
