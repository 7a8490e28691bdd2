package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// AllPairs compares the mean losses of k classifiers by one test of all k(k-1)/2 pairs. Adjusted
// p-values control the family-wise error rate.
//
// The statistic of a pair is |mean| / (standard error of the mean) of its paired differences. A
// pair whose differences do not vary has no interval.
type AllPairs struct {
	n, k int         // numbers of replicates and classifiers
	mean []float64   // by classifier
	se   [][]float64 // se[i][j] of mean[i] - mean[j]

	maxT          maxTDistribution                  // gives the adjusted p-values
	unadjustedP   func(i, j int, t float64) float64 // p-value of the statistic t of one pair
	minReplicates int                               // smallest number of replicates for which Detectable is defined
}

// A maxTDistribution is the null distribution of the largest statistic over all pairs, when all
// classifiers have equal means.
type maxTDistribution interface {
	// tail returns the probability that the largest statistic is at least t. t is +Inf for a pair
	// whose differences do not vary.
	tail(t float64) float64
	// critical returns the critical value of level alpha. For a finite statistic t, tail(t) is at
	// most alpha if t is above the critical value, and more than alpha if t is below. The critical
	// value is +Inf if no statistic can be significant.
	critical(alpha float64) float64
}

const (
	allPairsExact = 14   // largest number of replicates for which all signs are enumerated
	allPairsDraws = 9999 // a p-value of 0.05 then has a standard error of 0.002

	// flipsMinReplicates is the smallest number of replicates for which Detectable is computed with
	// random signs. With fewer replicates, the critical value varies strongly between studies. In
	// simulations with 6 to 8 replicates, tests detected a true difference equal to Detectable with
	// a probability of 53 to 73 percent instead of 80 percent.
	flipsMinReplicates = 10
)

// FlipAllPairs tests all pairs of classifiers for different mean losses over independent
// replicates. losses[r][i] is the loss of classifier i in replicate r.
//
// The null distribution comes from random sign vectors, with one sign for each replicate. The argument draws is
// the number of sign vectors; 0 means 9999. For at most 14 replicates, all sign vectors are enumerated, and rng
// may be nil.
//
// The method is the studentised wild bootstrap (Liu 1988) with the single-step procedure of
// Westfall and Young (1993). The observed signs count as one draw, so p-values are never 0. Above
// 10,000 replicates, sums of residuals are drawn from their normal limit.
func FlipAllPairs(losses [][]float64, rng *rand.Rand, draws int) (*AllPairs, error) {
	const share = 0 // replicates are independent: they share no rows
	a, err := newAllPairs(losses, share)
	if err != nil {
		return nil, err
	}
	if a.n > allPairsExact && rng == nil {
		return nil, fmt.Errorf("all-pairs test: with more than %d replicates, the sign flips need a random source",
			allPairsExact)
	}
	draws = cmp.Or(draws, allPairsDraws)
	f := newFlips(a, losses)
	switch {
	case a.n <= allPairsExact:
		f.countAll()
	case a.n <= normalRows:
		f.draw(draws, rng)
	default:
		f.drawNormal(draws, rng)
	}
	slices.Sort(f.largest) // the largest statistic over all pairs, for each sign vector
	a.maxT = f             // the null distribution of the largest statistic
	a.unadjustedP = f.pairTail
	a.minReplicates = flipsMinReplicates // with fewer replicates, Detectable returns NaN
	return a, nil
}

// CorrectedAllPairs compares classifiers over the folds or splits of one data set. losses[r][i] is
// the loss of classifier i in fold r.
//
// Each pair is tested by CorrectedT, with Bonferroni's correction of the p-values. If the
// differences of a pair do not vary, its p-value is 1. The argument share is the ratio of test rows
// to training rows.
func CorrectedAllPairs(losses [][]float64, share float64) (*AllPairs, error) {
	if err := checkShare("all-pairs test", share); err != nil {
		return nil, err
	}
	a, err := newAllPairs(losses, share)
	if err != nil {
		return nil, err
	}
	student := Student(float64(a.n - 1))
	pairs := float64(a.k*(a.k-1)) / 2
	a.maxT = bonferroniT{student, pairs} // the null distribution of the largest statistic over all pairs
	// All pairs have the same null distribution, so the indices of the classifiers do not matter.
	a.unadjustedP = func(_, _ int, t float64) float64 { return twoSidedT(student, t) }
	return a, nil
}

