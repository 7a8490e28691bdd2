package svm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/internal/vecmath"
)

// A Kernel is a function of two rows that depends on them through their dot
// product and their squared lengths alone.
type Kernel interface {
	// apply replaces each dots[j] = <x, z_j> by K(x, z_j), given xx = <x, x> and
	// zz[j] = <z_j, z_j>.
	apply(dots []float64, xx float64, zz []float64)
}

// Linear is the kernel <x, z>.
type Linear struct{}

func (Linear) apply([]float64, float64, []float64) {}

// RBF is the kernel exp(-Gamma |x-z|^2).
type RBF struct{ Gamma float64 }

func (k RBF) apply(dots []float64, xx float64, zz []float64) {
	for j, dot := range dots {
		square := max(0, xx+zz[j]-2*dot) // rounding can take it below zero
		dots[j] = -k.Gamma * square
	}
	vecmath.Exp(dots, dots)
}

// Polynomial is the kernel (Gamma <x, z> + Coef0)^Degree.
type Polynomial struct {
	Gamma, Coef0 float64
	Degree       int
}

func (k Polynomial) apply(dots []float64, _ float64, _ []float64) {
	for j, dot := range dots {
		base, power := k.Gamma*dot+k.Coef0, 1.0
		for range k.Degree {
			power *= base
		}
		dots[j] = power
	}
}

// points are n rows of d values with their squared lengths.
type points struct {
	x  *mat.Dense // n x d
	zz []float64
}

func newPoints(x *mat.Dense) *points {
	n, _ := x.Dims()
	p := &points{x: x, zz: make([]float64, n)}
	for i := range n {
		row := x.RawRowView(i)
		p.zz[i] = floats.Dot(row, row)
	}
	return p
}

func (p *points) n() int { return len(p.zz) }

// kernel writes K(x, row j) to dst[j] for every row.
func (p *points) kernel(k Kernel, dst, x []float64) {
	blas64.Gemv(blas.NoTrans, 1, p.x.RawMatrix(), blas64.Vector{N: len(x), Inc: 1, Data: x}, 0,
		blas64.Vector{N: len(dst), Inc: 1, Data: dst})
	k.apply(dst, floats.Dot(x, x), p.zz)
}
