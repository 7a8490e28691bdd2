package classifiers

import (
	"cmp"
	_ "embed"
	"fmt"

	"copse/classifiers/chebyshev"
	"copse/classifiers/classics"
	"copse/classifiers/densities"
	"copse/classifiers/machines"
	"copse/classifiers/networks"
	"copse/classifiers/randomfields"
	"copse/stats/recipe"
)

// A Spec describes a classifier and the data that it accepts.
type Spec struct {
	recipe.Entry[Classifier]
	Oldest        int  // oldest version that a study can select; 0: only Version
	MaxClasses    int  // largest number of classes; 0: no limit
	Discrete      bool // the classifier accepts discrete attributes
	Indicators    bool // it replaces a discrete attribute by one indicator column per level
	OneKind       bool // the attributes must be all numeric or all discrete
	Missing       bool // the classifier accepts missing values
	Probabilities bool // the fitted rules have Probabilities
}

type entry = recipe.Entry[Classifier]

// Registry lists all classifiers in the order in which help texts and documentation list them.
var Registry = recipe.Registry[Spec]{
	{Oldest: 3, MaxClasses: 2, Entry: entry{
		Name: "slb", Label: "SLB", Version: 5, New: asClassifier(densities.NewSLB),
		Summary: "linear SVM on the log densities of all variables and of the pairs that it finds to be dependent",
		Source:  "Tenzer et al. (2020), Algorithm 1",
	}},
	{Oldest: 3, MaxClasses: 2, Entry: entry{
		Name: "slb-", Label: "SLB-", Version: 4, New: asClassifier(densities.NewSLBMinus),
		Summary: "SLB with all pairs of variables instead of the dependent ones",
		Source:  "Tenzer et al. (2020), section 5.1.2",
	}},
	{Probabilities: true, Entry: entry{
		Name: "slb-l1", Label: "SLB-l1", Version: 3, New: asClassifier(densities.NewSLBL1),
		Summary: "lasso logistic regression on the log densities of all variables and pairs",
		Source:  "Tenzer et al. (2020), section 6; Zhu et al. (2004); Neumann et al. (2005)",
	}},
	{MaxClasses: 2, Entry: entry{
		Name: "slb-l1-svm", Label: "SLB-l1 (SVM)", Version: 2, New: asClassifier(densities.NewSLBL1SVM),
		Summary: "l1-regularised linear SVM on the log densities of all variables and pairs",
		Source:  "Tenzer et al. (2020), section 6; Zhu et al. (2004); Neumann et al. (2005)",
	}},
	{Oldest: 2, MaxClasses: 2, Entry: entry{
		Name: "lu", Label: "LU", Version: 3, New: asClassifier(densities.NewLU),
		Summary: "linear SVM on the log densities of all variables",
		Source:  "Tenzer et al. (2020), section 5; Fan et al. (2016)",
	}},
	{MaxClasses: 2, Probabilities: true, Entry: entry{
		Name: "fans", Label: "FANS", Version: 2, New: asClassifier(densities.NewFANS),
		Summary: "mean, over random splits, of lasso logistic regressions on the log density ratios of all variables",
		Source:  "Fan et al. (2016)",
	}},
	{MaxClasses: 2, Probabilities: true, Entry: entry{
		Name: "fans2", Label: "FANS2", Version: 2, New: asClassifier(densities.NewFANS2),
		Summary: "FANS on the log density ratios and the variables themselves",
		Source:  "Fan et al. (2016)",
	}},
	{Oldest: 2, Discrete: true, Missing: true, Probabilities: true, Entry: entry{
		Name: "nb", Label: "NB", Version: 3, New: asClassifier(networks.NewNB),
		Summary: "naive Bayes with kernel densities and relative frequencies",
		Source:  "Tenzer et al. (2020), section 5; Duda and Hart (1973)",
	}},
	{Oldest: 4, Discrete: true, OneKind: true, Probabilities: true, Entry: entry{
		Name: "tan", Label: "TAN", Version: 6, New: asClassifier(networks.NewTAN),
		Summary: "tree-augmented naive Bayes with kernel densities or relative frequencies",
		Source:  "Tenzer et al. (2020), section 5; Friedman et al. (1997)",
	}},
	{Discrete: true, Probabilities: true, Entry: entry{
		Name: "chow-liu", Label: "Chow-Liu", Version: 2, New: asClassifier(networks.NewChowLiu),
		Summary: "a dependence tree of discretised variables for each class",
		Source:  "Chow and Liu (1968)",
	}},
	{MaxClasses: 2, Discrete: true, Entry: entry{
		Name: "tan-discriminative", Label: "Discriminative trees", Version: 1,
		New:     asClassifier(networks.NewTANDiscriminative),
		Summary: "boosted dependence trees, one per class and round, to separate the classes; discretised variables",
		Source:  "Tan et al. (2010)",
	}},
	{Probabilities: true, Entry: entry{
		Name: "markov-chain", Label: "Markov chain", Version: 2, New: asClassifier(networks.NewMarkovChain),
		Summary: "kernel densities of Markov chains, which visit the variables in the same order in all classes",
		Source:  "Park et al. (2011)",
	}},
	{Discrete: true, Indicators: true, Probabilities: true, Entry: entry{
		Name: "knn", Label: "k-NN", Version: 1, New: asClassifier(classics.NewKNN),
		Summary: "k nearest neighbours by Euclidean distance",
		Source:  "Fix and Hodges (1951); R's FNN::knn",
	}},
	{Oldest: 1, Discrete: true, Indicators: true, Probabilities: true, Entry: entry{
		Name: "5nn", Label: "5-NN", Version: 2, New: asClassifier(classics.NewFiveNN),
		Summary: "k nearest neighbours, under the name used in Tenzer et al. (2020)",
		Source:  "R's FNN::knn",
	}},
	{Oldest: 1, Discrete: true, Indicators: true, Entry: entry{
		Name: "svm", Label: "SVM", Version: 2, New: asClassifier(machines.NewSVM),
		Summary: "support vector machine",
		Source:  "Chang and Lin (2011); R's e1071",
	}},
	{Oldest: 1, Discrete: true, Indicators: true, Missing: true, Probabilities: true, Entry: entry{
		Name: "rf", Label: "RF", Version: 2, New: asClassifier(classics.NewForest),
		Summary: "random forest",
		Source:  "Breiman (2001); R's randomForest",
	}},
	{Discrete: true, Indicators: true, Missing: true, Probabilities: true, Entry: entry{
		Name: "boosting", Label: "Boosting", Version: 1, New: asClassifier(classics.NewBoosting),
		Summary: "gradient-boosted trees on binned columns",
		Source:  "Friedman (2001); Ke et al. (2017); scikit-learn's HistGradientBoosting",
	}},
	{Oldest: 1, Discrete: true, Indicators: true, Entry: entry{
		Name: "svm-cv", Label: "SVM (CV)", Version: 3, New: asClassifier(machines.NewSVMCV),
		Summary: "support vector machine with cost and kernel parameter chosen by cross-validation",
		Source:  "Elidan (2012), section 5; Hsu and Lin (2002)",
	}},
	{Probabilities: true, Entry: entry{
		Name: "lda", Label: "LDA", Version: 1, New: asClassifier(classics.NewLDA),
		Summary: "linear discriminant analysis",
		Source:  "Venables and Ripley (2002), section 12.1; R's MASS",
	}},
	{Probabilities: true, Entry: entry{
		Name: "qda", Label: "QDA", Version: 2, New: asClassifier(classics.NewQDA),
		Summary: "quadratic discriminant analysis",
		Source:  "Venables and Ripley (2002), section 12.1; R's MASS",
	}},
	{Discrete: true, Indicators: true, Probabilities: true, Entry: entry{
		Name: "logistic", Label: "Logistic", Version: 3, New: asClassifier(classics.NewLogistic),
		Summary: "logistic regression, by default with the lasso penalty",
		Source:  "Friedman et al. (2010); R's cv.glmnet",
	}},
	{MaxClasses: 2, Discrete: true, Indicators: true, Entry: entry{
		Name: "mpm", Label: "MPM", Version: 1, New: asClassifier(machines.NewMPM),
		Summary: "linear minimax probability machine",
		Source:  "Lanckriet et al. (2002), Theorem 2",
	}},
	{Oldest: 2, Discrete: true, Missing: true, Entry: entry{
		Name: "dcc", Label: "DCC", Version: 4, New: asClassifier(chebyshev.NewDCC),
		Summary: "discrete Chebyshev classifier with the smallest worst-case hinge loss given pairwise marginals",
		Source:  "Eban et al. (2014), Eq. 24",
	}},
	{Oldest: 2, Discrete: true, Missing: true, Entry: entry{
		Name: "gdcc", Label: "gDCC", Version: 3, New: asClassifier(chebyshev.NewGreedyDCC),
		Summary: "discrete Chebyshev classifier on a greedily grown tree",
		Source:  "Eban et al. (2014), section 8.2",
	}},
	{Oldest: 2, Discrete: true, Indicators: true, Missing: true, Entry: entry{
		Name: "svm-mean", Label: "SVM (means)", Version: 4, New: asClassifier(machines.NewSVMMean),
		Summary: "linear support vector machine with column means in place of missing values",
		Source:  "Eban et al. (2014), section 8.3",
	}},
	{Oldest: 2, Discrete: true, Indicators: true, Missing: true, Entry: entry{
		Name: "avg-w", Label: "avg-w", Version: 4, New: asClassifier(machines.NewAvgW),
		Summary: "linear support vector machine for incomplete rows, with an averaged norm",
		Source:  "Eban et al. (2014), section 8.3; Chechik et al. (2008)",
	}},
	{Oldest: 2, Discrete: true, Indicators: true, Missing: true, Entry: entry{
		Name: "geom", Label: "geom", Version: 4, New: asClassifier(machines.NewGeom),
		Summary: "linear support vector machine for incomplete rows, whose margins leave out missing features",
		Source:  "Eban et al. (2014), section 8.3; Chechik et al. (2008)",
	}},
	{Probabilities: true, Entry: entry{
		Name: "cnc", Label: "CNC", Version: 3, New: asClassifier(networks.NewCNC),
		Summary: "tree-augmented copula network with Gaussian and Clayton copulas and kernel estimates of the margins",
		Source:  "Elidan (2012), Eqs. 2-4",
	}},
	{Probabilities: true, Entry: entry{
		Name: "cnc-gaussian", Label: "CNC (Gaussian)", Version: 3, New: asClassifier(networks.NewGaussianCNC),
		Summary: "copula network with Gaussian copulas only",
		Source:  "Elidan (2012), Eqs. 2-4",
	}},
	{Probabilities: true, Entry: entry{
		Name: "lingauss-tan", Label: "Linear TAN", Version: 2, New: asClassifier(networks.NewLinearGaussTAN),
		Summary: "tree-augmented naive Bayes with linear Gaussian conditionals",
		Source:  "Elidan (2012), section 5",
	}},
	{Probabilities: true, Entry: entry{
		Name: "sigmoid-tan", Label: "Sigmoid TAN", Version: 2, New: asClassifier(networks.NewSigmoidTAN),
		Summary: "tree-augmented naive Bayes with sigmoid Gaussian conditionals",
		Source:  "Elidan (2012), section 5",
	}},
	{Oldest: 2, Entry: entry{
		Name: "khrf", Label: "KHRF", Version: 3, New: asClassifier(randomfields.NewKHRF),
		Summary: "kernel-based hybrid random field, learnt by Markov blanket merging",
		Source:  "Freno et al. (2010), Eqs. 1-15, Algorithm 1",
	}},
	{Oldest: 2, Probabilities: true, Entry: entry{
		Name: "kbn", Label: "KBN", Version: 3, New: asClassifier(randomfields.NewKBN),
		Summary: "kernel-based Bayesian network, learnt by a greedy search",
		Source:  "Freno et al. (2010), section 6.2; Hofmann and Tresp (1995)",
	}},
	{Oldest: 2, Entry: entry{
		Name: "kmrf", Label: "KMRF", Version: 3, New: asClassifier(randomfields.NewKMRF),
		Summary: "kernel-based Markov random field, learnt by a greedy search",
		Source:  "Freno et al. (2010), section 6.2; Hofmann and Tresp (1997)",
	}},
	{Oldest: 1, Entry: entry{
		Name: "gmrf", Label: "GMRF", Version: 2, New: asClassifier(randomfields.NewGMRF),
		Summary: "Gaussian Markov random field whose graph is estimated by the graphical lasso",
		Source:  "Freno et al. (2010), section 6.2; Friedman et al. (2008)",
	}},
	{Oldest: 3, Entry: entry{
		Name: "npmrf", Label: "NPMRF", Version: 4, New: asClassifier(randomfields.NewNPMRF),
		Summary: "nonparanormal Markov random field whose graph is estimated by the graphical lasso",
		Source:  "Freno et al. (2010), section 6.2; Liu et al. (2009); Freno (2012)",
	}},
	{Oldest: 3, MaxClasses: 2, Entry: entry{
		Name: "forestdens", Label: "ForestDens", Version: 4, New: asClassifier(densities.NewForestDens),
		Summary: "linear SVM on the log densities of all variables and all pairs",
		Source:  "Dorn et al. (2018), Figure 2",
	}},
}

