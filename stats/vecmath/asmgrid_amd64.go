//go:build amd64 && !purego

package vecmath

func correlateAsm(dst, src, taps []float64, step int) int {
	n := blocks(len(dst), 32)
	if n > 0 {
		correlateAVX2(&dst[0], &src[0], n, &taps[0], len(taps), step)
	}
	return n
}

// spreadWindowsAsm and readWindowsAsm report whether they computed all windows.
func spreadWindowsAsm(grid []float64, stride int, windows *Windows, bell *Bell) bool {
	if useAsm && len(windows.At) > 0 {
		spreadWindowsAVX2(&grid[0], stride, len(windows.At), &windows.At[0], &windows.Bells[0], bell)
	}
	return useAsm
}

func readWindowsAsm(dst, grid []float64, stride int, windows *Windows, bell *Bell) bool {
	if useAsm && len(windows.At) > 0 {
		readWindowsAVX2(&dst[0], &grid[0], stride, len(windows.At), &windows.At[0], &windows.Bells[0], bell)
	}
	return useAsm
}

//go:noescape
func spreadWindowsAVX2(grid *float64, stride, n int, at *int, bells *float64, bell *Bell)

//go:noescape
func readWindowsAVX2(dst, grid *float64, stride, n int, at *int, bells *float64, bell *Bell)

//go:noescape
func correlateAVX2(dst, src *float64, n int, taps *float64, count, step int)

// spreadPointsAsm reports whether it computed all points.
func spreadPointsAsm(grid []float64, stride int, points []Point, f *Shape) bool {
	if useAsm && len(points) > 0 {
		spreadPointsAVX2(&grid[0], stride, len(points), &points[0], f)
	}
	return useAsm
}

//go:noescape
func spreadPointsAVX2(grid *float64, stride, n int, points *Point, f *Shape)
