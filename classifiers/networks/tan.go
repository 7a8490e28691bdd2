package networks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/mutual"
)

// Values of TAN.Tree.
const (
	treePerClass = "per-class" // one tree per class
	treeShared   = "shared"    // one tree for all classes, from the mean mutual information in the classes
	treePooled   = "pooled"    // one tree for all classes, from the mutual information without labels
)

// Values of TAN.FloorOf.
const (
	floorOfClass = "class" // standard deviations of the columns in the class
	floorOfData  = "data"  // units of the data
)

// TAN is the tree-augmented naive Bayes classifier of Friedman et al. (1997). It applies Bayes'
// rule to the density p of each class. A tree T connects the variables, and (i,j) are its edges
// (Tenzer et al. 2020, Eq. 3):
//
//	log p(x) = sum_i log p(x_i) + sum_{(i,j) in T} [log p(x_i,x_j) - log p(x_i) - log p(x_j)],
//
// where T is the maximum spanning tree of the mutual information (Chow and Liu 1968). The variables
// must be all numeric or all discrete.
//
// For numeric variables, the classifier follows Tenzer et al., section 5. It uses kernel densities,
// the kernel mutual information of R's mpmi, and a tree for each class.
//
// For the mutual information of variables i and j, let u be the distance of two rows in variable i.
// The kernel of the two rows is max(0, 1-(u/h_i)^2) with the bandwidth h_i. For a given row, s_i is
// the sum of its n kernels with all rows, and s_j is the same sum in variable j. s_ij is the sum of
// the products of the kernels in i and in j. The mutual information is the mean over all rows of
//
//	log(n s_ij/(s_i s_j)).
//
// The bandwidth h_i follows KernSmooth's dpik, with level 3 and the kernel above.
//
// For discrete variables, the densities are relative frequencies with pseudo-rows. The mutual
// information is computed without pseudo-rows.
//
// With tree: shared, all classes have the same tree, learnt from the mutual information given the
// class. This is the TAN of Friedman et al., which Eban et al. (2014), section 8.1, use.
//
// The estimates of p(x_i) and p(x_j) in the brackets of Eq. 3 depend on the parameter floor:
//
//   - Without a floor, they are the margins of the estimate of p(x_i,x_j). The estimates in the
//     first sum have narrower bandwidths and could make a row far from all rows of the class look
//     probable.
//   - With a floor (max(p, c) in Tenzer et al., Remark 1), they are the estimates in the first sum,
//     as printed in the paper. The floor then prevents this problem.
//
// A tiny floor and no floor therefore give different estimates. With floor_of: data, the floor is
// in the units of the data, as printed in the paper.
//
// The tree leaves out edges with zero mutual information. If edges have the same mutual
// information, the contents of the columns decide. The result therefore does not depend on the
// order or units of columns, nor on the names of levels. Nor does it depend on the signs of
// columns, because the plug-in bandwidths use the smallest and the largest values alike.
//
// If two variables are linearly dependent in a class, the plug-in rule gives no bandwidth matrix.
// Their density then has a product kernel with the bandwidths of normal-reference.
//
// Earlier versions differ in these points:
//
//   - Version 4 keeps edges with zero mutual information. If edges have the same mutual
//     information, the order of columns decides. The bandwidths are computed without the largest
//     values, as in KernSmooth and ks.
//   - Before version 6, a column that is constant in one class could have a wider density in this
//     class than in the other classes.
type TAN struct {
	method.Revision
	// trees to learn. `per-class`: a separate tree for each class. `shared`: one tree from the
	// mutual information given the class. `pooled`: one tree from the mutual information without
	// class labels
	Tree string `param:"tree" enum:"per-class,shared,pooled"`
	// estimate of the mutual information of numeric variables: the raw estimate of the R package
	// mpmi (`mi`), or its estimate with jackknife bias correction (`bcmi`)
	Information string `param:"information" enum:"mi,bcmi"`
	// largest number of rows used to estimate mutual information by kernels; if there are more, a
	// random sample is used
	MaxRows int `param:"max_rows" range:"[3,inf)"`
	// rule for choosing the bandwidths of numeric variables
	Bandwidth string `param:"bandwidth" enum:"plug-in,normal-reference"`
	// number of pseudo-rows to add to each class, for discrete variables only. Each table of
	// frequencies spreads them evenly over its cells. A table has one cell for each level of a
	// variable, or for each pair of levels of two variables
	PseudoRows float64 `param:"pseudo_rows" range:"[0,inf)"`
	// lower bound on each density or frequency before its logarithm is taken, in the units of
	// `floor_of`. 0 means no bound. For numeric variables without a bound, the densities p(x_i) and
	// p(x_j) in the brackets of Eq. 3 (Tenzer et al. 2020) are margins of the estimate of
	// p(x_i,x_j)
	Floor float64 `param:"floor" range:"[0,inf)"`
	// units of `floor`: the standard deviations of the columns in the class (`class`), or the units
	// of the data (`data`)
	FloorOf string `param:"floor_of" enum:"class,data"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// The kernel estimate of mutual information takes quadratic time, so it uses a sample of at most
// MaxRows rows. With the default MaxRows, sampling adds an error of about 0.01 nats to the estimate
// for two variables with correlation 0.6.

// NewTAN returns a TAN as in Tenzer et al. (2020). The paper states neither the priors nor whether
// the estimates of mutual information are corrected for bias. NewTAN uses the class proportions and
// uncorrected estimates.
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

// Validate returns an error if PseudoRows and Floor are both 0. Levels without training rows would
// then have probability 0.
func (s *TAN) Validate() error { return checkUnseen("pseudo_rows", s.PseudoRows, s.Floor) }

// Fit returns Bayes' rule for the densities of Eq. 3. It uses rng to sample MaxRows rows if there
// are more.
func (s *TAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	scaled := columns.InModerateUnits(train) // for the mutual information; estimator.fit scales extreme values itself
	trees, err := s.trees(ctx, scaled, rng)
	if err != nil {
		return nil, err
	}
	marginRatios := s.usesMarginRatios(train)
	parts, err := s.estimator(marginRatios).fit(ctx, train, treeTerms(trees, train.D(), marginRatios))
	if err != nil {
		return nil, err
	}
	return sumBayes(train, s.Priors, parts, columns.NoMissing), nil
}

// usesMarginRatios reports whether the denominators in Eq. 3 are margins of the bivariate
// estimates, not univariate estimates.
//
// Univariate estimates have narrower kernels, so the ratios could be huge far from all rows, unless
// there is a floor. For discrete variables, margins and univariate estimates are equal.
func (s *TAN) usesMarginRatios(train *dataset.Set) bool {
	isNumeric := train.Attributes[0].Kind == dataset.Numeric // all attributes have the same kind
	return s.Floor == 0 && isNumeric
}

func (s *TAN) estimator(marginRatios bool) densityEstimator {
	return densityEstimator{
		Options: logdensity.Options{
			Rule:        s.rule(),
			Narrow:      !s.BeforeVersion(6), // since version 6, constant variables of a class have narrow kernels
			Floor:       s.Floor,
			FloorOfData: s.FloorOf == floorOfData,
		},
		// All tables get the same number of pseudo-rows, so that their margins agree.
		pseudo: func(cells int) float64 { return s.PseudoRows / float64(cells) },
		ratios: marginRatios,
	}
}

// treeTerms returns the terms of the log density in Eq. 3 for each class c: one for each variable
// and one for each edge of trees[c]. The weight of an edge is 1. The weight of a variable is 1
// minus the number of its edges, or 1 if marginRatios is true.
func treeTerms(trees [][]spanning.Edge, d int, marginRatios bool) []term {
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

func (s *TAN) rule() kde.Rule {
	if rule := kde.Rule(s.Bandwidth); rule != kde.PlugIn || s.BeforeVersion(5) {
		return rule
	}
	return kde.SymmetricPlugIn
}

// trees returns the edges of each class's tree, the maximum spanning tree for mutual information.
// Since version 5, edges with zero mutual information are left out.
func (s *TAN) trees(ctx context.Context, train *dataset.Set, rng *rand.Rand) ([][]spanning.Edge, error) {
	information, err := s.treeInformation(ctx, train, rng) // a matrix for each tree
	if err != nil {
		return nil, err
	}
	var trees [][]spanning.Edge
	for _, m := range information {
		if s.BeforeVersion(5) {
			trees = append(trees, spanning.Maximum(m))
			continue
		}
		// The contents of the columns, not their order, break ties.
		trees = append(trees, spanning.Informative(m, func() []int { return columns.ContentRanks(train) }))
	}
	if s.Tree != treePerClass {
		trees = slices.Repeat(trees, train.C()) // all classes have the same tree
	}
	return trees, nil
}

// treeInformation returns a matrix of mutual information for each class, or a single matrix if all
// classes share a tree. It uses rng to sample rows of large classes.
func (s *TAN) treeInformation(ctx context.Context, train *dataset.Set, rng *rand.Rand) ([]*mat.SymDense, error) {
	if s.Tree == treePooled {
		pooled, err := s.information(ctx, train, stats.Indices(train.N()), rng) // from all rows
		return []*mat.SymDense{pooled}, err
	}
	classes := make([]*mat.SymDense, train.C())
	mean := mat.NewSymDense(train.D(), nil) // mean of classes, weighted by their numbers of rows
	// The order decides which random numbers each class uses. Older versions have another order.
	for _, c := range crossval.ClassOrder(train.Y, train.C(), crossval.ClassesByCodeIf(s.BeforeVersion(5))) {
		rows := train.ClassRows(c)
		m, err := s.information(ctx, train, rows, rng)
		if err != nil {
			return nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
		}
		classes[c] = m
		var weighted mat.SymDense
		weighted.ScaleSym(float64(len(rows))/float64(train.N()), m)
		mean.AddSym(mean, &weighted)
	}
	if s.Tree == treeShared {
		return []*mat.SymDense{mean}, nil
	}
	return classes, nil
}

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

// kernelInformation returns the d x d matrix of mutual information, estimated with kernels.
// values[j] contains the values of variable j.
func (s *TAN) kernelInformation(
	ctx context.Context, attributes []dataset.Attribute, values [][]float64,
) (*mat.SymDense, error) {
	includeMax := true // bandwidths use all values, so that they do not depend on the signs of columns
	rounding := 1e-12  // relative range up to which a column counts as constant
	if s.BeforeVersion(5) {
		includeMax = false // bandwidths omit the largest value, as in KernSmooth
		rounding = 0
	}
	bandwidths := make([]float64, len(values))
	for j, x := range values {
		low, high := slices.Min(x), slices.Max(x)
		if high-low <= rounding*max(math.Abs(low), math.Abs(high)) {
			bandwidths[j] = 1 // a constant column has zero mutual information for any bandwidth
			continue
		}
		h, err := kde.EpanechnikovBandwidth(x, includeMax)
		if err != nil {
			return nil, fmt.Errorf("mutual information of column %q: %w", attributes[j].Name, err)
		}
		bandwidths[j] = h
	}
	jackknife := s.Information == "bcmi" // the bias-corrected estimate
	return mutual.Matrix(ctx, values, bandwidths, jackknife)
}
