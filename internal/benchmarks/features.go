package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// densityFloor replaces smaller densities before logarithms are taken. slb has the same default for
// its parameter floor.
const densityFloor = 1e-10

// logDensities estimates the densities of all variables and pairs in each class of train, with
// bandwidths by the normal reference rule. It returns their logarithms at the rows of x.
//
// The columns of the result are ordered by class. In each class, variables come before pairs.
func logDensities(train *dataset.Set, x *mat.Dense) (*mat.Dense, error) {
	var features [][]float64
	for c := range train.C() {
		columns := train.Columns(train.ClassRows(c))
		for j, column := range columns {
			density, err := kde.NormalReference.Density(column)
			if err != nil {
				return nil, err
			}
			values := mat.Col(nil, j, x)
			logs := make([]float64, len(values))
			density.LogAll(logs, values)
			features = append(features, logs)
		}
		for _, pair := range stats.Pairs(train.D()) {
			h, err := kde.NormalReference.Bandwidth2(columns[pair.I], columns[pair.J])
			if err != nil {
				return nil, err
			}
			features = append(features, pairLogDensity(columns, pair, h, x))
		}
	}
	return matrix(features, func(log float64) float64 { return max(log, math.Log(densityFloor)) }), nil
}

// matrix applies f to each element of the columns and returns them as a matrix.
func matrix(columns [][]float64, f func(float64) float64) *mat.Dense {
	m := mat.NewDense(len(columns[0]), len(columns), nil)
	m.Apply(func(i, k int, _ float64) float64 { return f(columns[k][i]) }, m)
	return m
}

// pairLogDensity returns the log density of a pair of variables at the rows of x. columns[j]
// contains the training values of variable j.
func pairLogDensity(columns [][]float64, pair stats.Pair, h kde.H2, x *mat.Dense) []float64 {
	n, _ := x.Dims()
	logs := make([]float64, n)
	for r := range logs {
		logs[r] = kde.Tail2(columns[pair.I], columns[pair.J], h, x.At(r, pair.I), x.At(r, pair.J))
	}
	return logs
}

// featureAnswers returns the log densities at the training rows and then at the test rows, for the
// comparison with R.
func featureAnswers(train, test *dataset.Set) (*mat.Dense, error) {
	return logDensities(train, stacked(train.X, test.X))
}

// pairAnswers returns densities at the training rows and then at the test rows, for the comparison
// with ks. The columns are every pairStep-th pair of variables, class by class.
func pairAnswers(train, test *dataset.Set) (*mat.Dense, error) {
	x := stacked(train.X, test.X)
	var logs [][]float64 // log densities of each pair
	for c := range train.C() {
		columns, pairs := train.Columns(train.ClassRows(c)), stats.Pairs(train.D())
		for q := 0; q < len(pairs); q += pairStep {
			h, err := kde.Hpi(columns[pairs[q].I], columns[pairs[q].J], false) // as in ks
			if err != nil {
				return nil, err
			}
			logs = append(logs, pairLogDensity(columns, pairs[q], h, x))
		}
	}
	return matrix(logs, math.Exp), nil
}

func stacked(a, b *mat.Dense) *mat.Dense {
	var both mat.Dense
	both.Stack(a, b)
	return &both
}
