package vecmath

// A Point lies near the centre of a window of WindowSize x WindowSize nodes of a grid. The first node of the
// window is grid[At]. Row and Column are the signed distances of the point from the centre of the window, in
// grid steps, between -1/2 and 1/2.
type Point struct {
	At          int
	Row, Column float64
}

// A Shape is an even function f of the distance from a point, in grid steps. Between the distances i and
// i+1, i = 0..7, it is a polynomial:
//
//	f(i+1/2+t) = sum_k even_ki t^2k + t sum_k odd_ki t^2k, |t| <= 1/2.
//
// Element k of a Shape contains even_k0, ..., even_k7, odd_k0, ..., odd_k7.
type Shape [ShapeTerms][WindowSize]float64

// ShapeTerms is the number of coefficients of each polynomial of a Shape.
const ShapeTerms = 10

// SpreadPoints adds f(a) f(b) to each node in the window of each point. a and b are the row
// distance and the column distance of the node from the point. A row of the grid has stride nodes.
func SpreadPoints(grid []float64, stride int, points []Point, f *Shape) {
	for i := range points { // panics here, and not in assembly, if a window leaves the grid
		_ = grid[points[i].At:][:(WindowSize-1)*stride+WindowSize]
	}
	if useAsm {
		if len(points) > 0 {
			spreadPointsAVX2(&grid[0], stride, len(points), &points[0], f)
		}
		return
	}
	for k := range points {
		p := &points[k]
		rowWeights, columnWeights := f.weights(p.Row), f.weights(p.Column)
		for i, weight := range rowWeights {
			row := (*[WindowSize]float64)(grid[p.At+i*stride:])
			for j := range row {
				row[j] = FMA(weight, columnWeights[j], row[j])
			}
		}
	}
}

// weights returns f at the nodes of a window, for a point that lies t steps beyond the centre of the window.
func (f *Shape) weights(t float64) (w [WindowSize]float64) {
	const half = WindowSize / 2
	sums, q := f[ShapeTerms-1], t*t
	for k := ShapeTerms - 2; k >= 0; k-- {
		for i, c := range f[k] {
			sums[i] = FMA(sums[i], q, c)
		}
	}
	for i, even := range sums[:half] {
		odd := sums[half+i]
		w[half-1-i] = FMA(t, odd, even)
		w[half+i] = FMA(-t, odd, even)
	}
	return w
}
