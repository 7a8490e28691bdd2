package sigmoid

import (
	"cmp"
	"context"
	"math"
	"slices"

	"copse/stats/vecmath"
)

// A start is a starting point of the search: the logistic function 1/(1 + exp(slope (z - centre))).
type start struct{ slope, centre float64 }

func (s start) b0() float64 { return -s.slope * s.centre }

// starts is a grid of logistic functions from which the fits begin. Each slope is half the previous
// one, and centres are 1/slope apart. Neighbours have a correlation of at least 0.95. Negative
// slopes would give the same curves.
type starts struct {
	list       []start
	sum        []float64 // sum of the values of each curve
	spread     []float64 // sum of squared deviations of the values from their mean
	neighbours [][]int   // neighbours[k] contains the indices of the neighbours of start k
}

const (
	// gentlest is the smallest slope of the grid. For z of variance 1, curves with smaller slopes
	// are nearly straight lines.
	gentlest = 0.15
	// Each centre in the grid is at most beyond/slope away from the nearest value z. At larger
	// distances, a logistic function is close to an exponential function.
	beyond = 4
)

func newStarts(z []float64, steepest float64) *starts {
	sorted := slices.Clone(z)
	slices.Sort(sorted)
	g := &starts{}
	var steeper []int // indices of the starts with twice the slope
	for slope := steepest; slope == steepest || slope >= gentlest; slope /= 2 {
		level := g.addLevel(sorted, slope)
		g.join(level, steeper)
		g.join(steeper, level)
		steeper = level
	}
	return g
}

// addLevel adds starting points with one slope to the grid and returns their indices. The centres
// are 1/slope apart and cover the sorted values. Centres more than beyond/slope away from all
// values are left out.
func (g *starts) addLevel(sorted []float64, slope float64) (level []int) {
	first, last := sorted[0]-beyond/slope, sorted[len(sorted)-1]+(beyond+1)/slope
	from := len(g.list)
	for k := 0; ; k++ {
		centre := first + float64(k)/slope
		if centre > last {
			return level
		}
		if near(sorted, centre, beyond/slope) {
			level = append(level, len(g.list))
			g.add(start{slope, centre}, from)
		}
	}
}

// near reports whether any of the sorted values lies within the given distance of c.
func near(sorted []float64, c, distance float64) bool {
	k, _ := slices.BinarySearch(sorted, c-distance)
	return k < len(sorted) && sorted[k] <= c+distance
}

// add appends the starting point s to g.list. It becomes a neighbour of the previous one if both
// have the same slope. from is the index of the first starting point with this slope.
func (g *starts) add(s start, from int) {
	k := len(g.list)
	g.list, g.neighbours = append(g.list, s), append(g.neighbours, nil)
	if k > from {
		g.neighbours[k] = append(g.neighbours[k], k-1)
		g.neighbours[k-1] = append(g.neighbours[k-1], k)
	}
}

// join gives each starting point in a one more neighbour: the point in b with the nearest centre. a
// and b contain indices of g.list, each for one slope.
func (g *starts) join(a, b []int) {
	if len(b) == 0 {
		return
	}
	for _, k := range a {
		i, _ := slices.BinarySearchFunc(b, g.list[k].centre,
			func(l int, c float64) int { return cmp.Compare(g.list[l].centre, c) })
		i = min(i, len(b)-1)
		if i > 0 && g.list[k].centre-g.list[b[i-1]].centre < g.list[b[i]].centre-g.list[k].centre {
			i--
		}
		g.neighbours[k] = append(g.neighbours[k], b[i])
	}
}

// depth is the largest number of rows in a block. Matrix products are computed block by block.
const depth = 512

