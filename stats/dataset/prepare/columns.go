package prepare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats"
	"copse/stats/dataset"
)

// present returns the values of column j that are not missing, in ascending order.
func present(s *dataset.Set, j int) []float64 {
	var values []float64
	for i := range s.N() {
		if v := s.X.At(i, j); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// An indicator imputes means. For each attribute with missing values in the training set it
// also appends a column that is 1 where the value is missing, else 0.
type indicator struct {
	imputer    *dataset.Imputer
	incomplete []int               // columns with an appended one
	attributes []dataset.Attribute // after the step
}

// fitIndicator fits the means and finds the incomplete attributes.
func fitIndicator(train *dataset.Set) (*indicator, error) {
	imputer, err := dataset.FitImputer(train, dataset.ImputeMean)
	if err != nil {
		return nil, err
	}
	t := &indicator{imputer: imputer, attributes: slices.Clone(train.Attributes)}
	for j, a := range train.Attributes {
		if len(present(train, j)) < train.N() {
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

// A selection keeps some columns and maps each value separately. Missing values stay missing.
type selection struct {
	from       []int // the kept columns
	attributes []dataset.Attribute
	value      func(column int, v float64) float64 // new value of v; column counts kept ones
}

// Attributes implements dataset.Transform.
func (t *selection) Attributes() []dataset.Attribute { return t.attributes }

// Apply implements dataset.Transform.
func (t *selection) Apply(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(t.from), nil)
	for i := range n {
		for k, j := range t.from {
			v := x.At(i, j)
			if !math.IsNaN(v) {
				v = t.value(k, v)
			}
			out.Set(i, k, v)
		}
	}
	return out
}

// keepAll returns the selection of all attributes with unchanged values. The attributes are
// copied, so that the caller may change them.
func keepAll(attributes []dataset.Attribute) *selection {
	t := &selection{attributes: slices.Clone(attributes)}
	for j := range attributes {
		t.from = append(t.from, j)
	}
	t.value = func(_ int, v float64) float64 { return v }
	return t
}

// newOrdinal returns the selection that makes discrete attributes numeric; a value is the
// level's code.
func newOrdinal(attributes []dataset.Attribute) *selection {
	t := keepAll(attributes)
	for j := range t.attributes {
		t.attributes[j].Kind, t.attributes[j].Levels = dataset.Numeric, nil
	}
	return t
}

// fitVarying keeps the attributes with at least two distinct values in the training set. It
// fails if there are none.
func fitVarying(train *dataset.Set) (*selection, error) {
	all := keepAll(train.Attributes)
	t := &selection{value: all.value}
	for j, a := range train.Attributes {
		if values := present(train, j); len(values) > 0 && values[0] < values[len(values)-1] {
			t.from = append(t.from, j)
			t.attributes = append(t.attributes, a)
		}
	}
	if len(t.from) == 0 {
		return nil, errors.New("every attribute is constant in the training rows")
	}
	return t, nil
}

// fitPool merges the rare levels of each discrete attribute into one last level, other. A
// level is rare if fewer than share of the training rows have it. A single rare level stays.
func fitPool(train *dataset.Set, share float64) *selection {
	t := keepAll(train.Attributes)
	codes := make([][]float64, train.D()) // by attribute and old code; nil: unchanged
	for j, a := range train.Attributes {
		if a.Kind == dataset.Discrete {
			least := share * float64(train.N())
			codes[j], t.attributes[j].Levels = poolLevels(a.Levels, present(train, j), least)
		}
	}
	t.value = func(j int, v float64) float64 {
		if codes[j] == nil {
			return v
		}
		return codes[j][int(v)]
	}
	return t
}

// poolLevels returns the new code of each level and the new levels, given the codes of all
// rows. A level in fewer than least rows is rare. With fewer than two rare levels, codes is nil
// and the levels are unchanged.
func poolLevels(
	levels []string, values []float64, least float64,
) (codes []float64, pooled []string) {
	counts := make([]float64, len(levels))
	for _, v := range values {
		counts[int(v)]++
	}
	codes = make([]float64, len(levels))
	rare := 0
	for k, count := range counts {
		if count < least {
			rare++
			continue
		}
		codes[k] = float64(len(pooled))
		pooled = append(pooled, levels[k])
	}
	if rare < 2 {
		return nil, levels
	}
	for k, count := range counts {
		if count < least {
			codes[k] = float64(len(pooled)) // other, the last level
		}
	}
	return codes, append(pooled, dataset.FreeName("other", pooled))
}

// fitScaler fits a scale to the numeric attributes; how is the value of the key scale. It
// fails if a column has no value.
func fitScaler(train *dataset.Set, how string) (*selection, error) {
	t := keepAll(train.Attributes)
	scales := make([]func(v float64) float64, train.D()) // nil: unchanged
	for j, a := range train.Attributes {
		if a.Kind != dataset.Numeric {
			continue
		}
		values := present(train, j)
		if len(values) == 0 {
			return nil, fmt.Errorf("column %q has no value in the training rows; drop it", a.Name)
		}
		scales[j] = scaleOf(values, how)
	}
	t.value = func(j int, v float64) float64 {
		if scales[j] == nil {
			return v
		}
		return scales[j](v)
	}
	return t, nil
}

// scaleOf returns the function that scales the values of a column, given sorted training values.
func scaleOf(sorted []float64, how string) func(v float64) float64 {
	if how == "quantile" {
		return func(v float64) float64 { return shareBelow(sorted, v) }
	}
	centre, spread := centreAndSpread(sorted, how)
	return func(v float64) float64 { return (v - centre) / spread }
}

// centreAndSpread returns the number that a scale subtracts and the number that it divides by.
// The spread of a constant column is 1.
func centreAndSpread(sorted []float64, how string) (centre, spread float64) {
	switch how {
	case "robust":
		centre = stats.Quantile(sorted, 0.5)
		spread = stats.Quantile(sorted, 0.75) - stats.Quantile(sorted, 0.25)
	case "minmax":
		centre = sorted[0]
		spread = sorted[len(sorted)-1] - sorted[0]
	default:
		centre, spread = stat.MeanStdDev(sorted, nil)
	}
	if !(spread > 0) { // NaN, too: the deviation of one value
		return centre, 1
	}
	return centre, spread
}

// shareBelow returns the share of training values below v, in [0,1], by linear interpolation
// of their ranks. Equal training values have their middle rank.
func shareBelow(sorted []float64, v float64) float64 {
	n := len(sorted)
	switch {
	case v > sorted[n-1]:
		return 1
	case v < sorted[0] || n == 1:
		return 0
	}
	low, found := slices.BinarySearch(sorted, v)
	if found {
		high := low
		for high+1 < n && sorted[high+1] == v {
			high++
		}
		return float64(low+high) / 2 / float64(n-1)
	}
	within := (v - sorted[low-1]) / (sorted[low] - sorted[low-1])
	return (float64(low-1) + within) / float64(n-1)
}
