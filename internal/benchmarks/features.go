package main

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// densityFloor replaces smaller densities before logarithms are taken. slb has the same default for
// its parameter floor.
const densityFloor = 1e-10

// productFeatures estimates densities from train and returns their logarithms at the rows of each
// matrix in xs. Bandwidths follow the normal reference rule.
//
// The columns of the results are ordered by class. In each class, the densities of single variables
// come before the densities of pairs.
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

// classFeatures writes the log densities of a class at the rows of x to out. In out, single
// variables come before pairs of variables. columns[j] contains the training values of variable j.
func classFeatures(columns [][]float64, x, out *mat.Dense) error {
	n, d := x.Dims()
	for j, column := range columns {
		density, err := kde.NormalReference.Density(column)
		if err != nil {
			return err
		}
		for r := range n {
			out.Set(r, j, kde.Log(density.At(x.At(r, j)), densityFloor))
		}
	}
	_, features := out.Dims()
	ofPairs := out.Slice(0, n, d, features).(*mat.Dense) // shares the memory of out
	return pairFeatures(columns, x, ofPairs)
}

// pairFeatures writes the log densities of all pairs of variables at the rows of x to out. The
// density of a pair is the mean of a product of two Gaussian kernels over the training rows.
func pairFeatures(columns [][]float64, x, out *mat.Dense) error {
	h := make([]float64, len(columns)) // bandwidths, which differ from those for single variables
	for j, column := range columns {
		bandwidth, err := kde.NormalReference.ProductBandwidth(column)
		if err != nil {
			return err
		}
		h[j] = bandwidth
	}
	pairs := stats.Pairs(len(columns))
	trainingRows := len(columns[0])
	sums := kde.ProductPairs(columns, h, pairs, kde.Whole(trainingRows)) // all rows form one part
	var memory kde.ProductMemory
	n, _ := x.Dims()
	for r := range n {
		kernelSums := sums.SumsAt(&memory, x.RawRowView(r))[0] // of the only part
		for q := range pairs {
			sum := kernelSums[sums.Place(q)]                      // SumsAt does not keep the order of pairs
			density := sum * sums.Norm(q) / float64(trainingRows) // the kernels in sum are 1 at their peaks
			out.Set(r, q, kde.Log(density, densityFloor))
		}
	}
	return nil
}
