package kde

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"copse/stats"
)

var ErrTooFew = errors.New("a bandwidth needs at least two values")

// normalReference returns the bandwidth sd (4/((d+2)n))^(1/(d+4)), which is optimal for normal
// data.
func normalReference(x []float64, d int) (float64, error) {
	sd, err := stdDev(x)
	return sd * normalFactor(len(x), d), err
}

// matlab returns the bandwidth by the rule Matlab for one variable x of a d-dimensional density.
func matlab(x []float64, d int) (float64, error) {
	if len(x) < 2 {
		return 0, ErrTooFew
	}
	s := robustScale(x)
	if s == 0 {
		low, high := extent(x)
		s = high - low
	}
	if s == 0 { // all values are equal: ksdensity uses 1
		return 1, nil
	}
	return s * normalFactor(len(x), d), nil
}

// normalFactor returns the factor (4/((d+2)n))^(1/(d+4)) of the normal reference bandwidth.
func normalFactor(n, d int) float64 {
	return math.Pow(4/(float64(d+2)*float64(n)), 1/float64(d+4))
}

// If the standard deviation is between tinySD and hugeSD, squared deviations neither underflow nor
// overflow.
const (
	tinySD = 1e-140
	hugeSD = 1e140
)

// stdDev returns the standard deviation with divisor n-1, or an error for fewer than two different
// values.
func stdDev(x []float64) (float64, error) {
	if len(x) < 2 {
		return 0, ErrTooFew
	}
	sd := stat.StdDev(x, nil)
	low, high := extent(x)
	if low < high && !(sd > tinySD && sd < hugeSD) {
		sd = extremeSD(x, low, high)
	}
	if low == high || sd == 0 {
		return 0, fmt.Errorf("all %d values equal %g, so the density has no bandwidth", len(x), x[0])
	}
	return sd, nil
}

// extremeSD returns the standard deviation of values between low and high. It first scales the
// values to a range of 2, because squared deviations might underflow or overflow.
func extremeSD(x []float64, low, high float64) float64 {
	unit := high/2 - low/2
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v/unit - low/unit
	}
	return unit * stat.StdDev(z, nil)
}

// StdDev returns the standard deviation with divisor n-1, or 0 for fewer than two different values.
func StdDev(x []float64) float64 {
	sd, _ := stdDev(x)
	return sd
}

// minimScale returns min(sd, interquartile range / 1.349) of the ascending values, like the option
// "minim" of KernSmooth. If the interquartile range is 0, it returns sd.
func minimScale(x []float64) (float64, error) {
	sd, err := stdDev(x)
	if err != nil {
		return 0, err
	}
	if iqr := stats.Quantile(x, 0.75) - stats.Quantile(x, 0.25); iqr > 0 {
		return min(sd, iqr/1.349), nil
	}
	return sd, nil
}

// ascending returns a sorted copy of x.
func ascending(x []float64) []float64 {
	s := slices.Clone(x)
	stats.Sort(s)
	return s
}

// robustScale returns median|x - median x| / 0.6745.
func robustScale(x []float64) float64 {
	s := ascending(x)
	m := stats.Quantile(s, 0.5)
	for i, v := range s {
		s[i] = math.Abs(v - m)
	}
	stats.Sort(s)
	return stats.Quantile(s, 0.5) / 0.6745
}