// asClassifier converts a constructor of a concrete type to a constructor of a Classifier.
func asClassifier[C Classifier](construct func() C) func() Classifier {
	return func() Classifier { return construct() }
}

//go:embed defaults.txt
var defaultsText string

// First returns the oldest version that a study can select.
func (s Spec) First() int { return cmp.Or(s.Oldest, s.Version) }

// NewVersion returns a recipe with the defaults of the given version, or an error if a study cannot
// select this version.
func (s Spec) NewVersion(version int) (Classifier, error) {
	if version < s.First() || version > s.Version {
		return nil, fmt.Errorf("%d is outside [%d,%d], the versions of %s that a study can select",
			version, s.First(), s.Version, s.Name)
	}
	made := s.New()
	if version < s.Version {
		made.(pinnable).Pin(version)
	}
	return made, nil
}

// A pinnable recipe has more than one version. It embeds method.Revision.
type pinnable interface {
	Pin(version int) // sets an older version and its defaults
	Pinned() int
}

// VersionOf returns the version that a recipe of the classifier uses.
func (s Spec) VersionOf(made Classifier) int {
	if versioned, ok := made.(pinnable); ok {
		return cmp.Or(versioned.Pinned(), s.Version) // Pinned returns 0 if no version was pinned
	}
	return s.Version
}

var defaults = recipe.MustParseDefaults(defaultsText)

// Defaults returns the default parameters of a version of a classifier, such as svm/1. It returns
// nil for an unknown version.
func Defaults(version string) map[string]string { return defaults[version] }

// Recipe returns the canonical text of a recipe. It omits parameters with the default values of the
// recipe's version. Recipes are equal if and only if their canonical texts are equal.
func (s Spec) Recipe(made Classifier) string {
	return defaults.Canonical(s.Name, s.VersionOf(made), made)
}
