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

// present returns the values of column j that are not missing, ascending.
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

// indicator imputes means and appends a column of 0 and 1 for each attribute that lacks
// values in the training set: 1 where the value is missing.
type indicator struct {
	imputer    *dataset.Imputer
	lacking    []int // attributes
	attributes []dataset.Attribute
}

func fitIndicator(train *dataset.Set) (*indicator, error) {
	imputer, err := dataset.FitImputer(train, dataset.ImputeMean)
	if err != nil {
		return nil, err
	}
	t := &indicator{imputer: imputer, attributes: slices.Clone(train.Attributes)}
	for j, a := range train.Attributes {
		if len(present(train, j)) < train.N() {
			t.lacking = append(t.lacking, j)
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
	for k, j := range t.lacking {
		for i := range n {
			if math.IsNaN(x.At(i, j)) {
				out.Set(i, d+k, 1)
			}
		}
	}
	return out
}

// A selection keeps some attributes, whose values it maps one by one.
type selection struct {
	from       []int // columns that stay
	attributes []dataset.Attribute
	value      func(column int, v float64) float64 // of a column of the result; never of a missing value
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

// keepAll returns the selection of all attributes, copied, with unchanged values.
func keepAll(attributes []dataset.Attribute) *selection {
	t := &selection{attributes: slices.Clone(attributes)}
	for j := range attributes {
		t.from = append(t.from, j)
	}
	t.value = func(_ int, v float64) float64 { return v }
	return t
}

// newOrdinal takes the codes of discrete attributes as numbers.
func newOrdinal(attributes []dataset.Attribute) *selection {
	t := keepAll(attributes)
	for j := range t.attributes {
		t.attributes[j].Kind, t.attributes[j].Levels = dataset.Numeric, nil
	}
	return t
}

// fitVarying keeps the attributes with two or more values in the training set.
func fitVarying(train *dataset.Set) (*selection, error) {
	all := keepAll(train.Attributes)
	t := &selection{value: all.value}
	for j, a := range train.Attributes {
		if values := present(train, j); len(values) > 0 && values[0] < values[len(values)-1] {
			t.from, t.attributes = append(t.from, j), append(t.attributes, a)
		}
	}
	if len(t.from) == 0 {
		return nil, errors.New("every attribute is constant in the training rows")
	}
	return t, nil
}

// fitPool joins the levels that fewer than a share of the training rows have to one, the
// last, called other. A single rare level stays.
func fitPool(train *dataset.Set, share float64) *selection {
	t := keepAll(train.Attributes)
	codes := make([][]float64, train.D()) // by attribute and old code; nil: unchanged
	for j, a := range train.Attributes {
		if a.Kind == dataset.Discrete {
			codes[j], t.attributes[j].Levels = poolLevels(a.Levels, present(train, j), share*float64(train.N()))
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

// poolLevels returns the new code of each level, and the new levels; nil codes where fewer
// than two levels have fewer rows than least.
func poolLevels(levels []string, values []float64, least float64) (codes []float64, pooled []string) {
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
		codes[k], pooled = float64(len(pooled)), append(pooled, levels[k])
	}
	if rare < 2 {
		return nil, levels
	}
	for k, count := range counts {
		if count < least {
			codes[k] = float64(len(pooled))
		}
	}
	return codes, append(pooled, dataset.FreeName("other", pooled))
}

// fitScaler scales numeric attributes. A column without spread is only centred.
func fitScaler(train *dataset.Set, how string) (*selection, error) {
	t := keepAll(train.Attributes)
	maps := make([]func(v float64) float64, train.D()) // nil: unchanged
	for j, a := range train.Attributes {
		if a.Kind != dataset.Numeric {
			continue
		}
		values := present(train, j)
		if len(values) == 0 {
			return nil, fmt.Errorf("column %q has no value in the training rows; drop it", a.Name)
		}
		if how == "quantile" {
			maps[j] = func(v float64) float64 { return shareBelow(values, v) }
			continue
		}
		centre, spread := centreAndSpread(values, how)
		maps[j] = func(v float64) float64 { return (v - centre) / spread }
	}
	t.value = func(j int, v float64) float64 {
		if maps[j] == nil {
			return v
		}
		return maps[j](v)
	}
	return t, nil
}

// centreAndSpread returns what a scale subtracts and divides by, of sorted values.
func centreAndSpread(sorted []float64, how string) (centre, spread float64) {
	switch how {
	case "robust":
		centre, spread = stats.Quantile(sorted, 0.5), stats.Quantile(sorted, 0.75)-stats.Quantile(sorted, 0.25)
	case "minmax":
		centre, spread = sorted[0], sorted[len(sorted)-1]-sorted[0]
	default:
		centre, spread = stat.MeanStdDev(sorted, nil)
	}
	if !(spread > 0) {
		return centre, 1
	}
	return centre, spread
}

// shareBelow maps v to [0,1] by linear interpolation of the ranks of the training values,
// the middle one of equal values.
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
