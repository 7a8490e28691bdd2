package svm

import "copse/stats/vecmath"

// A Kernel is a function K(x, z) of two rows that depends only on <x, z>, <x, x> and <z, z>.
type Kernel interface {
	// apply replaces each dots[j] = <x, z_j> by K(x, z_j). xx is <x, x>, and zz[j] is <z_j, z_j>.
	apply(dots []float64, xx float64, zz []float64)
}

// Linear is the kernel <x, z>.
type Linear struct{}

func (Linear) apply([]float64, float64, []float64) {}

// RBF is the kernel exp(-Gamma |x-z|^2).
type RBF struct{ Gamma float64 }

func (k RBF) apply(dots []float64, xx float64, zz []float64) {
	for j, dot := range dots {
		square := max(0, xx+zz[j]-2*dot) // |x-z|^2; rounding could make it negative
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
