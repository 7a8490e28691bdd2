package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Imputation is the name of a method that fills in missing values.
type Imputation string

// ImputeKNN uses the nearest rows. All other methods use only the values of the incomplete column.
const (
	ImputeMean   Imputation = "mean"
	ImputeMedian Imputation = "median"
	ImputeMode   Imputation = "mode" // the most frequent value; if several are equally frequent, the smallest
	ImputeKNN    Imputation = "knn"
)

// imputeNeighbours is the number of nearest rows that ImputeKNN averages.
const imputeNeighbours = 5

// An Imputer fills in missing values. It uses the mean, median or most frequent value of the
// attribute in the training set. For a discrete attribute, it always uses the most frequent value.
//
// The method ImputeKNN (Troyanskaya et al., Bioinformatics 17, 2001) uses only the five nearest
// training rows in which the value is present. Of equally near rows, it takes the earlier one. Of
// equally frequent levels, it takes the first.
type Imputer struct {
	attributes []Attribute
	typical    []float64  // mean, median or most frequent value of each column
	donors     *mat.Dense // training rows for ImputeKNN; nil for other methods
	weight     []float64  // of each numeric column in the distance: 1/sd^2, or 0 if the column is constant
}

// FitImputer returns an imputer fitted to the training set, or an error if all values of a column
// are missing.
func FitImputer(train *Set, how Imputation) (*Imputer, error) {
	t := &Imputer{
		attributes: train.Attributes,
		typical:    make([]float64, train.D()),
		weight:     make([]float64, train.D()),
	}
	for j, a := range train.Attributes {
		values := Present(train, j)
		if len(values) == 0 {
			return nil, fmt.Errorf("column %q has no value in the training rows, "+
				"so its missing values cannot be filled in: drop it", a.Name)
		}
		if a.Kind == Discrete {
			t.typical[j] = mostFrequent(values)
			continue
		}
		t.typical[j] = centre(values, how)
		t.weight[j] = inverseVariance(values)
	}
	if how == ImputeKNN {
		t.donors = train.X
	}
	return t, nil
}

// centre returns the median, the most frequent value or, for all other methods, the mean.
func centre(values []float64, how Imputation) float64 {
	switch how {
	case ImputeMedian:
		sorted := slices.Sorted(slices.Values(values))
		n := len(sorted)
		return sorted[(n-1)/2]/2 + sorted[n/2]/2
	case ImputeMode:
		return mostFrequent(values)
	}
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}

// mostFrequent returns the smallest of the most frequent values.
func mostFrequent(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	best, most := sorted[0], 0
	run := 0
	for i, v := range sorted {
		if i > 0 && v != sorted[i-1] {
			run = 0
		}
		run++
		if run > most {
			best, most = v, run
		}
	}
	return best
}

// inverseVariance returns the inverse of the variance with divisor n, or 0 if all values are equal.
func inverseVariance(values []float64) float64 {
	mean, sum := centre(values, ImputeMean), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	if sum == 0 {
		return 0
	}
	return float64(len(values)) / sum
}

// Attributes implements Transform.
func (t *Imputer) Attributes() []Attribute { return t.attributes }

// Apply implements Transform.
func (t *Imputer) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, len(t.attributes))
	out := mat.DenseCopyOf(x)
	for i := range n {
		row := out.RawRowView(i)
		if !slices.ContainsFunc(row, math.IsNaN) {
			continue
		}
		var near []neighbour // remains empty unless missing values come from the nearest training rows
		if t.donors != nil {
			near = t.neighbours(x.RawRowView(i))
		}
		for j, v := range row {
			if math.IsNaN(v) {
				row[j] = t.fill(j, near)
			}
		}
	}
	return out
}

type neighbour struct {
	row      int
	distance float64
}

// neighbours returns the training rows that share an attribute with the given row, in ascending
// order of their distance.
//
// Two rows share an attribute if it is present in both. The squared distance is a sum over the
// shared attributes, divided by the proportion of attributes that are shared.
func (t *Imputer) neighbours(row []float64) []neighbour {
	n, d := t.donors.Dims()
	var near []neighbour
	for i := range n {
		sum, shared := 0.0, 0
		for j, v := range t.donors.RawRowView(i) {
			if math.IsNaN(v) || math.IsNaN(row[j]) {
				continue
			}
			shared++
			switch {
			case t.attributes[j].Kind == Numeric:
				sum += (v - row[j]) * (v - row[j]) * t.weight[j]
			case v != row[j]:
				sum++
			}
		}
		if shared > 0 {
			near = append(near, neighbour{i, sum * float64(d) / float64(shared)})
		}
	}
	slices.SortStableFunc(near, func(a, b neighbour) int { return cmp.Compare(a.distance, b.distance) })
	return near
}

// fill returns the replacement for a missing value in column j. It uses the nearest rows that have
// a value or, if there are none, the typical value. The list near is in ascending order of
// distance.
func (t *Imputer) fill(j int, near []neighbour) float64 {
	var values []float64
	for _, n := range near {
		if len(values) == imputeNeighbours {
			break
		}
		if v := t.donors.At(n.row, j); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	switch {
	case len(values) == 0:
		return t.typical[j]
	case t.attributes[j].Kind == Discrete:
		return mostFrequent(values)
	}
	return centre(values, ImputeMean)
}
