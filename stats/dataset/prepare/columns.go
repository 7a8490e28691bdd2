package prepare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats"
	"copse/stats/dataset"
)

// An indicator implements "impute: indicator". It replaces missing values with means. For each
// attribute with missing values in the training set, it appends a column that is 1 where the value
// is missing.
type indicator struct {
	imputer    *dataset.Imputer
	incomplete []int               // attributes with missing values in the training set
	attributes []dataset.Attribute // after the transform
}

func fitIndicator(train *dataset.Set) (*indicator, error) {
	imputer, err := dataset.FitImputer(train, dataset.ImputeMean)
	if err != nil {
		return nil, err
	}
	t := &indicator{imputer: imputer, attributes: slices.Clone(train.Attributes)}
	for j, a := range train.Attributes {
		if len(dataset.Present(train, j)) < train.N() {
			t.incomplete = append(t.incomplete, j)
			t.attributes = append(t.attributes, dataset.Attribute{Name: a.Name + " missing"})
		}
	}
	return t, nil
}

// Attributes implements dataset.Transform.
func (t *indicator) Attributes() []dataset.Attribute { return t.attributes }

// Apply implements dataset.Transform.
func (t *indicator) Apply(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, len(t.attributes), nil)
	out.Slice(0, n, 0, d).(*mat.Dense).Copy(t.imputer.Apply(x))
	for k, j := range t.incomplete {
		for i := range n {
			if math.IsNaN(x.At(i, j)) {
				out.Set(i, d+k, 1)
			}
		}
	}
	return out
}

func newOrdinal(attributes []dataset.Attribute) *dataset.Selection {
	t := dataset.SelectAll(attributes)
	for j := range t.To {
		t.To[j].Kind, t.To[j].Levels = dataset.Numeric, nil
	}
	return t
}

// fitVarying returns a transform that drops attributes with a single value in the training set.
func fitVarying(train *dataset.Set) *dataset.Selection {
	t := dataset.SelectAll(train.Attributes)
	t.From, t.To = nil, nil
	for j, a := range train.Attributes {
		if values := dataset.Present(train, j); len(values) > 0 && slices.Min(values) < slices.Max(values) {
			t.From = append(t.From, j)
			t.To = append(t.To, a)
		}
	}
	return t
}

// fitPool returns a transform that merges the rare levels of each discrete attribute into a new
// last level. A level is rare if less than the given share of the training rows have it. A single
// rare level remains unchanged.
func fitPool(train *dataset.Set, share float64) *dataset.Selection {
	t := dataset.SelectAll(train.Attributes)
	minRows := share * float64(train.N())
	for j, a := range train.Attributes {
		if a.Kind != dataset.Discrete {
			continue
		}
		newCode, levels := poolLevels(a.Levels, dataset.Present(train, j), minRows)
		if newCode != nil {
			t.To[j].Levels = levels
			t.Values[j] = func(code float64) float64 { return newCode[int(code)] }
		}
	}
	return t
}

// poolLevels merges the levels that occur in fewer than minRows of the codes into a new last level.
//
// newCode[k] is the new code of level k. If fewer than two levels are rare, newCode is nil.
func poolLevels(levels []string, codes []float64, minRows float64) (newCode []float64, pooled []string) {
	counts := make([]float64, len(levels))
	for _, code := range codes {
		counts[int(code)]++
	}
	newCode = make([]float64, len(levels))
	var rare []int
	for k, count := range counts {
		if count < minRows {
			rare = append(rare, k)
			continue
		}
		newCode[k] = float64(len(pooled))
		pooled = append(pooled, levels[k])
	}
	if len(rare) < 2 {
		return nil, levels
	}
	other := float64(len(pooled))
	for _, k := range rare {
		newCode[k] = other
	}
	return newCode, append(pooled, dataset.FreeName("other", pooled))
}

// fitScaler returns a transform that scales the numeric attributes (see Step.Scale). It returns an
// error if all values of a column are missing.
func fitScaler(train *dataset.Set, method string) (*dataset.Selection, error) {
	t := dataset.SelectAll(train.Attributes)
	for j, a := range train.Attributes {
		if a.Kind != dataset.Numeric {
			continue
		}
		values := slices.Sorted(slices.Values(dataset.Present(train, j)))
		if len(values) == 0 {
			return nil, fmt.Errorf("column %q has no value in the training rows: drop it", a.Name)
		}
		t.Values[j] = scaleOf(values, method)
	}
	return t, nil
}

func scaleOf(sorted []float64, method string) func(v float64) float64 {
	if method == "quantile" {
		return func(v float64) float64 { return shareBelow(sorted, v) }
	}
	centre, spread := centreAndSpread(sorted, method)
	return func(v float64) float64 { return (v - centre) / spread }
}

// centreAndSpread returns the constants that scale a column to (v - centre) / spread. A spread of 0
// is replaced with 1.
func centreAndSpread(sorted []float64, method string) (centre, spread float64) {
	switch method {
	case "robust":
		centre = stats.Quantile(sorted, 0.5)
		spread = stats.Quantile(sorted, 0.75) - stats.Quantile(sorted, 0.25)
	case "minmax":
		centre = sorted[0]
		spread = sorted[len(sorted)-1] - sorted[0]
	default:
		centre, spread = stat.MeanStdDev(sorted, nil)
	}
	if !(spread > 0) { // zero, or NaN for the deviation of a single value
		return centre, 1
	}
	return centre, spread
}

// shareBelow returns r/(n-1), where r is the rank of v among the n sorted values, counted from 0.
//
// Tied values share their mean rank. Between values, ranks are interpolated linearly.
func shareBelow(sorted []float64, v float64) float64 {
	n := len(sorted)
	switch {
	case v > sorted[n-1]:
		return 1
	case v < sorted[0] || n == 1:
		return 0
	}
	below, upTo := stats.Position(sorted, v) // the values equal to v are sorted[below:upTo]
	if below < upTo {                        // v is one of the values
		return float64(below+upTo-1) / 2 / float64(n-1)
	}
	within := (v - sorted[below-1]) / (sorted[below] - sorted[below-1])
	return (float64(below-1) + within) / float64(n-1)
}