// newAllPairs computes the mean loss of each classifier, and the standard error of the mean difference of each
// pair. The caller must set the fields maxT and unadjustedP.
//
// share is the ratio of test rows to training rows, or 0 for independent replicates.
func newAllPairs(losses [][]float64, share float64) (*AllPairs, error) {
	if err := checkMatrix(losses, "replicate"); err != nil {
		return nil, fmt.Errorf("all-pairs test: %w", err)
	}
	a := &AllPairs{n: len(losses), k: len(losses[0])}
	columns := make([][]float64, a.k)
	for i := range a.k {
		columns[i] = Column(losses, i)
		a.mean = append(a.mean, stat.Mean(columns[i], nil))
		a.se = append(a.se, make([]float64, a.k))
	}
	differences := make([]float64, a.n)
	for i := range a.k {
		for j := range i {
			floats.SubTo(differences, columns[i], columns[j])
			a.se[i][j] = standardError(differences, share)
			a.se[j][i] = a.se[i][j]
		}
	}
	return a, nil
}

// standardError returns the standard error of the mean of n differences, sqrt((1/n + share)
// variance), or 0 if they do not vary. For share, see newAllPairs.
func standardError(differences []float64, share float64) float64 {
	if !Summarize(differences).Varies() {
		return 0
	}
	return math.Sqrt((1/float64(len(differences)) + share) * stat.Variance(differences, nil))
}

// PValues returns the two-sided p-value of the difference of classifiers i and j, and the p-value
// adjusted for all pairs.
func (a *AllPairs) PValues(i, j int) (p, adjusted float64) {
	t := a.statistic(i, j, a.mean[i]-a.mean[j])
	if t == 0 {
		return 1, 1
	}
	p = a.unadjustedP(i, j, t)
	return p, max(p, a.maxT.tail(t))
}

// statistic returns |difference| divided by the standard error for classifiers i and j, or 0 if
// difference is 0.
func (a *AllPairs) statistic(i, j int, difference float64) float64 {
	if difference == 0 {
		return 0
	}
	return math.Abs(difference) / a.se[i][j]
}

// Interval returns the mean difference of classifiers i and j with its simultaneous confidence interval.
//
// The interval excludes 0 if and only if the adjusted p-value is at most 1 - level. Level is 0 if there are too
// few replicates or if the differences do not vary.
func (a *AllPairs) Interval(i, j int, level float64) Shift {
	difference := a.mean[i] - a.mean[j]
	if a.se[i][j] == 0 || !a.Attainable(1-level) {
		return Shift{Estimate: difference, Low: difference, High: difference}
	}
	half := a.maxT.critical(1-level) * a.se[i][j]
	return Shift{Estimate: difference, Low: difference - half, High: difference + half, Level: level}
}

// Equivalence returns the adjusted p-value for the equivalence of classifiers i and j. The null
// hypothesis is that their mean losses differ by at least the margin.
//
// The p-value is at most alpha if and only if the interval at confidence 1 - alpha lies inside
// [-margin, margin].
func (a *AllPairs) Equivalence(i, j int, margin float64) float64 {
	inside := margin - math.Abs(a.mean[i]-a.mean[j])
	if inside <= 0 || a.se[i][j] == 0 {
		return 1
	}
	return a.maxT.tail(a.statistic(i, j, inside))
}

