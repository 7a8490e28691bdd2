package stats

import "math"

// A Running summarises a sequence of values without storing them (Welford 1962). The zero value is
// ready to use.
type Running struct {
	n          int
	mean, rest float64 // rest: sum of the squared distances from the mean
}

// Add adds the next value.
func (r *Running) Add(value float64) {
	r.n++
	from := value - r.mean
	r.mean += from / float64(r.n)
	r.rest += from * (value - r.mean)
}

// Summary returns Summarize of the values, except for rounding and DF.
func (r *Running) Summary() Summary {
	s := Summary{N: r.n, Mean: math.NaN(), SD: math.NaN(), MCSE: math.NaN()}
	if r.n > 0 {
		s.Mean = r.mean
	}
	if r.n > 1 {
		s.SD = math.Sqrt(r.rest / float64(r.n-1))
		s.MCSE = s.SD / math.Sqrt(float64(r.n))
	}
	return s
}

// A Share is the share of hits among the rows of clusters of different sizes, such as
// the test rows of replicates: sum of h_i over sum of n_i, with the standard error of a
// ratio of means (Cochran 1977, section 6.4),
//
//	sqrt(R/(R-1) sum (h_i - share n_i)^2) / sum n_i
//
// over the R clusters that have rows. Rows of one cluster may depend on one another. The zero value
// is ready to use.
type Share struct {
	clusters   int
	hits, rows float64
	hh, hn, nn float64 // sums of squares and products: whole numbers, so exact
}

// Add adds the next cluster.
func (s *Share) Add(hits, rows int) {
	if rows == 0 {
		return
	}
	h, n := float64(hits), float64(rows)
	s.clusters++
	s.hits, s.rows = s.hits+h, s.rows+n
	s.hh, s.hn, s.nn = s.hh+h*h, s.hn+h*n, s.nn+n*n
}

// Rows returns the number of rows of all clusters.
func (s *Share) Rows() int { return int(s.rows) }

// Summary returns the share with its standard error; N is the number of clusters with rows.
func (s *Share) Summary() Summary {
	sum := Summary{N: s.clusters, Mean: math.NaN(), SD: math.NaN(), MCSE: math.NaN()}
	if s.clusters > 0 {
		sum.Mean = s.hits / s.rows
	}
	if r := float64(s.clusters); r > 1 {
		rest := max(0, s.hh-2*sum.Mean*s.hn+sum.Mean*sum.Mean*s.nn)
		sum.MCSE = math.Sqrt(r/(r-1)*rest) / s.rows
		sum.SD = sum.MCSE * math.Sqrt(r)
	}
	return sum
}
