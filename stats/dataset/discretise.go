package dataset

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A Discretiser turns numeric attributes into discrete ones whose levels are
// intervals that held about equally many training values. Discrete attributes
// pass unchanged, missing values stay missing.
type Discretiser struct {
	attributes []Attribute
	cuts       [][]float64 // ascending; nil for a discrete attribute
	numeric    []bool
}

// FitDiscretiser cuts each numeric attribute of a training set into at most
// bins >= 2 intervals at the quantiles k/bins, k = 1..bins-1.
//
// With x_(1) <= ... <= x_(n) the values present, the k-th interval ends half-way
// between x_(ceil(nk/bins)) and the next larger value. So equal values share an
// interval, no interval is empty in training, and a column with fewer distinct
// values than bins has one interval for each; a constant or empty column has one
// interval in all. The outermost intervals are unbounded, so every later value
// belongs to one.
func FitDiscretiser(train *Set, bins int) *Discretiser {
	if bins < 2 {
		panic(fmt.Sprintf("dataset: %d bins, at least 2", bins))
	}
	t := &Discretiser{
		attributes: slices.Clone(train.Attributes),
		cuts:       make([][]float64, train.D()),
		numeric:    make([]bool, train.D()),
	}
	for j := range t.attributes {
		if t.attributes[j].Kind != Numeric {
			continue
		}
		values := present(train, j)
		slices.Sort(values)
		t.numeric[j] = true
		t.cuts[j] = quantileCuts(values, bins)
		t.attributes[j].Kind, t.attributes[j].Levels = Discrete, intervals(t.cuts[j])
	}
	return t
}

// quantileCuts returns the upper ends of all but the last interval.
func quantileCuts(sorted []float64, bins int) []float64 {
	n := len(sorted)
	var cuts []float64
	for k := 1; k < bins && n > 0; k++ {
		last := sorted[(n*k+bins-1)/bins-1]
		next := sort.Search(n, func(i int) bool { return sorted[i] > last })
		if next == n {
			break // nothing lies above
		}
		cut := last + (sorted[next]-last)/2
		if cut >= sorted[next] || math.IsInf(cut, 0) {
			cut = last // neighbouring floats have no middle
		}
		if len(cuts) == 0 || cut > cuts[len(cuts)-1] {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// intervals names the levels: (-Inf,0.5] (0.5,2] (2,Inf).
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

// Attributes implements Transform.
func (t *Discretiser) Attributes() []Attribute { return t.attributes }

// Apply implements Transform: the code of v is the number of cuts below it.
func (t *Discretiser) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, len(t.attributes))
	out := mat.DenseCopyOf(x)
	for i := range n {
		row := out.RawRowView(i)
		for j, v := range row {
			if t.numeric[j] && !math.IsNaN(v) {
				row[j] = float64(sort.SearchFloat64s(t.cuts[j], v))
			}
		}
	}
	return out
}
