package stats

import "math"

// flipCounts returns, for each s, the number of the 2^n subsets of n mid-ranks whose sum is s/2. The
// sum of a random subset has the null distribution of the signed-rank statistic. Ranks are doubled,
// so that they are whole numbers, and are added one at a time:
//
//	c_k(s) = c_{k-1}(s) + c_{k-1}(s - 2 r_k).
//
// Below 54 ranks the counts are exact in float64.
func flipCounts(ranks []float64) []float64 {
	total := 0
	for _, r := range ranks {
		total += int(2 * r)
	}
	count := make([]float64, total+1)
	count[0] = 1
	reach := 0
	for _, r := range ranks {
		w := int(2 * r)
		reach += w
		for s := reach; s >= w; s-- {
			count[s] += count[s-w]
		}
	}
	return count
}

// flipTails returns P(V <= v) and P(V >= v) of the signed-rank statistic.
func flipTails(ranks []float64, v float64) (lower, upper float64) {
	lower, upper = tailSums(flipCounts(ranks), int(2*v))
	return math.Ldexp(lower, -len(ranks)), math.Ldexp(upper, -len(ranks))
}

// tailSums returns the sums of the counts up to and from position at. It adds the outermost, smallest
// counts first.
func tailSums(count []float64, at int) (lower, upper float64) {
	for s := 0; s <= at; s++ {
		lower += count[s]
	}
	for s := len(count) - 1; s >= at; s-- {
		upper += count[s]
	}
	return lower, upper
}
