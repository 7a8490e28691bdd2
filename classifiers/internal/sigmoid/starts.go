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

// starts is a grid of logistic functions from which the fits begin. Its levels have decreasing
// slopes, each half the previous one. Within a level, centres are 1/slope apart. Neighbours thus
// have a correlation of at least 0.95. Negative slopes would give the same curves.
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
	// beyond is the largest distance of a centre from the nearest value z, in units of 1/slope. At
	// larger distances, a logistic function is close to an exponential function.
	beyond = 4
)

func newStarts(z []float64, steepest float64) *starts {
	sorted := slices.Clone(z)
	slices.Sort(sorted)
	g := &starts{}
	var steeper []int // the level with twice the slope
	for slope := steepest; slope == steepest || slope >= gentlest; slope /= 2 {
		level := g.addLevel(sorted, slope)
		g.join(level, steeper)
		g.join(steeper, level)
		steeper = level
	}
	return g
}

// addLevel adds starting points with one slope to the grid and returns their indices. Successive
// starting points become neighbours. Their centres are 1/slope apart and at most beyond/slope away
// from the nearest of the sorted values.
func (g *starts) addLevel(sorted []float64, slope float64) (level []int) {
	first := sorted[0] - beyond/slope
	end := sorted[len(sorted)-1] + (beyond+1)/slope // farther than near accepts, despite rounding
	for k := 0; ; k++ {
		centre := first + float64(k)/slope
		if centre > end {
			break
		}
		if near(sorted, centre, beyond/slope) {
			level = append(level, len(g.list))
			g.list = append(g.list, start{slope, centre})
			g.neighbours = append(g.neighbours, nil)
		}
	}
	g.linkSuccessive(level)
	return level
}

// linkSuccessive makes each starting point of a level a neighbour of the next one, and vice versa.
func (g *starts) linkSuccessive(level []int) {
	for i := 1; i < len(level); i++ {
		a, b := level[i-1], level[i]
		g.neighbours[a] = append(g.neighbours[a], b)
		g.neighbours[b] = append(g.neighbours[b], a)
	}
}

// near reports whether any of the sorted values lies within the given distance of c.
func near(sorted []float64, c, distance float64) bool {
	k, _ := slices.BinarySearch(sorted, c-distance)
	return k < len(sorted) && sorted[k] <= c+distance
}

// join adds a neighbour to each starting point in a: the one in b with the nearest centre.
func (g *starts) join(a, b []int) {
	if len(b) == 0 {
		return
	}
	for _, k := range a {
		g.neighbours[k] = append(g.neighbours[k], g.nearest(b, g.list[k].centre))
	}
}

// nearest returns the starting point of a level whose centre is nearest to the given centre. If two
// are equally near, it returns the one with the larger centre.
func (g *starts) nearest(level []int, centre float64) int {
	compare := func(k int, centre float64) int { return cmp.Compare(g.list[k].centre, centre) }
	next, _ := slices.BinarySearchFunc(level, centre, compare) // the first centre that is not smaller
	switch {
	case next == 0:
		return level[0]
	case next == len(level):
		return level[next-1]
	}
	below, above := level[next-1], level[next]
	if centre-g.list[below].centre < g.list[above].centre-centre {
		return below
	}
	return above
}

// depth is the largest number of rows in a block of a matrix product.
const depth = 512

// dots returns the dot products of samples and logistic functions,
//
//	dots[l][k] = sum_i ys[l][i] s_k(z[i]),
//
// where s_k is the logistic function of g.list[k]. Each ys[l] must have mean 0, so that s_k need
// not be centred. The result has additional rows and columns, whose elements have no meaning. dots
// also sets g.sum and g.spread.
func (g *starts) dots(ctx context.Context, z []float64, ys [][]float64) ([][]float64, error) {
	// addDots needs whole tiles, so the numbers of rows are rounded up.
	curveRows := vecmath.RoundedUp(len(g.list), vecmath.TileRows)
	sampleRows := vecmath.RoundedUp(len(ys), vecmath.TileColumns)
	// In these matrices, rows begin depth elements apart.
	curves := make([]float64, curveRows*depth)   // row k: s_k at the values z of a block
	samples := make([]float64, sampleRows*depth) // row l: the values of ys[l] in a block
	dots := make([][]float64, sampleRows)
	for l := range dots {
		dots[l] = make([]float64, curveRows)
	}
	sum, squares := make([]float64, len(g.list)), make([]float64, len(g.list)) // of the values of each curve
	for from := 0; from < len(z); from += depth {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		count := min(depth, len(z)-from) // size of the block
		g.evaluate(curves, z[from:from+count])
		addMoments(curves, count, sum, squares)
		for l, y := range ys {
			copy(samples[l*depth:], y[from:from+count])
		}
		addDots(dots, curves, samples, count)
	}
	g.setMoments(sum, squares, len(z))
	return dots, nil
}

// setMoments sets g.sum and g.spread. sum[k] and squares[k] are the sum and the sum of squares of the n
// values of curve k.
func (g *starts) setMoments(sum, squares []float64, n int) {
	g.sum, g.spread = sum, make([]float64, len(sum))
	for k, total := range sum {
		g.spread[k] = squares[k] - total*total/float64(n)
	}
}

// evaluate sets row k of the matrix s to the logistic function of starting point k at the values z.
// Rows begin depth elements apart.
func (g *starts) evaluate(s, z []float64) {
	for k, a := range g.list {
		logistics(s[k*depth:][:len(z)], z, a.b0(), a.slope)
	}
}

// addMoments adds the sum of the first count elements of row k of s to sum[k], and the sum of their
// squares to squares[k].
func addMoments(s []float64, count int, sum, squares []float64) {
	for k := range sum {
		for _, v := range s[k*depth:][:count] {
			sum[k] += v
			squares[k] += v * v
		}
	}
}

// addDots adds the dot product of row k of s and row l of t to dots[l][k]. Rows begin depth elements
// apart, and only their first count elements are used. The number of rows of s must be a multiple of
// vecmath.TileRows, and the number of rows of t a multiple of vecmath.TileColumns.
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

// residualSquares returns the residual sum of squares of the best curve a0 + a1 s, where s is the
// logistic function of start k. dots[k] is the dot product of s and the sample y.
func (g *starts) residualSquares(k int, dots []float64, squaresOfY float64) float64 {
	if !varies(g.spread[k], g.sum[k]) {
		return squaresOfY
	}
	return squaresOfY - dots[k]*dots[k]/g.spread[k]
}

// varies reports whether the values of a logistic function differ by more than rounding errors.
// spread is the sum of their squared deviations from their mean, and sum is their sum.
func varies(spread, sum float64) bool { return spread > leastSpread*sum*sum }

// localMinima returns the starts that are local minima of the residual sum of squares, the best first.
// At a local minimum, no neighbour has a smaller sum.
func (g *starts) localMinima(dots []float64, squaresOfY float64) []int {
	left := make([]float64, len(g.list))
	for k := range left {
		left[k] = g.residualSquares(k, dots, squaresOfY)
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
