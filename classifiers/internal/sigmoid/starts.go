package sigmoid

import (
	"cmp"
	"context"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A start is a logistic function 1/(1 + exp(slope (z - centre))).
type start struct{ slope, centre float64 }

func (s start) b0() float64 { return -s.slope * s.centre }

// starts are the grid: slopes from the steepest one down by halves, for each
// centres one transition's length 1/slope apart. Negative slopes describe the
// same curves. Neighbours in the grid correlate by at least 0.95.
type starts struct {
	at         []start
	sum        []float64 // of the function's values
	variance   []float64 // sum of squares about their mean
	neighbours [][]int
}

const (
	gentlest = 0.15 // slope, in units of 1/standard deviation, below which curves are nearly lines
	// beyond is how many transitions' lengths from all values the last centres
	// lie: there the curve is an exponential function, whatever the centre.
	beyond = 4
)

// newStarts returns the grid for the values z.
func newStarts(z []float64, steepest float64) *starts {
	sorted := slices.Clone(z)
	slices.Sort(sorted)
	g := &starts{}
	var level []int // the starts of the next steeper slope
	for slope := steepest; slope == steepest || slope >= gentlest; slope /= 2 {
		from := len(g.at)
		first := sorted[0] - beyond/slope
		for k := 0; ; k++ {
			centre := first + float64(k)/slope
			if centre > sorted[len(sorted)-1]+(beyond+1)/slope {
				break
			}
			if near(sorted, centre, beyond/slope) {
				g.add(start{slope, centre}, from)
			}
		}
		next := make([]int, 0, len(g.at)-from)
		for k := from; k < len(g.at); k++ {
			next = append(next, k)
		}
		g.join(next, level)
		g.join(level, next)
		level = next
	}
	return g
}

// near reports whether one of the sorted values is within the distance of c.
func near(sorted []float64, c, distance float64) bool {
	k, _ := slices.BinarySearch(sorted, c-distance)
	return k < len(sorted) && sorted[k] <= c+distance
}

// add appends a start and makes it the neighbour of the one before, unless that
// is of another slope.
func (g *starts) add(s start, from int) {
	k := len(g.at)
	g.at, g.neighbours = append(g.at, s), append(g.neighbours, nil)
	if k > from {
		g.neighbours[k] = append(g.neighbours[k], k-1)
		g.neighbours[k-1] = append(g.neighbours[k-1], k)
	}
}

// join makes the start of b with the nearest centre the neighbour of each of a.
func (g *starts) join(a, b []int) {
	if len(b) == 0 {
		return
	}
	for _, k := range a {
		i, _ := slices.BinarySearchFunc(b, g.at[k].centre,
			func(l int, c float64) int { return cmp.Compare(g.at[l].centre, c) })
		i = min(i, len(b)-1)
		if i > 0 && g.at[k].centre-g.at[b[i-1]].centre < g.at[b[i]].centre-g.at[k].centre {
			i--
		}
		g.neighbours[k] = append(g.neighbours[k], b[i])
	}
}

// depth rows at a time are multiplied.
const depth = 512

// dots returns the products of each y, of mean 0, with each start's function,
// and fills in the functions' sums and variances.
func (g *starts) dots(ctx context.Context, z []float64, ys [][]float64) ([][]float64, error) {
	curves := padded(len(g.at), vecmath.TileRows)
	samples := padded(len(ys), vecmath.TileColumns)
	s, t := make([]float64, curves*depth), make([]float64, samples*depth)
	g.sum, g.variance = make([]float64, len(g.at)), make([]float64, len(g.at))
	dots := make([][]float64, samples)
	for k := range dots {
		dots[k] = make([]float64, curves)
	}
	for from := 0; from < len(z); from += depth {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(depth, len(z)-from)
		for k, a := range g.at {
			u := s[k*depth:][:rows]
			logistics(u, z[from:from+rows], a.b0(), a.slope)
			for _, v := range u {
				g.sum[k] += v
				g.variance[k] += v * v
			}
		}
		for k, y := range ys {
			copy(t[k*depth:], y[from:from+rows])
		}
		for k := 0; k < curves; k += vecmath.TileRows {
			for l := 0; l < samples; l += vecmath.TileColumns {
				var tile [vecmath.TileRows * vecmath.TileColumns]float64
				vecmath.Dots(s[k*depth:], t[l*depth:], depth, rows, &tile)
				for c, v := range tile {
					dots[l+c%vecmath.TileColumns][k+c/vecmath.TileColumns] += v
				}
			}
		}
	}
	for k, sum := range g.sum {
		g.variance[k] -= sum * sum / float64(len(z))
	}
	return dots, nil
}

func padded(n, size int) int { return (n + size - 1) / size * size }

// logistics sets s[i] = 1/(1 + exp(b0 + b1 z[i])).
func logistics(s, z []float64, b0, b1 float64) {
	const largest = 700
	for i, v := range z {
		s[i] = min(b0+b1*v, largest)
	}
	vecmath.Exp(s, s)
	for i, e := range s {
		s[i] = 1 / (1 + e)
	}
}

// squares returns what the best curve a0 + a1 s of start k leaves of total.
func (g *starts) squares(k int, dots []float64, total float64) float64 {
	if !(g.variance[k] > leastSpread*g.sum[k]*g.sum[k]) {
		return total
	}
	return total - dots[k]*dots[k]/g.variance[k]
}

// minima returns the starts that leave no more than their neighbours, the
// least first.
func (g *starts) minima(dots []float64, total float64) []int {
	left := make([]float64, len(g.at))
	for k := range left {
		left[k] = g.squares(k, dots, total)
	}
	var minima []int
	for k, neighbours := range g.neighbours {
		least := true
		for _, l := range neighbours {
			least = least && !(left[l] < left[k])
		}
		if least && !math.IsNaN(left[k]) {
			minima = append(minima, k)
		}
	}
	slices.SortStableFunc(minima, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	return minima
}
