package machines

import (
	"context"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// nearestClassScale returns the kernel scale of Matlab's fitcsvm with KernelScale 'auto'.
// classes[c] lists the rows of class c.
//
// From the N_c rows of each class c, it draws m_c = min(N_c, limit) rows at random. With d columns,
// the scale is
//
//	s = median_{z of class 1} min_{x of class 0} |x-z| * (m_0/N_0 * m_1/N_1)^(1/(2d)).
//
// The last factor corrects for sampling, which makes the nearest row farther away. Distances of zero
// are left out. The result ok is false if most drawn rows of class 1 equal all drawn rows of class 0.
func nearestClassScale(
	ctx context.Context, x *mat.Dense, classes [2][]int, limit int, rng *rand.Rand,
) (s float64, ok bool, err error) {
	sampled := 1.0 // becomes m_0/N_0 * m_1/N_1
	var drawn [2][]int
	for c, rows := range classes {
		drawn[c] = dataset.SampleRows(rows, limit, rng)
		sampled *= float64(len(drawn[c])) / float64(len(rows))
	}
	nearest := make([]float64, len(drawn[1]))
	for k, row := range drawn[1] {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		nearest[k] = nearestDistance(x, x.RawRowView(row), drawn[0])
	}
	slices.Sort(nearest)
	m, d := len(nearest), x.RawMatrix().Cols
	median := (nearest[(m-1)/2] + nearest[m/2]) / 2
	ok = !math.IsInf(median, 1) // without a positive distance, nearestDistance returns +Inf
	return median * math.Pow(sampled, 1/(2*float64(d))), ok, nil
}

// nearestDistance returns the smallest positive Euclidean distance between z and the given rows of
// x. If all these rows are equal to z, it returns +Inf.
func nearestDistance(x *mat.Dense, z []float64, rows []int) float64 {
	least := math.Inf(1)
	for _, r := range rows {
		if distance := floats.Distance(x.RawRowView(r), z, 2); distance > 0 {
			least = min(least, distance)
		}
	}
	return least
}
