package stats

import "math"

// A Running summarises a sequence of values without storing them (Welford 1962). The zero value is
// ready to use.
type Running struct {
	n       int
	mean    float64
	squares float64 // sum of the squared distances from the mean
}

// Add adds the next value.
func (r *Running) Add(value float64) {
	r.n++
	from := value - r.mean
	r.mean += from / float64(r.n)
	r.squares += from * (value - r.mean)
}

// Summary returns the summary of the added values. It equals the result of Summarize up to
// rounding, but DF is 0.
func (r *Running) Summary() Summary {
	s := withoutMoments(r.n)
	if r.n > 0 {
		s.Mean = r.mean
	}
	if r.n > 1 {
		s.SD = math.Sqrt(r.squares / float64(r.n-1))
		s.MCSE = s.SD / math.Sqrt(float64(r.n))
	}
	return s
}

// A Share estimates a proportion from clusters of dependent rows, such as the test rows of each
// replicate. The zero value is ready to use.
//
// Cluster i contains h_i hits among n_i rows. The share is sum h_i / sum n_i. Its standard error
// over R nonempty clusters (Cochran 1977, section 6.4) is
//
//	sqrt(R/(R-1) sum (h_i - share n_i)^2) / sum n_i.
type Share struct {
	clusters   int     // number of nonempty clusters
	hits, rows float64 // sums of h_i and n_i
	hh, hn, nn float64 // sums of h_i^2, h_i n_i and n_i^2; whole numbers, so exact
}

// Add adds a cluster. An empty cluster has no effect.
func (s *Share) Add(hits, rows int) {
	if rows == 0 {
		return
	}
	h, n := float64(hits), float64(rows)
	s.clusters++
	s.hits, s.rows = s.hits+h, s.rows+n
	s.hh, s.hn, s.nn = s.hh+h*h, s.hn+h*n, s.nn+n*n
}

// Rows returns the total number of rows.
func (s *Share) Rows() int { return int(s.rows) }

// Summary returns the share as Mean and its standard error as MCSE. N is the number of nonempty
// clusters, and SD is MCSE sqrt(N).
func (s *Share) Summary() Summary {
	sum := withoutMoments(s.clusters)
	if s.clusters > 0 {
		sum.Mean = s.hits / s.rows
	}
	if r := float64(s.clusters); r > 1 {
		squares := max(0, s.hh-2*sum.Mean*s.hn+sum.Mean*sum.Mean*s.nn) // sum (h_i - share n_i)^2
		sum.MCSE = math.Sqrt(r/(r-1)*squares) / s.rows
		sum.SD = sum.MCSE * math.Sqrt(r)
	}
	return sum
}
