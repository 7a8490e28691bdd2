package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// AllPairs compares the mean losses of k classifiers by one max-type test of all k(k-1)/2 pairs.
// The statistic of a pair is the absolute mean of its paired differences over the standard error
// of that mean. Adjusted p-values use the distribution of the largest statistic of any pair. The
// family-wise level and the joint coverage of the intervals are therefore valid for every choice of
// pairs, such as the pairs with the smallest mean. The interval at confidence 1 - alpha excludes 0
// exactly if the adjusted p-value is at most alpha.
type AllPairs struct {
	n, k  int
	mean  []float64   // of each classifier's losses
	se    [][]float64 // standard error of the mean difference of classifiers i and j
	pair  func(i, j int, t float64) float64
	joint jointDistribution
}

// A jointDistribution is the distribution of the largest statistic of all pairs where
// all classifiers have the same mean.
type jointDistribution interface {
	// tail returns the probability that the largest statistic is at least t.
	tail(t float64) float64
	// critical returns the number that a statistic t exceeds exactly if tail(t) is at most
	// alpha; +Inf if no statistic is that improbable.
	critical(alpha float64) float64
}

// FlipAllPairs compares classifiers over independent replicates. losses has a row for each
// replicate and a column for each classifier. A residual is a loss minus the classifier's mean. In
// each draw all residuals of a replicate get the same random sign, which gives the joint
// distribution of the statistics: the studentised wild bootstrap with Rademacher weights (Liu
// 1988), in the single-step procedure of Westfall and Young (1993). Up to 14 replicates all signs
// are counted; for more, 9999 are drawn from rng. The observed signs count as one draw, which bounds
// p-values from below. Beyond 10,000 replicates sums are drawn from their normal limit.
//
// Differences that are all equal and not 0 have no standard error; their p-value is the smallest.
func FlipAllPairs(losses [][]float64, rng *rand.Rand) (*AllPairs, error) {
	return flipAllPairs(losses, rng, allPairsDraws)
}

const (
	allPairsExact = 14   // largest number of replicates for which all signs are counted
	allPairsDraws = 9999 // the standard error of a p-value of 0.05 is 0.002
)

// flipAllPairs is FlipAllPairs with the given number of draws.
func flipAllPairs(losses [][]float64, rng *rand.Rand, draws int) (*AllPairs, error) {
	a, err := newAllPairs(losses, 0)
	if err != nil {
		return nil, err
	}
	if a.n > allPairsExact && rng == nil {
		return nil, errors.New("all pairs: sign flips of more than 14 replicates need a random source")
	}
	f := newFlips(a, losses)
	switch {
	case a.n <= allPairsExact:
		f.countAll()
	case a.n <= normalRows:
		f.draw(draws, rng)
	default:
		f.drawNormal(draws, rng)
	}
	slices.Sort(f.largest)
	a.joint, a.pair = f, f.pairTail
	return a, nil
}

// CorrectedAllPairs compares classifiers over the folds or splits of one data set. losses has a row
// for each fold and a column for each classifier. Each pair is tested by CorrectedT with the given
// share, with Bonferroni's correction for all pairs.
func CorrectedAllPairs(losses [][]float64, share float64) (*AllPairs, error) {
	if !(share >= 0) || math.IsInf(share, 1) {
		return nil, fmt.Errorf("all pairs: the ratio of test rows is %v, must be finite and at least 0", share)
	}
	a, err := newAllPairs(losses, share)
	if err != nil {
		return nil, err
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(a.n - 1)}
	a.joint = bonferroniT{t: t, pairs: float64(a.k*(a.k-1)) / 2}
	a.pair = func(_, _ int, statistic float64) float64 { return min(1, 2*t.Survival(statistic)) }
	return a, nil
}