// dots returns dots[l][k] = sum_i ys[l][i] s_k(z[i]), where s_k is the logistic function of
// g.list[k]. Each ys[l] must have mean 0, so that s_k need not be centred. Elements beyond the
// samples and starting points have no meaning. dots also sets g.sum and g.spread.
func (g *starts) dots(ctx context.Context, z []float64, ys [][]float64) ([][]float64, error) {
	curveRows := vecmath.RoundedUp(len(g.list), vecmath.TileRows)
	sampleRows := vecmath.RoundedUp(len(ys), vecmath.TileColumns)
	// Each row of these matrices has depth elements, one for each value of a block. A shorter last
	// block only uses the first elements.
	curves := make([]float64, curveRows*depth)   // row k: s_k at the values z of a block
	samples := make([]float64, sampleRows*depth) // row l: the values of ys[l] in a block
	g.sum, g.spread = make([]float64, len(g.list)), make([]float64, len(g.list))
	dots := make([][]float64, sampleRows)
	for l := range dots {
		dots[l] = make([]float64, curveRows)
	}
	for from := 0; from < len(z); from += depth { // one block of depth rows after another
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(depth, len(z)-from)
		g.evaluate(curves, z[from:from+rows]) // also adds the values to g.sum, and their squares to g.spread
		for l, y := range ys {
			copy(samples[l*depth:], y[from:from+rows])
		}
		addDots(dots, curves, samples, rows)
	}
	for k, sum := range g.sum { // turn the sums of squares into sums of squared deviations
		g.spread[k] -= sum * sum / float64(len(z))
	}
	return dots, nil
}

// evaluate stores the logistic function of starting point k at the values z in row k of the matrix
// s. It adds the sum of these values to g.sum[k] and the sum of their squares to g.spread[k]. A row
// has depth elements.
func (g *starts) evaluate(s, z []float64) {
	for k, a := range g.list {
		values := s[k*depth:][:len(z)]
		logistics(values, z, a.b0(), a.slope)
		for _, v := range values {
			g.sum[k] += v
			g.spread[k] += v * v
		}
	}
}

// addDots adds the dot product of row k of s and row l of t, over the first count of depth
// elements, to dots[l][k]. The numbers of rows must be multiples of vecmath.TileRows (s) and
// vecmath.TileColumns (t).
func addDots(dots [][]float64, s, t []float64, count int) {
	for k := 0; k < len(s)/depth; k += vecmath.TileRows {
		for l := 0; l < len(t)/depth; l += vecmath.TileColumns {
			var tile [vecmath.TileRows * vecmath.TileColumns]float64
			vecmath.Dots(s[k*depth:], t[l*depth:], depth, count, &tile)
			for c, v := range tile {
				dots[l+c%vecmath.TileColumns][k+c/vecmath.TileColumns] += v
			}
		}
	}
}

// logistics sets s[i] = 1/(1 + exp(b0 + b1 z[i])).
func logistics(s, z []float64, b0, b1 float64) {
	const largest = 700 // exp does not overflow below this value
	for i, v := range z {
		s[i] = min(b0+b1*v, largest)
	}
	vecmath.Exp(s, s)
	for i, e := range s {
		s[i] = 1 / (1 + e)
	}
}

// squares returns the residual sum of squares of the best curve a0 + a1 s. Here s is the logistic
// function of start k, dots[k] is its dot product with the sample, and total is the sample's sum of
// squares.
func (g *starts) squares(k int, dots []float64, total float64) float64 {
	if !(g.spread[k] > leastSpread*g.sum[k]*g.sum[k]) {
		return total
	}
	return total - dots[k]*dots[k]/g.spread[k]
}

// minima returns the starts that are local minima of the residual sum of squares, the best first.
// At a local minimum, no neighbour has a smaller sum.
func (g *starts) minima(dots []float64, total float64) []int {
	left := make([]float64, len(g.list))
	for k := range left {
		left[k] = g.squares(k, dots, total)
	}
	var minima []int
	for k, neighbours := range g.neighbours {
		lower := func(l int) bool { return left[l] < left[k] }
		if !slices.ContainsFunc(neighbours, lower) && !math.IsNaN(left[k]) {
			minima = append(minima, k)
		}
	}
	slices.SortStableFunc(minima, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	return minima
}
