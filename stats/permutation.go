package stats

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	// Up to this many differences all 2^n signs are counted.
	permutationExact = 30
	// Signs drawn beyond: the standard error of P is at most 0.0016.
	permutationDraws = 100_000
	// Up to this many differences the interval counts the means of all 2^n - 1 subsets.
	subsetsExact = 14
)

// permutationFloor is the Floor of the permutation test.
var permutationFloor = fmt.Sprintf("of more than %d differences it draws %d signs, of which the smallest p-value is "+
	"%.2g, twice that where two-sided; tests that draw none (signed-rank, sign) have no such bound",
	permutationExact, permutationDraws, 1.0/(permutationDraws+1))

// permutationTest returns the p-value of Fisher's paired permutation test of the mean. Under the
// null hypothesis all 2^n signs of the differences are equally likely, and P is the share of signs
// whose sum is at least as extreme. Up to 30 differences other than zero all signs are counted. For
// more, m = 10^5 are drawn; of b at least as extreme P = (b+1)/(m+1), so that the test keeps its
// level (Phipson and Smyth 2010). Sums within 1e-9 of the largest possible sum count as equal.
//
// It assumes independent differences, symmetric about zero under the null hypothesis.
func permutationTest(s Differences, alternative Alternative) (float64, error) {
	if err := checkDifferences("permutation test", s.D, alternative); err != nil {
		return 0, err
	}
	sizes := absolute(dropZeros(s.D))
	n := len(sizes)
	if n == 0 {
		return 1, nil
	}
	sum, fuzz := floats.Sum(s.D), 1e-9*floats.Sum(sizes)
	if n <= permutationExact {
		upper := math.Ldexp(flipsAbove(sizes, sum-fuzz), -n)
		lower := math.Ldexp(flipsAbove(sizes, -sum-fuzz), -n) // by symmetry
		return alternative.FromTails(lower, upper), nil
	}
	if s.Rng == nil {
		return 0, errors.New("permutation test: needs a random source")
	}
	above, below := 1.0, 1.0 // the observed signs count as one draw
	for range permutationDraws {
		flipped := randomFlip(sizes, s.Rng)
		if flipped >= sum-fuzz {
			above++
		}
		if flipped <= sum+fuzz {
			below++
		}
	}
	const all = permutationDraws + 1
	return alternative.FromTails(below/all, above/all), nil
}

// flipsAbove returns the number of signs of the sizes whose sum is at least t. For each sum of the
// first half of the sizes it counts the sums of the other half that are large enough.
func flipsAbove(sizes []float64, t float64) float64 {
	half := len(sizes) / 2
	left, right := flipSums(sizes[:half]), flipSums(sizes[half:])
	slices.Sort(left)
	slices.Sort(right)
	count, from := 0.0, len(right)
	for _, s := range left { // ascending, so the smallest partner that is large enough falls
		for from > 0 && s+right[from-1] >= t {
			from--
		}
		count += float64(len(right) - from)
	}
	return count
}

// flipSums returns the sums of all 2^n signs of the sizes.
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

// randomFlip returns the sum of the sizes with fair signs.
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

// permutationShift returns the mean difference with the interval of the shifts that the permutation
// test does not reject. Let every difference be reduced by a shift. Flipping the signs of a subset
// then does not decrease the sum exactly if the mean of the subset is at most the shift. The ends
// of the interval are therefore order statistics of subset means (Hartigan 1969). With more than 14
// differences the subsets are drawn; without a random source there is then no interval.
func permutationShift(s Differences, level float64) Shift {
	if len(s.D) == 0 {
		return Shift{}
	}
	mean := stat.Mean(s.D, nil)
	shift := Shift{Estimate: mean, Low: mean, High: mean}
	if len(s.D) > subsetsExact && s.Rng == nil {
		return shift
	}
	means := subsetMeans(s.D, s.Rng)
	slices.Sort(means)
	all := float64(len(means) + 1) // with the empty subset
	tail := int((1-level)/2*all + 1e-9)
	if tail < 1 {
		return shift
	}
	shift.Low, shift.High, shift.Level = means[tail-1], means[len(means)-tail], 1-2*float64(tail)/all
	shift.Exact = len(s.D) <= subsetsExact
	return shift
}

// subsetMeans returns the means of all non-empty subsets of the differences. Of many differences
// it draws as many subsets as the test draws signs.
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

// allSubsetMeans returns the means of all non-empty subsets. Bit i of the number of a subset is 1
// if the subset contains d[i].
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