// newAllPairs computes means and standard errors. The standard error of the mean of n differences
// is sqrt((1/n + share) variance); 0 if all are equal. share is 0 for independent replicates.
func newAllPairs(losses [][]float64, share float64) (*AllPairs, error) {
	if err := checkLosses(losses); err != nil {
		return nil, fmt.Errorf("all pairs: %w", err)
	}
	a := &AllPairs{n: len(losses), k: len(losses[0])}
	for i := range a.k {
		a.mean = append(a.mean, stat.Mean(column(losses, i), nil))
		a.se = append(a.se, make([]float64, a.k))
	}
	factor := 1/float64(a.n) + share
	d := make([]float64, a.n)
	for i := range a.k {
		for j := range i {
			floats.SubTo(d, column(losses, i), column(losses, j))
			if equal(d) {
				continue // rounding must not give a standard error
			}
			a.se[i][j] = math.Sqrt(factor * stat.Variance(d, nil))
			a.se[j][i] = a.se[i][j]
		}
	}
	return a, nil
}

// checkLosses returns an error unless there are two replicates and two classifiers or more, whose
// losses are finite.
func checkLosses(losses [][]float64) error {
	if len(losses) < 2 {
		return fmt.Errorf("want at least 2 replicates, got %d", len(losses))
	}
	k := len(losses[0])
	if k < 2 {
		return fmt.Errorf("want at least 2 classifiers, got %d", k)
	}
	for r, row := range losses {
		if len(row) != k {
			return fmt.Errorf("replicate %d has %d losses, replicate 1 has %d", r+1, len(row), k)
		}
		for i, loss := range row {
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return fmt.Errorf("replicate %d, classifier %d is not finite: %v", r+1, i+1, loss)
			}
		}
	}
	return nil
}

// PValues returns the two-sided p-value of the difference of classifiers i and j, and the same
// adjusted for all pairs.
func (a *AllPairs) PValues(i, j int) (p, adjusted float64) {
	t := a.statistic(i, j, a.mean[i]-a.mean[j])
	if t == 0 {
		return 1, 1
	}
	p = a.pair(i, j, t)
	return p, max(p, a.joint.tail(t))
}

// statistic returns the statistic of a mean difference of classifiers i and j.
func (a *AllPairs) statistic(i, j int, difference float64) float64 {
	if difference == 0 {
		return 0
	}
	return math.Abs(difference) / a.se[i][j]
}

// Interval returns the mean difference of classifiers i and j with its simultaneous interval: with
// probability level the intervals of all pairs contain the true differences. Its Level is 0 if there
// are too few replicates for any interval.
func (a *AllPairs) Interval(i, j int, level float64) Shift {
	s := Shift{Estimate: a.mean[i] - a.mean[j], Level: level}
	critical := a.joint.critical(1 - level)
	if math.IsInf(critical, 1) {
		s.Low, s.High, s.Level = s.Estimate, s.Estimate, 0
		return s
	}
	half := critical * a.se[i][j]
	s.Low, s.High = s.Estimate-half, s.Estimate+half
	return s
}

// Equivalence returns the adjusted p-value of the hypothesis that classifiers i and j differ by
// margin or more. It is at most alpha exactly if the interval at confidence 1 - alpha is within the
// margin.
func (a *AllPairs) Equivalence(i, j int, margin float64) float64 {
	inside := margin - math.Abs(a.mean[i]-a.mean[j])
	if inside <= 0 {
		return 1
	}
	return a.joint.tail(a.statistic(i, j, inside))
}

// Detectable returns the smallest true difference of classifiers i and j that the
// test at family-wise level alpha finds with the given power, by Student's t: the standard
// error times the sum of the critical value and the power's quantile. It is +Inf where
// the replicates are too few for any difference to be significant.
func (a *AllPairs) Detectable(i, j int, alpha, power float64) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(a.n - 1)}
	return (a.joint.critical(alpha) + t.Quantile(power)) * a.se[i][j]
}

// Attainable reports whether any difference can be significant at family-wise level alpha.
func (a *AllPairs) Attainable(alpha float64) bool { return !math.IsInf(a.joint.critical(alpha), 1) }

// bonferroniT is the jointDistribution of Student's t by the union bound over the pairs.
type bonferroniT struct {
	t     distuv.StudentsT
	pairs float64
}

func (b bonferroniT) tail(t float64) float64 { return min(1, 2*b.pairs*b.t.Survival(t)) }

func (b bonferroniT) critical(alpha float64) float64 { return b.t.Quantile(1 - alpha/(2*b.pairs)) }

