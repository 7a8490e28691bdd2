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

// uCounts returns, for each u = 0..m*n, the number of the C(m+n, m)
// arrangements of m x's and n y's in which u pairs have x above y: the null
// distribution of the Mann-Whitney statistic without ties. The largest value
// is an x (above all j y's) or a y:
//
//	c(i, j, u) = c(i-1, j, u-j) + c(i, j-1, u).
func uCounts(m, n int) []float64 {
	if m > n {
		m, n = n, m // the distribution is symmetric in m and n
	}
	// table[i] is c(i, j, .) for the current j.
	table := make([][]float64, m+1)
	for i := range table {
		table[i] = make([]float64, i*n+1)
		table[i][0] = 1 // j = 0: no y's, u = 0
	}
	for j := 1; j <= n; j++ {
		for i := 1; i <= m; i++ {
			for u := i * j; u >= j; u-- {
				table[i][u] += table[i-1][u-j]
			}
		}
	}
	return table[m]
}

// uTails returns P(U <= u) and P(U >= u) of the Mann-Whitney statistic of
// samples of m and n values without ties.
func uTails(m, n int, u float64) (lower, upper float64) {
	count := uCounts(m, n)
	all := 0.0
	for _, c := range count {
		all += c
	}
	lower, upper = tailSums(count, int(u))
	return lower / all, upper / all
}
