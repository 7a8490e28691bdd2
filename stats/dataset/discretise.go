package dataset

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
)

// FitDiscretiser returns a transform of numeric attributes into discrete ones, whose levels are
// intervals with about equally many values of the training set. It cuts each attribute into at
// most bins >= 2 intervals at the quantiles k/bins, k = 1..bins-1. Discrete attributes and missing
// values stay.
//
// With x_(1) <= ... <= x_(n) the values present, the k-th interval ends half-way between
// x_(ceil(nk/bins)) and the next larger value. So equal values share an interval, no interval is
// empty in training, and a column with fewer distinct values than bins has one interval for each
// value; a constant or empty column has one interval. The outermost intervals are unbounded, so
// every later value is in an interval.
func FitDiscretiser(train *Set, bins int) *Selection {
	if bins < 2 {
		panic(fmt.Sprintf("dataset: %d bins, at least 2", bins))
	}
	t := SelectAll(train.Attributes)
	cuts := make([][]float64, train.D()) // ascending
	for j, a := range train.Attributes {
		if a.Kind != Numeric {
			continue
		}
		values := slices.Sorted(slices.Values(Present(train, j)))
		cuts[j] = quantileCuts(values, bins)
		t.To[j].Kind, t.To[j].Levels = Discrete, intervals(cuts[j])
	}
	t.Value = func(j int, v float64) float64 {
		if train.Attributes[j].Kind != Numeric {
			return v
		}
		return float64(sort.SearchFloat64s(cuts[j], v)) // the number of cuts below v
	}
	return t
}

// quantileCuts returns the upper ends of all intervals but the last, given sorted values.
func quantileCuts(sorted []float64, bins int) []float64 {
	n := len(sorted)
	var cuts []float64
	for k := 1; k < bins && n > 0; k++ {
		last := sorted[(n*k+bins-1)/bins-1]
		next := sort.Search(n, func(i int) bool { return sorted[i] > last })
		if next == n {
			break // no larger value
		}
		cut := last + (sorted[next]-last)/2
		if cut >= sorted[next] || math.IsInf(cut, 0) {
			cut = last // there is no number between neighbouring floats
		}
		if len(cuts) == 0 || cut > cuts[len(cuts)-1] {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// intervals returns the names of the levels, such as (-Inf,0.5] (0.5,2] (2,Inf).
func intervals(cuts []float64) []string {
	levels := make([]string, len(cuts)+1)
	from := "(-Inf"
	for k, cut := range cuts {
		end := strconv.FormatFloat(cut, 'g', -1, 64)
		levels[k] = from + "," + end + "]"
		from = "(" + end
	}
	levels[len(cuts)] = from + ",Inf)"
	return levels
}
