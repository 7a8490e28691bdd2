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

// The problem: a length s that makes exp(-|x-z|^2 / s^2) neither nearly 1 nor
// nearly 0 between rows of two classes that are close to each other. Matlab's
// fitcsvm with KernelScale 'auto' draws m_0 = min(N_0, most) rows of class 0 and
// m_1 = min(N_1, most) of class 1 without replacement, most = 100, and takes
//
//	s = median_{z of class 1} min_{x of class 0} |x-z| * (m_0/N_0 * m_1/N_1)^(1/(2d)),
//
// distances of zero left out. The last factor shrinks the distance to the next
// row of a sample to that of all N_0 and N_1 rows in d dimensions.

// nearestClassScale returns s for the rows of x, classes[c] being the numbers of
// those of class c, and false where it is undefined because most rows of class 1
// coincide with all rows of class 0.
func nearestClassScale(
	ctx context.Context,
	x *mat.Dense,
	classes [2][]int,
	most int,
	rng *rand.Rand,
) (s float64, ok bool, err error) {
	shrink := 1.0
	var drawn [2][]int
	for c, rows := range classes {
		drawn[c] = dataset.SampleRows(rows, most, rng)
		shrink *= float64(len(drawn[c])) / float64(len(rows))
	}
	nearest := make([]float64, len(drawn[1]))
	for k, z := range drawn[1] {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		nearest[k] = math.Inf(1)
		for _, r := range drawn[0] {
			if distance := floats.Distance(x.RawRowView(r), x.RawRowView(z), 2); distance > 0 {
				nearest[k] = min(nearest[k], distance)
			}
		}
	}
	slices.Sort(nearest)
	m, d := len(nearest), x.RawMatrix().Cols
	middle := (nearest[(m-1)/2] + nearest[m/2]) / 2
	return middle * math.Pow(shrink, 1/(2*float64(d))), !math.IsInf(middle, 1), nil
}
