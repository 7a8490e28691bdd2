package classifiers

import "reflect"

// Registry lists every classifier in the papers' order.
var Registry = []Spec{
	{Name: "slb", Label: "SLB", Summary: "linear SVM on the log densities of all variables and the dependent pairs", Source: "Tenzer et al. (2020), Algorithm 1", Version: 3, MaxClasses: 2, New: of(NewSLB)},
	{Name: "slb-", Label: "SLB-", Summary: "SLB without its filter: all pairs", Source: "Tenzer et al. (2020), section 5.1.2", Version: 3, MaxClasses: 2, New: of(NewSLBMinus)},
	{Name: "slb-l1", Label: "SLB-l1", Summary: "lasso logistic regression on the log densities of all variables and pairs", Source: "Tenzer et al. (2020), section 6; Zhu et al. (2004); Neumann et al. (2005)", Version: 2, Probabilities: true, New: of(NewSLBL1)},
	{Name: "slb-l1-svm", Label: "SLB-l1 (SVM)", Summary: "l1-regularised linear SVM on the log densities of all variables and pairs", Source: "Tenzer et al. (2020), section 6; Zhu et al. (2004); Neumann et al. (2005)", Version: 2, MaxClasses: 2, New: of(NewSLBL1SVM)},
	{Name: "lu", Label: "LU", Summary: "linear SVM on the log densities of all variables", Source: "Tenzer et al. (2020), section 5; Fan et al. (2016)", Version: 2, MaxClasses: 2, New: of(NewLU)},
	{Name: "fans", Label: "FANS", Summary: "lasso logistic regression on the log density ratios of all variables, averaged over random halves", Source: "Fan et al. (2016)", Version: 2, MaxClasses: 2, Probabilities: true, New: of(NewFANS)},
	{Name: "fans2", Label: "FANS2", Summary: "FANS with the variables beside their log density ratios", Source: "Fan et al. (2016)", Version: 2, MaxClasses: 2, Probabilities: true, New: of(NewFANS2)},
	{Name: "nb", Label: "NB", Summary: "naive Bayes with kernel densities and relative frequencies", Source: "Tenzer et al. (2020), section 5; Duda and Hart (1973)", Version: 2, Discrete: true, Probabilities: true, New: of(NewNB)},
	{Name: "tan", Label: "TAN", Summary: "tree-augmented naive Bayes with kernel densities or relative frequencies", Source: "Tenzer et al. (2020), section 5; Friedman et al. (1997)", Version: 4, Discrete: true, Probabilities: true, New: of(NewTAN)},
	{Name: "chow-liu", Label: "Chow-Liu", Summary: "a tree of discretised variables for each class", Source: "Chow and Liu (1968)", Version: 1, Discrete: true, Probabilities: true, New: of(NewChowLiu)},
	{Name: "tan-discriminative", Label: "Discriminative trees", Summary: "boosted pairs of trees of discretised variables, learnt to tell the classes apart", Source: "Tan et al. (2010)", Version: 1, MaxClasses: 2, Discrete: true, New: of(NewTANDiscriminative)},
	{Name: "markov-chain", Label: "Markov chain", Summary: "one Markov chain of the variables for all classes, with kernel densities", Source: "Park et al. (2011)", Version: 1, Probabilities: true, New: of(NewMarkovChain)},
	{Name: "5nn", Label: "5-NN", Summary: "nearest neighbours in Euclidean distance", Source: "FNN::knn", Version: 1, Discrete: true, Probabilities: true, New: of(NewKNN)},
	{Name: "svm", Label: "SVM", Summary: "support vector machine with a radial kernel on standardised columns", Source: "Chang and Lin (2011); e1071's defaults", Version: 1, Discrete: true, New: of(NewSVM)},
	{Name: "rf", Label: "RF", Summary: "random forest", Source: "Breiman (2001); R's randomForest", Version: 1, Discrete: true, Probabilities: true, New: of(NewForest)},
	{Name: "boosting", Label: "Boosting", Summary: "gradient-boosted trees on binned columns", Source: "Friedman (2001); Ke et al. (2017); scikit-learn's HistGradientBoosting", Version: 1, Discrete: true, Probabilities: true, New: of(NewBoosting)},
	{Name: "svm-cv", Label: "SVM (CV)", Summary: "support vector machine, cost and kernel chosen by cross-validation", Source: "Elidan (2012), section 5; Hsu and Lin (2002)", Version: 1, Discrete: true, New: of(NewSVMCV)},
	{Name: "lda", Label: "LDA", Summary: "linear discriminant analysis", Source: "Venables and Ripley (2002), section 12.1; R's MASS", Version: 1, Probabilities: true, New: of(NewLDA)},
	{Name: "qda", Label: "QDA", Summary: "quadratic discriminant analysis", Source: "Venables and Ripley (2002), section 12.1; R's MASS", Version: 1, Probabilities: true, New: of(NewQDA)},
	{Name: "logistic", Label: "Logistic", Summary: "logistic regression with the elastic net penalty, chosen by cross-validation", Source: "Friedman et al. (2010); R's cv.glmnet", Version: 2, Discrete: true, Probabilities: true, New: of(NewLogistic)},
	{Name: "mpm", Label: "MPM", Summary: "linear minimax probability machine", Source: "Lanckriet et al. (2002), Theorem 2", Version: 1, MaxClasses: 2, Discrete: true, New: of(NewMPM)},
	{Name: "dcc", Label: "DCC", Summary: "discrete Chebyshev classifier: least worst-case hinge loss given all pairwise marginals", Source: "Eban et al. (2014), Eq. 24", Version: 2, Discrete: true, Missing: true, New: of(NewDCC)},
	{Name: "gdcc", Label: "gDCC", Summary: "discrete Chebyshev classifier on a greedily grown tree", Source: "Eban et al. (2014), section 8.2", Version: 2, Discrete: true, Missing: true, New: of(NewGreedyDCC)},
	{Name: "svm-mean", Label: "SVM (means)", Summary: "linear support vector machine, column means for missing values, cost chosen by cross-validation", Source: "Eban et al. (2014), section 8.3", Version: 2, Discrete: true, Missing: true, New: of(NewSVMMean)},
	{Name: "avg-w", Label: "avg-w", Summary: "linear support vector machine with the averaged norm of incomplete rows", Source: "Eban et al. (2014), section 8.3; Chechik et al. (2008)", Version: 2, Discrete: true, Missing: true, New: of(NewAvgW)},
	{Name: "geom", Label: "geom", Summary: "linear support vector machine with the instance margins of incomplete rows", Source: "Eban et al. (2014), section 8.3; Chechik et al. (2008)", Version: 2, Discrete: true, Missing: true, New: of(NewGeom)},
	{Name: "cnc", Label: "CNC", Summary: "copula network: tree-augmented naive Bayes with Gaussian and Clayton copulas on kernel margins", Source: "Elidan (2012), Eqs. 2-4", Version: 3, Probabilities: true, New: of(NewCNC)},
	{Name: "cnc-gaussian", Label: "CNC (Gaussian)", Summary: "copula network with Gaussian copulas only", Source: "Elidan (2012), Eqs. 2-4", Version: 3, Probabilities: true, New: of(NewGaussianCNC)},
	{Name: "lingauss-tan", Label: "Linear TAN", Summary: "tree-augmented naive Bayes with linear Gaussian conditionals", Source: "Elidan (2012), section 5", Version: 2, Probabilities: true, New: of(NewLinearGaussTAN)},
	{Name: "sigmoid-tan", Label: "Sigmoid TAN", Summary: "tree-augmented naive Bayes with sigmoid Gaussian conditionals", Source: "Elidan (2012), section 5", Version: 2, Probabilities: true, New: of(NewSigmoidTAN)},
	{Name: "khrf", Label: "KHRF", Summary: "kernel-based hybrid random field, Markov blanket merging", Source: "Freno et al. (2010), Eqs. 1-15, Algorithm 1", Version: 2, New: of(NewKHRF)},
	{Name: "kbn", Label: "KBN", Summary: "kernel-based Bayesian network, leave-one-out hill climbing", Source: "Freno et al. (2010), section 6.2; Hofmann and Tresp (1995)", Version: 2, Probabilities: true, New: of(NewKBN)},
	{Name: "kmrf", Label: "KMRF", Summary: "kernel-based Markov random field, greedy pseudo-likelihood", Source: "Freno et al. (2010), section 6.2; Hofmann and Tresp (1997)", Version: 2, New: of(NewKMRF)},
	{Name: "gmrf", Label: "GMRF", Summary: "Gaussian Markov random field on a graphical lasso", Source: "Freno et al. (2010), section 6.2; Friedman et al. (2008)", Version: 1, New: of(NewGMRF)},
	{Name: "npmrf", Label: "NPMRF", Summary: "nonparanormal Markov random field on a graphical lasso", Source: "Freno et al. (2010), section 6.2; Liu et al. (2009); Freno (2012)", Version: 3, New: of(NewNPMRF)},
	{Name: "forestdens", Label: "ForestDens", Summary: "linear SVM on all log densities, not standardised", Source: "Dorn et al. (2018), Figure 2", Version: 3, MaxClasses: 2, New: of(NewForestDens)},
}

func of[C Classifier](made func() C) func() Classifier { return func() Classifier { return made() } }

// specOf returns the entry of a recipe's type.
func specOf(recipe Classifier) (*Spec, bool) {
	for i := range Registry {
		if reflect.TypeOf(Registry[i].New()) == reflect.TypeOf(recipe) {
			return &Registry[i], true
		}
	}
	return nil, false
}

// Lookup returns the entry of the given name.
func Lookup(name string) (Spec, bool) {
	for _, s := range Registry {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}
