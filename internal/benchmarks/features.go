package main

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// densityFloor is the smallest density whose logarithm is taken. It is also the default of slb.
const densityFloor = 1e-10

// productFeatures returns log densities at the rows of each matrix in xs. The columns are ordered
// by class, with variables before pairs. Bandwidths follow the normal reference rule.
func productFeatures(train *dataset.Set, xs ...*mat.Dense) ([]*mat.Dense, error) {
	d := train.D()
	perClass := d + d*(d-1)/2
	out := make([]*mat.Dense, len(xs))
	for i, x := range xs {
		n, _ := x.Dims()
		out[i] = mat.NewDense(n, perClass*train.C(), nil)
	}
	for c := range train.C() {
		columns := train.Columns(train.ClassRows(c))
		for i, x := range xs {
			n, _ := x.Dims()
			ofClass := out[i].Slice(0, n, c*perClass, (c+1)*perClass).(*mat.Dense) // shares the memory of out[i]
			if err := classFeatures(columns, x, ofClass); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// classFeatures writes the log densities of a class at the rows of x to out. Variables come before
// pairs. columns[j] contains the training values of variable j.
func classFeatures(columns [][]float64, x, out *mat.Dense) error {
	n, d := x.Dims()
	h := make([]float64, d) // bandwidths for pairs, which differ from those for single variables
	for j, column := range columns {
		density, err := kde.NormalReference.Density(column)
		if err != nil {
			return err
		}
		if h[j], err = kde.NormalReference.ProductBandwidth(column); err != nil {
			return err
		}
		for r := range n {
			out.Set(r, j, kde.Log(density.At(x.At(r, j)), densityFloor))
		}
	}
	pairs := allPairs(d)
	rows := len(columns[0])
	sums := kde.ProductPairs(columns, h, pairs, kde.Whole(rows)) // a single part with all rows
	var memory kde.ProductMemory
	for r := range n {
		kernelSums := sums.SumsAt(&memory, x.RawRowView(r))[0] // kernel sums over the rows of the single part
		for q := range pairs {
			sum := kernelSums[sums.Place(q)] // ProductPairs has reordered the pairs
			// The mean of the kernel values, times their norm, is the density.
			out.Set(r, d+q, kde.Log(sum*sums.Norm(q)/float64(rows), densityFloor))
		}
	}
	return nil
}

// allPairs returns the pairs (0,1), (0,2), ..., (d-2,d-1).
func allPairs(d int) []kde.Pair {
	var pairs []kde.Pair
	for i := range d {
		for j := i + 1; j < d; j++ {
			pairs = append(pairs, kde.Pair{I: i, J: j})
		}
	}
	return pairs
}
