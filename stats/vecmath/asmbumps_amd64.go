//go:build amd64 && !purego

package vecmath

import "unsafe"

func bumpsAsm(sums, y, x []float64, stride, count, i, last int, edge *float64, b *Bumps) bool {
	switch {
	case useAVX512:
		bumpsAVX512(&sums[0], &y[0], unsafe.SliceData(x), stride, count, i, last, edge, b)
	case useAsm:
		bumpsAVX2(&sums[0], &y[0], unsafe.SliceData(x), stride, count, i, last, edge, b)
	}
	return useAsm
}

func addBumpAsm(sum, d []float64, q float64, lanes *[BumpLanes]float64) bool {
	switch {
	case useAVX512:
		addBumpAVX512(&sum[0], &d[0], len(d), q, lanes)
	case useAsm:
		addBumpAVX2(&sum[0], &d[0], len(d), q, lanes)
	}
	return useAsm
}

func distancesAsm(d, x []float64, stride, count int) bool {
	switch {
	case useAVX512:
		distancesAVX512(&d[0], len(d), &x[0], stride, count)
	case useAsm:
		distancesAVX2(&d[0], len(d), &x[0], stride, count)
	}
	return useAsm
}

//go:noescape
func bumpsAVX512(sums, y, x *float64, stride, count, i, last int, edges *float64, b *Bumps)

//go:noescape
func bumpsAVX2(sums, y, x *float64, stride, count, i, last int, edges *float64, b *Bumps)

//go:noescape
func addBumpAVX512(sum, d *float64, n int, q float64, lanes *[BumpLanes]float64)

//go:noescape
func addBumpAVX2(sum, d *float64, n int, q float64, lanes *[BumpLanes]float64)

//go:noescape
func distancesAVX512(d *float64, n int, x *float64, stride, count int)

//go:noescape
func distancesAVX2(d *float64, n int, x *float64, stride, count int)
