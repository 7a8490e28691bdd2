package machines

import "copse/classifiers/method"

// Numbers returns the number of cached kernel values for the rows of one pair of classes.
func (s *SVM) Numbers(l method.Load) float64 { return kernelNumbers(2*l.Train/l.Classes, s.CacheMB) }

// Numbers returns the number of kernel values in the caches of the cross-validation and of the
// final fit.
func (s *SVMCV) Numbers(l method.Load) float64 { return 2 * kernelNumbers(l.Train, s.CacheMB) }

// kernelNumbers returns the number of cached kernel values for n rows: all n^2 of them, or as many
// as fit in a cache of cacheMB megabytes.
func kernelNumbers(n, cacheMB int) float64 {
	return min(float64(n)*float64(n), float64(cacheMB<<20)/8)
}
