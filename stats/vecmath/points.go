package vecmath

// A Point lies between the nodes of a grid, in the middle of a window of WindowSize x WindowSize
// nodes, rows first, whose first node is grid[At]. Row and Column, from -1/2 to 1/2, are its
// distances from the centre of the window, in steps.
type Point struct {
	At          int
	Row, Column float64
}

// A Shape is an even function f of the distance from a point in steps, as
// polynomials: f(i+1/2+t) = sum_k even_ki t^2k + t sum_k odd_ki t^2k for i = 0..7 and
// |t| <= 1/2. Each term k has the eight even_ki, then the eight odd_ki.
type Shape [ShapeTerms][WindowSize]float64

// ShapeTerms is the number of coefficients of each polynomial of a Shape.
const ShapeTerms = 10

// SpreadPoints adds f(a) f(b) to the nodes of each point's window of a grid whose
// rows have stride nodes, a and b being the distances of the node from the point.
func SpreadPoints(grid []float64, stride int, points []Point, f *Shape) {
	for i := range points {
		_ = grid[points[i].At:][:(WindowSize-1)*stride+WindowSize]
	}
	if spreadPointsAsm(grid, stride, points, f) {
		return
	}
	for i := range points {
		p := &points[i]
		u, v := f.weights(p.Row), f.weights(p.Column)
		for i, w := range u {
			row := (*[WindowSize]float64)(grid[p.At+i*stride:])
			for j := range row {
				row[j] = FMA(w, v[j], row[j])
			}
		}
	}
}

// weights returns f at the nodes of a window whose centre the point is t beyond.
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
