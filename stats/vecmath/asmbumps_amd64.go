//go:build amd64 && !purego

package vecmath

import "unsafe"

func setBumpsAsm(t *BumpTile, y, x []float64, stride, count int, p [2]float64) bool {
	set := setBumpsAVX2
	if useAVX512 {
		set = setBumpsAVX512
	}
	if useAsm {
		set(&t.distances[0], &y[0], unsafe.SliceData(x), stride, count, t.i, t.j, t.width, t.firstKernel(), p[0], p[1])
	}
	return useAsm
}

func addBumpsAsm(t *BumpTile, first, second []float64, lanes *BumpLanes, z []float64, q float64) bool {
	add := addBumpsAVX2
	if useAVX512 {
		add = addBumpsAVX512
	}
	if useAsm {
		add(&t.distances[0], &first[0], &second[0], lanes, &z[0], t.j-t.i, t.width, t.firstKernel(), q)
	}
	return useAsm
}

//go:noescape
func setBumpsAVX512(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64)

//go:noescape
func setBumpsAVX2(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64)

//go:noescape
func addBumpsAVX512(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64)

//go:noescape
func addBumpsAVX2(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64)