// flips is the jointDistribution under random signs. It stores a statistic t as the share
// u = t^2 / (n-1 + t^2) in [0,1], which increases with t and needs no square root: u is the part of
// the squared residual differences that their mean explains.
type flips struct {
	n, k      int
	residuals [][]float64 // by replicate, of each classifier
	scale     [][]float64 // by pair, 1 / (n * sum of squared residual differences); 0 for equal residuals
	total     float64     // number of flips, the observed signs among them
	sums      []float64   // k for each other flip: the sums of each classifier's signed residuals
	largest   []float64   // one for each other flip: its largest share of any pair; ascending
}

// newFlips returns the distribution of a before any flip.
func newFlips(a *AllPairs, losses [][]float64) *flips {
	f := &flips{n: a.n, k: a.k, residuals: make([][]float64, a.n), scale: make([][]float64, a.k)}
	for r, row := range losses {
		f.residuals[r] = make([]float64, a.k)
		for i, loss := range row {
			f.residuals[r][i] = loss - a.mean[i]
		}
	}
	for i := range a.k {
		f.scale[i] = make([]float64, i)
		for j := range i {
			if variance := a.se[i][j] * a.se[i][j] * float64(a.n); variance > 0 {
				f.scale[i][j] = 1 / (float64(a.n) * float64(a.n-1) * variance)
			}
		}
	}
	return f
}

// countAll adds all signs except the observed ones. Opposite signs have the same statistics, so the
// first replicate keeps its sign.
func (f *flips) countAll() {
	patterns := uint64(1) << (f.n - 1)
	for signs := uint64(1); signs < patterns; signs++ {
		f.add(func(r int) bool { return signs<<1>>r&1 == 1 })
	}
	f.total = float64(patterns)
}

// draw adds the given number of random signs.
func (f *flips) draw(draws int, rng *rand.Rand) {
	for range draws {
		var bits uint64
		f.add(func(r int) bool {
			if r%64 == 0 {
				bits = rng.Uint64()
			}
			return bits>>(r%64)&1 == 1
		})
	}
	f.total = float64(draws + 1)
}

// drawNormal adds the given number of draws from the normal limit.
func (f *flips) drawNormal(draws int, rng *rand.Rand) {
	limit := newNormalSum(f.residuals)
	for range draws {
		f.addSums(limit.draw(rng))
	}
	f.total = float64(draws + 1)
}

// add adds one flip, in which the residuals of replicate r are negated where flipped(r).
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

// addSums adds a flip by the sums of each classifier's signed residuals.
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

// squaredShare returns the share u of flips for two classifiers, from the sums of their signed
// residuals.
func squaredShare(sumI, sumJ, scale float64) float64 {
	d := sumI - sumJ
	return min(1, d*d*scale)
}

// sameShare is the relative difference below which shares count as equal: losses that
// tie give shares that differ by rounding alone.
const sameShare = 1e-9

// share returns the share u of flips for a statistic t.
func (f *flips) share(t float64) float64 {
	if math.IsInf(t, 1) {
		return 1
	}
	return t * t / (float64(f.n-1) + t*t)
}

// tail counts the flips with a largest share of at least share(t), and the observed signs.
func (f *flips) tail(t float64) float64 {
	below, _ := slices.BinarySearch(f.largest, f.share(t)*(1-sameShare))
	return float64(1+len(f.largest)-below) / f.total
}

// critical returns the largest statistic of the flip with rank beyond, from the top. Up to beyond
// flips may reach a significant statistic; the observed signs count as one more.
func (f *flips) critical(alpha float64) float64 {
	beyond := int(math.Floor(alpha*f.total*(1+1e-12))) - 1
	if beyond < 0 {
		return math.Inf(1)
	}
	if beyond >= len(f.largest) {
		return 0
	}
	u := f.largest[len(f.largest)-1-beyond] * (1 + sameShare)
	if u >= 1 { // all residual differences of a pair have one sign and size
		return math.Inf(1)
	}
	return math.Sqrt(float64(f.n-1) * u / (1 - u))
}

// pairTail returns the p-value of a statistic of classifiers i and j alone.
func (f *flips) pairTail(i, j int, t float64) float64 {
	if i < j {
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
