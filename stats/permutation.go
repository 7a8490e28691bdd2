package stats

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	// permutationExact is the largest number n of differences for which all 2^n sign vectors are enumerated.
	permutationExact = 30
	// permutationDraws is the number of random sign vectors drawn for larger samples. The standard error
	// of P is then at most 0.0016.
	permutationDraws = 100_000
	// subsetsExact is the largest number n of differences for which all 2^n - 1 non-empty subsets
	// are used for the interval.
	subsetsExact = 14
)

// permutationFloor explains the lower bound of the permutation test's p-values.
var permutationFloor = fmt.Sprintf("for more than %d differences the permutation test draws %d sign vectors, so its "+
	"p-value is at least %.2g (twice that if two-sided); the signed-rank test and the sign test have no such bound",
	permutationExact, permutationDraws, 1.0/(permutationDraws+1))

// permutationTest returns the p-value of Fisher's paired permutation test of the mean. It
// enumerates all sign vectors for up to 30 differences. For more differences, it draws 10^5 sign
// vectors.
//
// Sums count as equal if they differ by less than 1e-9 of the sum of absolute differences.
func permutationTest(s Differences, alternative Alternative) (float64, error) {
	if err := checkDifferences("permutation test", s.D); err != nil {
		return 0, err
	}
	sizes := absolute(dropZeros(s.D))
	n := len(sizes)
	if n == 0 {
		return 1, nil
	}
	sum, fuzz := floats.Sum(s.D), 1e-9*floats.Sum(sizes)
	if n <= permutationExact { // countFlips(sizes, t) counts the sign vectors with a sum of at least t
		upper := math.Ldexp(countFlips(sizes, sum-fuzz), -n)
		lower := math.Ldexp(countFlips(sizes, -sum-fuzz), -n) // opposite signs have opposite sums
		return alternative.FromTails(lower, upper), nil
	}
	if s.Rng == nil {
		return 0, fmt.Errorf("permutation test: with more than %d differences, the test needs a random source",
			permutationExact)
	}
	lower, upper := drawnTails(sizes, sum, fuzz, s.Rng)
	return alternative.FromTails(lower, upper), nil
}

// drawnTails estimates P(S <= sum) and P(S >= sum). S is the sum of the numbers in sizes, each with
// a random sign. Sums that differ by at most fuzz count as equal.
func drawnTails(sizes []float64, sum, fuzz float64, rng *rand.Rand) (lower, upper float64) {
	// The observed signs count as one more draw, which controls the level (Phipson and Smyth 2010).
	above, below := 1.0, 1.0
	for range permutationDraws {
		flipped := randomFlip(sizes, rng)
		if flipped >= sum-fuzz {
			above++
		}
		if flipped <= sum+fuzz {
			below++
		}
	}
	const all = permutationDraws + 1
	return below / all, above / all
}

// countFlips returns the number of sign vectors for which the signed sizes have a sum of at least
// t.
func countFlips(sizes []float64, t float64) float64 {
	half := len(sizes) / 2
	left, right := flipSums(sizes[:half]), flipSums(sizes[half:])
	slices.Sort(left)
	slices.Sort(right)
	count, from := 0.0, len(right) // the sums right[from:] are large enough
	for _, s := range left {       // ascending, so from only decreases
		for from > 0 && s+right[from-1] >= t {
			from--
		}
		count += float64(len(right) - from)
	}
	return count
}

// flipSums returns the sum of the signed sizes for each of the 2^n combinations of signs.
func flipSums(sizes []float64) []float64 {
	sums := []float64{0}
	for _, v := range sizes {
		for _, s := range sums {
			sums = append(sums, s-v)
		}
		for i := range len(sums) / 2 {
			sums[i] += v
		}
	}
	return sums
}

// randomFlip returns the sum of the sizes with random signs.
func randomFlip(sizes []float64, rng *rand.Rand) float64 {
	sum := 0.0
	var signs uint64
	for i, v := range sizes {
		if i%64 == 0 {
			signs = rng.Uint64()
		}
		if signs&1 == 1 {
			sum += v
		} else {
			sum -= v
		}
		signs >>= 1
	}
	return sum
}

// permutationShift returns the mean difference and the interval of shifts that the permutation test
// does not reject (Hartigan 1969).
//
// The field Level of the result is 0 if there is no interval. This is the case if there are too few
// differences to reject any shift, or if s.Rng is nil and there are more than 14 differences.
func permutationShift(s Differences, level float64) Shift {
	mean := stat.Mean(s.D, nil)
	shift := Shift{Estimate: mean, Low: mean, High: mean}
	if len(s.D) > subsetsExact && s.Rng == nil {
		return shift
	}
	means := subsetMeans(s.D, s.Rng)
	slices.Sort(means)
	subsets := float64(len(means) + 1) // including the empty subset
	// To test a shift, subtract it from all differences, and change the signs of each subset in turn.
	// The one-sided p-value is the proportion of subsets for which the sum of all differences does not
	// decrease. These are the subsets whose sum is at most 0 after the subtraction: the empty subset,
	// and the subsets whose mean before the subtraction is at most the shift.
	//
	// For a shift below the k-th smallest mean, these are at most k subsets. The shift is rejected if
	// k/subsets is at most (1-level)/2. For the largest such k, the interval begins at the k-th
	// smallest mean. By symmetry, it ends at the k-th largest one.
	const rounding = 1e-9 // keeps a whole number that is slightly too small from being rounded down
	k := int((1-level)/2*subsets + rounding)
	if k < 1 { // no shift is rejected
		return shift
	}
	shift.Low, shift.High = means[k-1], means[len(means)-k]
	shift.Level = 1 - 2*float64(k)/subsets
	return shift
}

// subsetMeans returns the means of all non-empty subsets of up to 14 differences. For more
// differences, it returns the means of permutationDraws random subsets.
func subsetMeans(d []float64, rng *rand.Rand) []float64 {
	if len(d) <= subsetsExact {
		return allSubsetMeans(d)
	}
	means := make([]float64, 0, permutationDraws)
	for len(means) < permutationDraws {
		sum, size := 0.0, 0
		for _, v := range d {
			if rng.Uint64()&1 == 1 {
				sum += v
				size++
			}
		}
		if size > 0 {
			means = append(means, sum/float64(size))
		}
	}
	return means
}

// allSubsetMeans returns the means of all non-empty subsets of d. A subset that contains d[i] has
// bit i set in its number.
func allSubsetMeans(d []float64) []float64 {
	sums := make([]float64, 1<<len(d))
	for subset := 1; subset < len(sums); subset++ {
		lowest := bits.TrailingZeros(uint(subset))
		withoutLowest := subset & (subset - 1)
		sums[subset] = sums[withoutLowest] + d[lowest]
	}
	for subset := 1; subset < len(sums); subset++ {
		sums[subset] /= float64(bits.OnesCount(uint(subset)))
	}
	return sums[1:]
}
