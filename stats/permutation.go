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
	// Up to this many differences all 2^n signs are counted.
	permutationExact = 30
	// Signs drawn beyond: the standard error of P is at most 0.0016.
	permutationDraws = 100_000
	// Up to this many differences the interval counts the means of all 2^n - 1 subsets.
	subsetsExact = 14
)

// permutationFloor is the Floor of the test.
var permutationFloor = fmt.Sprintf("of more than %d differences it draws %d signs, of which the smallest p-value is "+
	"%.2g, twice that where two-sided; tests that draw none (signed-rank, sign) have no such bound",
	permutationExact, permutationDraws, 1.0/(permutationDraws+1))

// A PermutationResult is the outcome of a paired permutation test.
type PermutationResult struct {
	Sum   float64 // of the differences
	N     int     // differences other than zero
	P     float64
	SE    float64 // Monte-Carlo standard error of P; 0 when exact
	Exact bool
}

// permutationTest is Fisher's paired permutation (sign-flip) test of the mean:
// under the null hypothesis all 2^n signs of the differences are equally likely,
// and P is the share of them whose sum is at least as extreme. Up to 30
// differences other than zero all are counted; for more, b of m = 10^5 drawn
// from rng are, and P = (b+1)/(m+1), so that the test keeps its level (Phipson
// and Smyth 2010). Sums within 1e-9 of the largest possible one are equal.
//
// It assumes independent differences, symmetric about zero under the null.
func permutationTest(d []float64, alternative Alternative, rng *rand.Rand) (PermutationResult, error) {
	if err := checkDifferences("permutation test", d, alternative); err != nil {
		return PermutationResult{}, err
	}
	r := PermutationResult{Sum: floats.Sum(d), P: 1, Exact: true}
	sizes := absolute(dropZeros(d))
	if r.N = len(sizes); r.N == 0 {
		return r, nil
	}
	fuzz := 1e-9 * floats.Sum(sizes)
	if r.N <= permutationExact {
		upper := math.Ldexp(flipsAbove(sizes, r.Sum-fuzz), -r.N)
		lower := math.Ldexp(flipsAbove(sizes, -r.Sum-fuzz), -r.N) // by symmetry
		r.P = alternative.FromTails(lower, upper)
		return r, nil
	}
	var above, below float64
	for range permutationDraws {
		sum := randomFlip(sizes, rng)
		if sum >= r.Sum-fuzz {
			above++
		}
		if sum <= r.Sum+fuzz {
			below++
		}
	}
	const all = permutationDraws + 1
	r.P = alternative.FromTails((below+1)/all, (above+1)/all)
	r.SE, r.Exact = math.Sqrt(r.P*(1-r.P)/permutationDraws), false
	return r, nil
}

// flipsAbove counts the signs of the sizes whose sum is at least t: for each sum
// of one half, those of the sorted other half.
func flipsAbove(sizes []float64, t float64) float64 {
	half := len(sizes) / 2
	left, right := flipSums(sizes[:half]), flipSums(sizes[half:])
	slices.Sort(left)
	slices.Sort(right)
	count, from := 0.0, len(right)
	for _, s := range left { // ascending, so the least partner falls
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

// permutationShift estimates the mean difference. Its interval has the shifts that the
// permutation test does not reject. Flipping the differences of a subset, less the shift, makes
// their sum no smaller exactly where the subset's mean is at most the shift. The interval
// therefore ends at order statistics of subset means (Hartigan 1969). With more than 14
// differences the subsets are drawn.
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

// subsetMeans returns the means of all subsets of the differences but the empty one, or of as
// many as the test draws signs.
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

// allSubsetMeans numbers a subset by the bits of its members.
func allSubsetMeans(d []float64) []float64 {
	sums := make([]float64, 1<<len(d))
	for subset := 1; subset < len(sums); subset++ {
		lowest := bits.TrailingZeros(uint(subset))
		sums[subset] = sums[subset&(subset-1)] + d[lowest]
	}
	for subset := 1; subset < len(sums); subset++ {
		sums[subset] /= float64(bits.OnesCount(uint(subset)))
	}
	return sums[1:]
}
