package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Imputation is a way to fill in missing values.
type Imputation string

// The imputations. ImputeKNN uses the nearest rows, the others the values of the column.
const (
	ImputeMean   Imputation = "mean"
	ImputeMedian Imputation = "median"
	ImputeMode   Imputation = "mode" // the most frequent value, the smallest on ties
	ImputeKNN    Imputation = "knn"
)

// imputeNeighbours is the number of rows that ImputeKNN averages.
const imputeNeighbours = 5

// An Imputer fills in missing values by the mean or median of a numeric attribute, and by the
// most frequent level of a discrete one (the first on ties), of the training set.
//
// ImputeKNN (Troyanskaya et al., Bioinformatics 17, 2001) takes the mean, or the most frequent
// level, of the five nearest training rows that have the value (earlier rows on ties). If no
// training row shares a present value with the row, it takes the mean or level of the column.
// The squared distance of two rows is d/p times the sum over the p attributes present in both
// of ((a-b)/sd)^2, with the training sd, or of 1 for different levels.
type Imputer struct {
	attributes []Attribute
	typical    []float64  // by column: the value for missing ones
	donors     *mat.Dense // training rows, for ImputeKNN; nil for other imputations
	weight     []float64  // by column: 1/sd^2; 1 for a discrete attribute, 0 for a constant one
}

// FitImputer returns the imputer of a training set. It fails if a column has no values.
func FitImputer(train *Set, how Imputation) (*Imputer, error) {
	t := &Imputer{attributes: train.Attributes, typical: make([]float64, train.D()), weight: make([]float64, train.D())}
	for j, a := range train.Attributes {
		values := Present(train, j)
		if len(values) == 0 {
			return nil, fmt.Errorf("column %q has no value from which missing ones could be filled in; drop it", a.Name)
		}
		if a.Kind == Discrete {
			t.typical[j], t.weight[j] = centre(values, ImputeMode), 1
		} else {
			t.typical[j], t.weight[j] = centre(values, how), inverseVariance(values)
		}
	}
	if how == ImputeKNN {
		t.donors = train.X
	}
	return t, nil
}

// centre returns the median, the most frequent value or, for other imputations, the mean.
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

// mostFrequent returns the most frequent value, the smallest on ties.
func mostFrequent(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	best, most, run := sorted[0], 0, 0
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

// inverseVariance returns 1/sd^2 with the divisor n; 0 for equal values.
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
		var near []neighbour
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

// A neighbour is a training row at a squared distance.
type neighbour struct {
	row      int
	distance float64
}

// neighbours returns the training rows that share a present value with row, nearest first.
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

// fill returns the value for column j, given the training rows in the order of their distance; no
// rows for imputations other than ImputeKNN.
func (t *Imputer) fill(j int, near []neighbour) float64 {
	var values []float64
	for _, k := range near {
		if len(values) == imputeNeighbours {
			break
		}
		if v := t.donors.At(k.row, j); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	switch {
	case len(values) == 0:
		return t.typical[j]
	case t.attributes[j].Kind == Discrete:
		return centre(values, ImputeMode)
	}
	return centre(values, ImputeMean)
}