// Detectable returns the smallest true difference between classifiers i and j that the test detects
// with the given power:
//
//	(critical value at level alpha + Student's t quantile of power) * standard error.
//
// alpha is the family-wise level. The result is +Inf if no difference can be significant. It is NaN
// if the differences do not vary, or if FlipAllPairs has fewer than 10 replicates.
func (a *AllPairs) Detectable(i, j int, alpha, power float64) float64 {
	if a.se[i][j] == 0 { // also with a single replicate, which has no t distribution
		return math.NaN()
	}
	critical := a.maxT.critical(alpha) // +Inf if no difference can be significant
	if a.n < a.minReplicates && !math.IsInf(critical, 1) {
		return math.NaN()
	}
	return (critical + StudentQuantile(power, float64(a.n-1))) * a.se[i][j]
}

// Attainable reports whether any difference can be significant at family-wise level alpha.
func (a *AllPairs) Attainable(alpha float64) bool {
	return a.n > 1 && !math.IsInf(a.maxT.critical(alpha), 1)
}

// bonferroniT is a maxTDistribution of t statistics. Its tail probability is an upper bound: the
// tail probability of a single pair times the number of pairs.
type bonferroniT struct {
	student distuv.StudentsT // of a single statistic
	pairs   float64
}

func (b bonferroniT) tail(t float64) float64 { return min(1, b.pairs*twoSidedT(b.student, t)) }

func (b bonferroniT) critical(alpha float64) float64 {
	return b.student.Quantile(1 - alpha/(2*b.pairs))
}

// twoSidedT returns the two-sided p-value of the absolute t statistic of one pair.
func twoSidedT(student distuv.StudentsT, t float64) float64 {
	if math.IsInf(t, 1) {
		return 1 // without a standard error, there is no t test
	}
	return min(1, 2*student.Survival(t))
}

// flips is the maxTDistribution from random sign vectors. A sign vector, called a flip, contains one
// sign for each replicate, by which all residuals of this replicate are multiplied.
//
// For a pair of classifiers, let t be the t statistic of d, the n differences between their signed
// residuals. flips stores t as the share
//
//	u = t^2 / (n-1 + t^2) = (sum d)^2 / (n sum d^2).
//
// The share u lies in [0,1] and increases with |t|.
type flips struct {
	n, k      int         // numbers of replicates and classifiers
	residuals [][]float64 // residuals[r][i]: loss minus mean loss of classifier i in replicate r
	scale     [][]float64 // scale[i][j], j < i: 1 / (n sum d^2); 0 if all d are 0
	total     float64     // number of flips, with the observed signs
	// sums and largest omit the observed flip.
	sums    []float64 // for each flip, the k sums of signed residuals by classifier
	largest []float64 // for each flip, the largest share over all pairs; ascending
}

// newFlips prepares the null distribution of the all-pairs test. The caller must then add sign vectors
// by countAll, draw or drawNormal.
//
// residuals[r][i] is the loss minus the mean loss of classifier i in replicate r. scale[i][j], j < i,
// is 1 / (n sum d^2) for the n differences d between the residuals of classifiers i and j. It is the
// factor that turns (sum d)^2 into a share (see squaredShare).
func newFlips(a *AllPairs, losses [][]float64) *flips {
	f := &flips{n: a.n, k: a.k, residuals: make([][]float64, a.n), scale: make([][]float64, a.k)}
	for r, row := range losses {
		f.residuals[r] = floats.SubTo(make([]float64, a.k), row, a.mean)
	}
	n := float64(a.n)
	for i := range a.k {
		f.scale[i] = make([]float64, i)
		for j := range i {
			// A flip changes only the signs of the differences d, so the scale is the same for all flips.
			variance := a.se[i][j] * a.se[i][j] * n // of d; the standard error of their mean is sqrt(variance/n)
			if variance > 0 {                       // otherwise, all d are 0, and scale remains 0
				f.scale[i][j] = 1 / (n * (n - 1) * variance) // because sum d^2 = (n-1) variance
			}
		}
	}
	return f
}

// countAll adds the statistics of all sign vectors except the observed one to f.
func (f *flips) countAll() {
	// Opposite sign vectors give the same statistics, so the first replicate keeps its sign.
	patterns := uint64(1) << (f.n - 1)
	for signs := uint64(1); signs < patterns; signs++ {
		f.add(func(r int) bool { return signs<<1>>r&1 == 1 })
	}
	f.total = float64(patterns)
}

