package columns

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// A Scaling maps the value t_k of column k to (t_k - Centre_k) Factor_k.
type Scaling struct{ Centre, Factor []float64 }

// Unscaled returns a Scaling that leaves p columns unchanged.
func Unscaled(p int) Scaling {
	return Scaling{make([]float64, p), slices.Repeat([]float64{1}, p)}
}

// StandardScaling returns the scaling to mean 0 and standard deviation 1 (divisor n-1) over the
// given rows of t. A constant column gets factor 0.
func StandardScaling(t *mat.Dense, rows []int) Scaling {
	_, p := t.Dims()
	n := float64(len(rows))
	// Slicing rows to [:p] in the loops avoids bounds checks.
	centre := make([]float64, p)
	for _, r := range rows {
		for k, v := range t.RawRowView(r)[:p] {
			centre[k] += v / n
		}
	}
	squares := make([]float64, p) // sums of squared deviations
	for _, r := range rows {
		for k, v := range t.RawRowView(r)[:p] {
			squares[k] += (v - centre[k]) * (v - centre[k])
		}
	}
	factor := make([]float64, p)
	for k, sum := range squares {
		sd := math.Sqrt(sum / (n - 1))
		if !(sum > leastSquares && sum < mostSquares) { // the squares may have underflowed or overflowed
			sd = extremeSD(t, rows, k, centre[k])
		}
		if sd > math.Abs(centre[k])*constantSpread {
			factor[k] = min(1/sd, math.MaxFloat64) // 1/sd may overflow if sd is subnormal
		}
	}
	return Scaling{centre, factor}
}

const (
	// constantSpread is the largest ratio of standard deviation to mean in a constant column. It is
	// positive because of rounding errors.
	constantSpread = 1e-12
	// A sum of squares between leastSquares and mostSquares has neither underflowed nor overflowed.
	leastSquares = 1e-280
	mostSquares  = 1e300
)

// extremeSD returns the standard deviation of column k over the given rows, without overflow.
func extremeSD(t *mat.Dense, rows []int, k int, mean float64) float64 {
	farthest := 0.0
	for _, r := range rows {
		farthest = max(farthest, math.Abs(t.At(r, k)-mean))
	}
	if farthest == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range rows {
		u := (t.At(r, k) - mean) / farthest
		sum += u * u
	}
	return farthest * math.Sqrt(sum/float64(len(rows)-1))
}

// Apply returns the scaled columns of t.
func (s Scaling) Apply(t *mat.Dense) *mat.Dense {
	n, _ := t.Dims()
	return s.ApplyIn(nil, t, stats.Indices(n))
}

// ApplyIn returns the scaled columns of the given rows of t. It uses buffer if that is large
// enough.
func (s Scaling) ApplyIn(buffer []float64, t *mat.Dense, rows []int) *mat.Dense {
	_, p := t.Dims()
	z := mat.NewDense(len(rows), p, stats.Resized(buffer, len(rows)*p))
	centre, factor := s.Centre[:p], s.Factor[:p] // [:p] here and below avoids bounds checks
	for i, r := range rows {
		scaled := z.RawRowView(i)[:p]
		for k, v := range t.RawRowView(r)[:p] {
			scaled[k] = (v - centre[k]) * factor[k]
		}
	}
	return z
}

// unused returns a warning for each column with factor 0, which has no effect. The warning contains
// the given reason, such as "constant".
func (s Scaling) unused(columns []dataset.Attribute, reason string) []string {
	var warnings []string
	for j, f := range s.Factor {
		if f == 0 {
			warnings = append(warnings, fmt.Sprintf(
				"column %q is %s in the training set and plays no part", columns[j].Name, reason))
		}
	}
	return warnings
}

// Rows returns a new matrix with the given rows of x.
func Rows(x *mat.Dense, rows []int) *mat.Dense {
	_, p := x.Dims()
	part := mat.NewDense(len(rows), p, nil)
	for k, i := range rows {
		part.SetRow(k, x.RawRowView(i))
	}
	return part
}
