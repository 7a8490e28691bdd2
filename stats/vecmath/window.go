package vecmath

import "fmt"

// WindowSize is the number of nodes of a window in each direction.
const WindowSize = 16

// Windows are squares of WindowSize x WindowSize nodes of a grid. The first node of window k is
// grid[At[k]]. Node (i, j), in row i and column j, has the weight u_i v_j. The factors are values
// of Gaussian functions,
//
//	u_i = A E^i c_i, v_j = B F^j c_j,
//
// where c is the same for all windows. If c_i = exp(-alpha (i-m)^2), the Gaussian function with centre m+t,
// exp(-alpha (i-m-t)^2), has E = exp(2 alpha t) and A = exp(-alpha t^2 - 2 alpha m t).
type Windows struct {
	At    []int
	Bells []float64 // A, E, B and F of window 0, then of window 1, ...
}

// bells returns the factors u_i and v_j of window k.
func (w *Windows) bells(k int, bell *Bell) (u, v [WindowSize]float64) {
	b := w.Bells[4*k:][:4]
	return weights(b[0], b[1], bell), weights(b[2], b[3], bell)
}

// A Bell contains the factors c_i in the weights of Windows.
type Bell [WindowSize]float64

// SpreadWindows adds the weights of each window to the nodes of the grid. A row of the grid has
// stride nodes.
func SpreadWindows(grid []float64, stride int, windows *Windows, bell *Bell) {
	checkWindows(grid, stride, windows)
	if useAsm {
		if len(windows.At) > 0 {
			spreadWindowsAVX2(&grid[0], stride, len(windows.At), &windows.At[0], &windows.Bells[0], bell)
		}
		return
	}
	for k, at := range windows.At {
		u, v := windows.bells(k, bell)
		for i, p := range u {
			row := (*[WindowSize]float64)(grid[at+i*stride:])
			for j := range row {
				row[j] = FMA(p, v[j], row[j])
			}
		}
	}
}

// ReadWindows sets dst[k] to the sum of the nodes of window k times their weights, sum_ij u_i v_j
// node_ij. A row of the grid has stride nodes.
func ReadWindows(dst, grid []float64, stride int, windows *Windows, bell *Bell) {
	checkLength(len(dst), len(windows.At))
	checkWindows(grid, stride, windows)
	if useAsm {
		if len(windows.At) > 0 {
			readWindowsAVX2(&dst[0], &grid[0], stride, len(windows.At), &windows.At[0], &windows.Bells[0], bell)
		}
		return
	}
	for k, at := range windows.At {
		u, v := windows.bells(k, bell)
		var columns [2][WindowSize]float64 // sum_i u_i node_ij over the even and over the odd rows i
		for i, weight := range u {
			row, sum := (*[WindowSize]float64)(grid[at+i*stride:]), &columns[i%2]
			for j := range sum {
				sum[j] = FMA(weight, row[j], sum[j])
			}
		}
		var lanes [4]float64
		for j := range v {
			lanes[j%4] = FMA(columns[0][j]+columns[1][j], v[j], lanes[j%4])
		}
		dst[k] = fold(&lanes)
	}
}

// weights returns a e^i c_i.
func weights(a, e float64, bell *Bell) (w [WindowSize]float64) {
	e2 := float64(e * e)
	e4 := float64(e2 * e2)
	power := [4]float64{a, float64(a * e), float64(a * e2), float64(a * float64(e2*e))}
	for i, c := range bell {
		w[i] = float64(power[i%4] * c)
		power[i%4] *= e4
	}
	return w
}

func checkWindows(grid []float64, stride int, windows *Windows) {
	checkLength(len(windows.Bells), 4*len(windows.At))
	room := len(grid) - (WindowSize-1)*stride - WindowSize
	for _, at := range windows.At {
		if at < 0 || at > room {
			panic(fmt.Sprintf("vecmath: the window at node %d leaves the grid of %d nodes, %d per row",
				at, len(grid), stride))
		}
	}
}
