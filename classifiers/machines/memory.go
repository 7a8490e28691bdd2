package machines

import "copse/classifiers/method"

// Numbers counts the kernel values of one pair of classes.
func (s *SVM) Numbers(l method.Load) float64 { return kernelNumbers(2*l.Train/l.Classes, s.CacheMB) }

// Numbers counts the kernel values of all rows, once for the search and once for the fit.
func (s *SVMCV) Numbers(l method.Load) float64 { return 2 * kernelNumbers(l.Train, s.CacheMB) }

// kernelNumbers returns the number of kernel values of n rows that a cache of so many megabytes
// holds.
func kernelNumbers(n, cacheMB int) float64 {
	return min(float64(n)*float64(n), float64(cacheMB<<20)/8)
}
