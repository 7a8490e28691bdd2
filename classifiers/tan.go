package classifiers

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/tree"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/mutual"
)

// Which tree of variables a class of TAN has.
const (
	treePerClass = "per-class" // its own, from its own mutual information
	treeShared   = "shared"    // one for all, from the mean over classes given the class
	treePooled   = "pooled"    // one for all, from the sample without labels
)

// TAN is the tree-augmented naive Bayes classifier as Tenzer et al. (2020),
// section 5, set it up: Friedman et al. (1997) with kernel densities. In each
// class the density is that of a tree T (their Eq. 3),
//
//	log p(x) = sum_i log p(x_i) + sum_{(i,j) in T} [log p(x_i,x_j) - log p(x_i) - log p(x_j)],
//
// with T the maximum spanning tree (Chow and Liu 1968) of the kernel mutual
// information of R's mpmi; the rule is Bayes'.
type TAN struct {
	Tree        string  `param:"tree" doc:"one tree per class, one from the classes' mean mutual information, or one from the pooled sample's" enum:"per-class,shared,pooled"`
	Information string  `param:"information" doc:"mutual information: mpmi's raw estimate or its jackknife bias correction" enum:"mi,bcmi"`
	Bandwidth   string  `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"plug-in,normal-reference"`
	Floor       float64 `param:"floor" doc:"least density before the logarithm" range:"(0,inf)"`
	Priors      string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewTAN returns the paper's setting; what it leaves open are the estimate of
// the information, the floor and the priors.
func NewTAN() *TAN {
	return &TAN{Tree: treePerClass, Information: "mi", Bandwidth: string(kde.PlugIn), Floor: 1e-10, Priors: trainingPriors}
}

// Fit learns the trees, then the densities that they need.
func (s *TAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	if err := checkTraining("tan", train); err != nil {
		return nil, err
	}
	trees, err := s.trees(ctx, train)
	if err != nil {
		return nil, fmt.Errorf("tan: %w", err)
	}
	// Each log density's weight in its class's sum: 1 for an edge, 1 - degree for
	// a variable.
	entries := univariateEntries(train.C(), train.D())
	weights := make([]float64, len(entries))
	for k := range weights {
		weights[k] = 1
	}
	for c, edges := range trees {
		for _, e := range edges {
			entries = append(entries, densityEntry{c, e.I, e.J})
			weights = append(weights, 1)
			weights[c*train.D()+e.I]--
			weights[c*train.D()+e.J]--
		}
	}
	densities, err := fitLogDensities(ctx, train, kde.Rule(s.Bandwidth), s.Floor, entries)
	if err != nil {
		return nil, fmt.Errorf("tan: %w", err)
	}
	return weightedBayes(logPriors(train, s.Priors), densities, weights), nil
}

// trees returns the edges of each class's tree.
func (s *TAN) trees(ctx context.Context, train *dataset.Set) ([][]tree.Edge, error) {
	if s.Tree == treePooled {
		all, err := s.information(ctx, train, head(train.N()))
		if err != nil {
			return nil, err
		}
		return sameTree(tree.Maximum(all), train.C()), nil
	}
	trees := make([][]tree.Edge, train.C())
	mean := mat.NewSymDense(train.D(), nil)
	for c := range trees {
		rows := train.ClassRows(c)
		m, err := s.information(ctx, train, rows)
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
		}
		trees[c] = tree.Maximum(m)
		m.ScaleSym(float64(len(rows))/float64(train.N()), m)
		mean.AddSym(mean, m)
	}
	if s.Tree == treeShared {
		return sameTree(tree.Maximum(mean), train.C()), nil
	}
	return trees, nil
}

func sameTree(edges []tree.Edge, classes int) [][]tree.Edge {
	trees := make([][]tree.Edge, classes)
	for c := range trees {
		trees[c] = edges
	}
	return trees
}

// information returns the mutual information of all pairs of variables among
// the given rows.
func (s *TAN) information(ctx context.Context, train *dataset.Set, rows []int) (*mat.SymDense, error) {
	columns := train.Columns(rows)
	bandwidths := make([]float64, len(columns))
	for j, x := range columns {
		h, err := kde.DPIK(x, 3, kde.Epanechnikov)
		if err != nil {
			return nil, fmt.Errorf("mutual information of column %q: %w", train.Attributes[j].Name, err)
		}
		bandwidths[j] = h
	}
	return mutual.Matrix(ctx, columns, bandwidths, s.Information == "bcmi")
}
