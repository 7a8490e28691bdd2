package networks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/tree"
	"copse/classifiers/method"
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

// Units of the columns whose density the floor bounds.
const (
	floorOfClass = "class" // standard deviations in the class
	floorOfData  = "data"  // the units of the data
)

// TAN is the tree-augmented naive Bayes classifier of Friedman et al. (1997). It applies Bayes'
// rule to the density of a tree T in each class (Tenzer et al. 2020, Eq. 3),
//
//	log p(x) = sum_i log p(x_i) + sum_{(i,j) in T} [log p(x_i,x_j) - log p(x_i) - log p(x_j)],
//
// where T is the maximum spanning tree of the mutual information (Chow and Liu 1968). Either all
// variables are numeric or all are discrete.
//
// Numeric variables follow Tenzer et al., section 5: kernel densities, the kernel mutual
// information of R's mpmi, and a tree for each class. The mutual information is the mean over rows
// of log(n s_ij/(s_i s_j)). Here s_i is the sum over all n rows of the kernel max(0, 1-(u/h_i)^2)
// at the distance u from the row, s_ij is the sum of the products of two kernels, and h_i is the
// bandwidth dpik of KernSmooth, level 3, for this kernel. Discrete variables have relative
// frequencies with pseudo-rows; their mutual information uses frequencies without pseudo-rows.
// With tree: shared all classes have one tree, from the mutual information given the class. This
// is the TAN of Friedman et al., to which Eban et al. (2014), section 8.1, refer.
//
// Without a floor the single densities in the brackets are the margins of the bivariate estimate.
// The univariate estimates of the first sum have narrower bandwidths: in the brackets, they could
// make a row that is far from a class in all variables look probable. A floor can have the same effect,
// the max(p, c) of Tenzer et al. (Remark 1). With a floor, Eq. 3 has its univariate densities as
// printed; floor_of: data bounds the densities in the units of the data, as printed. So a tiny
// floor gives another estimate than no floor.
//
// The tree leaves out edges without information. Of edges with equal information, the edge whose
// columns come first by their contents wins, so that the order and units of columns and the names
// of levels do not matter. The plug-in bandwidths use all values, so that the signs of columns do
// not matter. Version 4 has a spanning tree, breaks ties by the order of columns, and leaves the
// largest values out of the bandwidths, as KernSmooth and ks do.
type TAN struct {
	method.Revision
	Tree        string  `param:"tree" doc:"a tree per class, one tree from the mutual information given the class (shared), or one from the sample without classes (pooled)" enum:"per-class,shared,pooled"`
	Information string  `param:"information" doc:"mutual information of numeric variables: mpmi's raw estimate or its jackknife bias correction" enum:"mi,bcmi"`
	MaxRows     int     `param:"max_rows" doc:"largest number of rows for a kernel estimate of the mutual information; more rows are sampled at random" range:"[3,inf)"`
	Bandwidth   string  `param:"bandwidth" doc:"bandwidth rule of the densities of numeric variables" enum:"plug-in,normal-reference"`
	PseudoRows  float64 `param:"pseudo_rows" doc:"rows added to each class, spread evenly over the levels of a discrete variable and the pairs of levels of two" range:"[0,inf)"`
	Floor       float64 `param:"floor" doc:"smallest density or frequency before the logarithm, in the units of floor_of; 0: no floor, and brackets from the bivariate estimate alone" range:"[0,inf)"`
	FloorOf     string  `param:"floor_of" doc:"units of the columns for the floor: their standard deviations in the class, or the units of the data" enum:"class,data"`
	Priors      string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// The kernel information takes time quadratic in the rows, so it uses at most MaxRows of them.
// The error that this adds has the standard deviation s/sqrt(MaxRows), where s is the standard
// deviation of log p(x_i,x_j)/(p(x_i)p(x_j)) over rows: about 0.01 nats for normal variables with
// a correlation of 0.6.

// NewTAN returns the setting of Tenzer et al. (2020). The paper does not state the estimate of the
// information and the priors.
func NewTAN() *TAN {
	return &TAN{
		Tree:        treePerClass,
		Information: "mi",
		MaxRows:     10000,
		Bandwidth:   string(kde.PlugIn),
		PseudoRows:  1,
		FloorOf:     floorOfClass,
		Priors:      method.TrainingPriors,
	}
}

// Validate reports a setting in which unseen levels have no logarithm.
func (s *TAN) Validate() error { return checkUnseen("pseudo_rows", s.PseudoRows, s.Floor) }

// Fit learns the trees, then the densities that they need.
func (s *TAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	for _, a := range train.Attributes {
		if first := train.Attributes[0]; a.Kind != first.Kind {
			return nil, fmt.Errorf("needs attributes of one kind, but of %q and %q one is numeric and one is "+
				"discrete: cut the numeric ones into levels or leave one kind out", first.Name, a.Name)
		}
	}
	trees, err := s.trees(ctx, columns.Moderate(train), rng)
	if err != nil {
		return nil, err
	}
	// Without a floor, the brackets of Eq. 3 divide by the margins of the bivariate density.
	marginRatios := s.Floor == 0 && train.Attributes[0].Kind == dataset.Numeric
	how := estimates{
		bandwidth: s.rule(),
		// One pseudo-row for each table, so that the tables agree on the frequencies of a variable.
		pseudo: func(cells int) float64 { return s.PseudoRows / float64(cells) },
		floor:  logdensity.Floor{Density: s.Floor, OfData: s.FloorOf == floorOfData},
		ratios: marginRatios,
	}
	parts, err := how.fit(ctx, train, treeTerms(trees, train.D(), marginRatios))
	if err != nil {
		return nil, err
	}
	return sumBayes(train, s.Priors, parts, false), nil
}

// treeTerms returns the terms of Eq. 3 for the tree of each class. An edge and a variable have
// weight 1. Unless brackets divide by margins of their own, each bracket takes 1 off the weights of
// its variables.
func treeTerms(trees [][]tree.Edge, d int, marginRatios bool) []term {
	terms := univariateTerms(len(trees), d) // variable v of class c is term c*d + v
	for c, edges := range trees {
		for _, e := range edges {
			terms = append(terms, term{logdensity.Entry{Class: c, I: e.I, J: e.J}, 1})
			if !marginRatios {
				terms[c*d+e.I].weight--
				terms[c*d+e.J].weight--
			}
		}
	}
	return terms
}

// rule returns the bandwidth rule of the densities.
func (s *TAN) rule() kde.Rule {
	if rule := kde.Rule(s.Bandwidth); rule != kde.PlugIn || s.Before(5) {
		return rule
	}
	return kde.SymmetricPlugIn
}

// trees returns the edges of each class's tree.
func (s *TAN) trees(ctx context.Context, train *dataset.Set, rng *rand.Rand) ([][]tree.Edge, error) {
	if s.Tree == treePooled {
		information, err := s.information(ctx, train, columns.Head(train.N()), rng)
		if err != nil {
			return nil, err
		}
		return sameTree(s.spanningTree(information, train), train.C()), nil
	}
	trees := make([][]tree.Edge, train.C())
	mean := mat.NewSymDense(train.D(), nil) // over classes, weighted by their rows
	for _, c := range modelsel.ClassOrder(train.Y, train.C(), s.Before(5)) {
		rows := train.ClassRows(c)
		information, err := s.information(ctx, train, rows, rng)
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
		}
		trees[c] = s.spanningTree(information, train)
		information.ScaleSym(float64(len(rows))/float64(train.N()), information)
		mean.AddSym(mean, information)
	}
	if s.Tree == treeShared {
		return sameTree(s.spanningTree(mean, train), train.C()), nil
	}
	return trees, nil
}

