package stats

import "math"

// flipCounts returns, for each s, how many of the 2^n subsets of the n ranks sum
// to s/2. A random subset's sum is the null distribution of the signed-rank
// statistic given the mid-ranks, ties and all. Ranks enter one at a time,
//
//	c_k(s) = c_{k-1}(s) + c_{k-1}(s - 2 r_k),
//
// doubled, which makes mid-ranks whole numbers. Below 54 ranks the counts are
// exact in float64.
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

// tailSums adds the counts up to and from position at, the outermost first.
func tailSums(count []float64, at int) (lower, upper float64) {
	for s := 0; s <= at; s++ {
		lower += count[s]
	}
	for s := len(count) - 1; s >= at; s-- {
		upper += count[s]
	}
	return lower, upper
}
