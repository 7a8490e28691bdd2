package dataset

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"copse/stats"
)

// FitDiscretiser returns a transform that divides each numeric attribute into at most bins
// intervals. bins must be at least 2.
//
// The cuts are the distinct quantiles k/bins of the training set. The first and the last interval
// are unbounded.
func FitDiscretiser(train *Set, bins int) *Selection {
	if bins < 2 {
		panic(fmt.Sprintf("dataset: %d bins, but at least 2 are needed", bins))
	}
	t := SelectAll(train.Attributes)
	for j, a := range train.Attributes {
		if a.Kind != Numeric {
			continue
		}
		cuts := quantileCuts(slices.Sorted(slices.Values(Present(train, j))), bins)
		t.To[j].Kind, t.To[j].Levels = Discrete, intervals(cuts)
		t.Values[j] = func(v float64) float64 {
			return float64(sort.SearchFloat64s(cuts, v)) // number of cuts below v, the index of its interval
		}
	}
	return t
}

// quantileCuts returns the cuts that divide sorted values into at most bins intervals with about
// the same number of values.
//
// A cut lies halfway between a quantile and the next larger value.
func quantileCuts(sorted []float64, bins int) []float64 {
	n := len(sorted)
	if n == 0 {
		return nil
	}
	var cuts []float64
	for k := 1; k < bins; k++ {
		rank := (n*k + bins - 1) / bins // ceil(nk/bins)
		quantile := sorted[rank-1]
		_, next := stats.Position(sorted, quantile) // index of the next larger value
		if next == n {
			break // the quantile is the largest value
		}
		cut := Midpoint(quantile, sorted[next])
		if len(cuts) == 0 || cut > cuts[len(cuts)-1] {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// Midpoint returns the number halfway between low and high, or low if this number is not finite or
// rounds to high.
func Midpoint(low, high float64) float64 {
	if middle := low + (high-low)/2; middle < high { // false if middle is NaN
		return middle
	}
	return low
}

// intervals returns the names of the intervals between cuts. For the cuts 0.5 and 2, they are (-Inf,0.5],
// (0.5,2] and (2,Inf).
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