// spanningTree returns the maximum spanning tree of the mutual information between the columns of
// train. Only versions before 5 keep edges without information.
func (s *TAN) spanningTree(information mat.Symmetric, train *dataset.Set) []tree.Edge {
	if s.Before(5) {
		return tree.Maximum(information)
	}
	return tree.Informative(information, func() []int { return columns.ContentRanks(train) })
}

// sameTree returns the edges once for each class.
func sameTree(edges []tree.Edge, classes int) [][]tree.Edge {
	trees := make([][]tree.Edge, classes)
	for c := range trees {
		trees[c] = edges
	}
	return trees
}

// information returns the mutual information of all pairs of variables among
// the given rows.
func (s *TAN) information(ctx context.Context, train *dataset.Set, rows []int, rng *rand.Rand) (*mat.SymDense, error) {
	if train.Attributes[0].Kind == dataset.Discrete {
		levels := make([]int, train.D())
		for j, a := range train.Attributes {
			levels[j] = len(a.Levels)
		}
		return mutual.Discrete(ctx, train.Columns(rows), levels)
	}
	rows = dataset.SampleRows(rows, s.MaxRows, rng)
	return s.kernelInformation(ctx, train.Attributes, train.Columns(rows))
}

// kernelInformation returns the kernel mutual information of all pairs of columns.
func (s *TAN) kernelInformation(
	ctx context.Context, attributes []dataset.Attribute, columns [][]float64,
) (*mat.SymDense, error) {
	bandwidthOf, rounding := kde.SymmetricDPIK, 1e-12 // rounding: spread of a constant column, relative
	if s.Before(5) {
		bandwidthOf, rounding = kde.DPIK, 0
	}
	bandwidths := make([]float64, len(columns))
	for j, x := range columns {
		low, high := slices.Min(x), slices.Max(x)
		if high-low <= rounding*max(math.Abs(low), math.Abs(high)) {
			bandwidths[j] = 1 // a constant column has no information at any bandwidth
			continue
		}
		h, err := bandwidthOf(x, 3, kde.Epanechnikov)
		if err != nil {
			return nil, fmt.Errorf("mutual information of column %q: %w", attributes[j].Name, err)
		}
		bandwidths[j] = h
	}
	return mutual.Matrix(ctx, columns, bandwidths, s.Information == "bcmi")
}