func (f *flips) draw(draws int, rng *rand.Rand) {
	for range draws {
		var bits uint64 // the signs of the next 64 replicates
		f.add(func(r int) bool {
			if r%64 == 0 {
				bits = rng.Uint64()
			}
			return bits>>(r%64)&1 == 1
		})
	}
	f.total = float64(draws + 1)
}

// drawNormal is a fast approximation of draw for many replicates. It draws the sums from their joint normal
// limit.
func (f *flips) drawNormal(draws int, rng *rand.Rand) {
	limit := newNormalSum(f.residuals)
	for range draws {
		f.addSums(limit.draw(rng))
	}
	f.total = float64(draws + 1)
}

// add computes the statistics for one vector of signs, and appends them to f.sums and f.largest.
// flipped(r) reports whether the residuals of replicate r change their sign.
func (f *flips) add(flipped func(r int) bool) {
	sums := make([]float64, f.k)
	for r, row := range f.residuals {
		if flipped(r) {
			floats.Sub(sums, row)
		} else {
			floats.Add(sums, row)
		}
	}
	f.addSums(sums)
}

// addSums adds one vector of signs to f. sums[i] is the sum of the signed residuals of classifier i.
func (f *flips) addSums(sums []float64) {
	f.sums = append(f.sums, sums...)
	largest := 0.0
	for i, row := range f.scale {
		for j, scale := range row {
			largest = max(largest, squaredShare(sums[i], sums[j], scale))
		}
	}
	f.largest = append(f.largest, largest)
}

// squaredShare returns (sum d)^2 / (n sum d^2) for the n differences d between the signed residuals
// of two classifiers.
//
// sumI and sumJ are the sums of the signed residuals of each classifier. scale is 1 / (n sum d^2).
func squaredShare(sumI, sumJ, scale float64) float64 {
	d := sumI - sumJ
	return min(1, d*d*scale)
}

// sameShare is the relative difference below which two shares count as equal. Tied losses can give
// shares that differ by rounding.
const sameShare = 1e-9

// share converts a statistic t to t^2 / (n-1 + t^2), which lies in [0,1].
func (f *flips) share(t float64) float64 {
	if math.IsInf(t, 1) {
		return 1
	}
	return t * t / (float64(f.n-1) + t*t)
}

// tail returns the proportion of sign vectors whose largest statistic over all pairs is at least t. The
// observed signs count as one of the vectors.
func (f *flips) tail(t float64) float64 {
	below, _ := slices.BinarySearch(f.largest, f.share(t)*(1-sameShare))
	return float64(1+len(f.largest)-below) / f.total
}

// critical returns the critical value of level alpha: if a statistic t exceeds it, tail(t) is at
// most alpha.
func (f *flips) critical(alpha float64) float64 {
	const tolerance = 1e-12                                  // rounding of the product must not lose a sign vector
	allowed := math.Floor(alpha * f.total * (1 + tolerance)) // largest number of flips that may reach t
	exceeding := int(allowed) - 1                            // without the observed one, which is not in f.largest
	if exceeding < 0 {
		return math.Inf(1)
	}
	// The share of t must exceed this element. Then at most the later elements of f.largest, which
	// is ascending, reach it.
	share := f.largest[len(f.largest)-1-exceeding]
	u := share * (1 + sameShare) // tail also counts shares that are slightly below the share of t
	if u >= 1 {
		return math.Inf(1)
	}
	return math.Sqrt(float64(f.n-1) * u / (1 - u)) // the inverse of f.share
}

// pairTail returns the unadjusted p-value of the statistic t of classifiers i and j.
func (f *flips) pairTail(i, j int, t float64) float64 {
	if i < j { // scale is only set for j < i
		i, j = j, i
	}
	share, beyond := f.share(t)*(1-sameShare), 1.0
	for sums := range slices.Chunk(f.sums, f.k) {
		if squaredShare(sums[i], sums[j], f.scale[i][j]) >= share {
			beyond++
		}
	}
	return beyond / f.total
}
