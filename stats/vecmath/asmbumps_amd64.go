//go:build amd64 && !purego

package vecmath

import "unsafe"

func bumpsAsm(sums, y, x []float64, stride, count, i, near, last int, edge *float64, b *Bumps) bool {
	switch {
	case useAVX512:
		bumpsAVX512(&sums[0], &y[0], unsafe.SliceData(x), stride, count, i, near, last, edge, b)
	case useAsm:
		bumpsAVX2(&sums[0], &y[0], unsafe.SliceData(x), stride, count, i, near, last, edge, b)
	}
	return useAsm
}

func bumpAsm(sums, x []float64, stride, count, i, last int, edge *float64, q float64, lanes *[BumpLanes]float64) bool {
	switch {
	case useAVX512:
		bumpAVX512(&sums[0], unsafe.SliceData(x), stride, count, i, last, edge, q, lanes)
	case useAsm:
		bumpAVX2(&sums[0], unsafe.SliceData(x), stride, count, i, last, edge, q, lanes)
	}
	return useAsm
}

//go:noescape
func bumpsAVX512(sums, y, x *float64, stride, count, i, near, last int, edges *float64, b *Bumps)

//go:noescape
func bumpsAVX2(sums, y, x *float64, stride, count, i, near, last int, edges *float64, b *Bumps)

//go:noescape
func bumpAVX512(sums, x *float64, stride, count, i, last int, edges *float64, q float64, lanes *[BumpLanes]float64)

//go:noescape
func bumpAVX2(sums, x *float64, stride, count, i, last int, edges *float64, q float64, lanes *[BumpLanes]float64)
