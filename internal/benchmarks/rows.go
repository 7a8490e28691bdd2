package main

// A row compares the times of copse and a reference program for one part of the benchmark.
type row struct {
	part      string
	title     string
	reference string     // name of the reference in times.csv; empty: copse alone
	scale     float64    // factor applied to the reference's time if only a fraction of the part was timed
	note      string     // note on this fraction or on the settings
	ratio     float64    // target: ratio reference / copse of at least this; 0: no target
	seconds   float64    // target: copse takes at most this long; 0: no target
	wall      bool       // elapsed time instead of processor time
	compare   comparison // compares the answers of both programs; nil: answers are not compared
}

// rows lists the parts of the comparison in the order of the table.
var rows = []row{
	{part: "slb-plug-in", title: "SLB, plug-in bandwidths, 5-fold CV of the threshold", reference: "ks",
		compare: numbersWithin(pairTolerance),
		scale:   pairStep,
		note:    "ks: time for 5 of the 190 pairs of variables, in both classes, multiplied by 38; densities only",
		ratio:   300},
	{part: "slb-refit", title: "SLB, normal reference, refit in every fold", reference: "R",
		compare: numbersWithin(featureTolerance),
		note:    "R: only the densities, without cross-validation", seconds: 0.5},
	{part: "svm-process", title: "RBF SVM, with startup, input and output", reference: "libsvm",
		compare: similarLabels,
		note:    "svm-train + svm-predict on scaled columns; copse classify", ratio: 1},
	{part: "svm", title: "RBF SVM, in process", reference: "e1071", compare: similarLabels},
	{part: "linear-svm-process", title: "linear SVM on 420 features, with startup, input and output",
		reference: "liblinear", compare: compareErrors,
		note: "hinge loss (-s 3 -B 1); most of the time is spent reading two files of 8 to 10 MB"},
	{part: "linear-svm-process", title: "linear SVM on 420 features, with startup, input and output",
		reference: "libsvm", compare: similarLabels},
	{part: "linear-svm", title: "linear SVM on 420 features, in process", reference: "liblinear",
		compare: compareErrors,
		note:    "its C library, the same loss", ratio: 1},
	{part: "linear-svm", title: "linear SVM on 420 features, in process", reference: "e1071", compare: similarLabels},
	{part: "5nn", title: "5NN", reference: "FNN", compare: sameLabels, ratio: 3},
	{part: "rf", title: "random forest, 50 trees", reference: "randomForest", compare: compareErrors, ratio: 1},
	{part: "rf", title: "random forest, 50 trees", reference: "ranger",
		compare: compareErrors, note: "one thread", ratio: 1},
	{part: "boosting", title: "boosting, 100 trees with 31 leaves", reference: "scikit-learn", compare: similarLabels,
		note: "HistGradientBoosting, the same penalty on leaves, one thread", ratio: 1},
	{part: "boosting", title: "boosting, 100 trees with 31 leaves", reference: "XGBoost", compare: compareErrors,
		note: "histograms, leaf-wise growth, one thread", ratio: 1},
	{part: "logistic", title: "lasso logistic regression on 420 features, 10-fold CV", reference: "glmnet",
		compare: compareErrors,
		ratio:   1},
	{part: "nb", title: "naive Bayes (kernel)", reference: "ks",
		compare: similarLabels, note: "binned, per column", ratio: 5},
	{part: "glasso-20", title: "graphical lasso, 20 variables, 20 penalties", reference: "glasso",
		compare: numbersWithin(lassoTolerance), ratio: 1},
	{part: "glasso-100", title: "graphical lasso, 100 variables, 20 penalties", reference: "glasso",
		compare: numbersWithin(lassoTolerance), ratio: 1},
	{part: "khrf", title: "KHRF training per class, 250 rows", seconds: 0.3},
	{part: "kbn", title: "KBN training per class, 250 rows", seconds: 5},
	{part: "kmrf", title: "KMRF training per class, 250 rows", seconds: 5},
	{part: "dcc", title: "DCC, 51 binary variables, 5000 rows, relative gap 1e-3", seconds: 3},
	{part: "5nn-large", title: "5NN, 100,000 rows", reference: "FNN",
		compare: similarLabels, note: "10,000 test rows", ratio: 1},
	{part: "5nn-large", title: "5NN, 100,000 rows", reference: "scikit-learn",
		compare: similarLabels, note: "10,000 test rows", ratio: 1},
	{part: "rf-large", title: "random forest, 50 trees, 100,000 rows", reference: "ranger", compare: compareErrors,
		note: "10,000 test rows, one thread", ratio: 1},
	{part: "rf-large", title: "random forest, 50 trees, 100,000 rows", reference: "scikit-learn",
		compare: compareErrors,
		note:    "10,000 test rows, one thread", ratio: 1},
	{part: "svm-large", title: "RBF SVM, 100,000 rows", reference: "e1071", compare: similarLabels,
		note: "libsvm, 10,000 test rows, a cache of 200 MB", ratio: 1},
	{part: "svm-large", title: "RBF SVM, 100,000 rows", reference: "scikit-learn", compare: similarLabels,
		note: "libsvm, 10,000 test rows, a cache of 200 MB", ratio: 1},
	{part: "qda-large", title: "quadratic discriminant analysis, 100,000 rows", reference: "MASS", compare: sameLabels,
		note: "10,000 test rows", ratio: 1},
	{part: "qda-large", title: "quadratic discriminant analysis, 100,000 rows", reference: "scikit-learn",
		compare: sameLabels,
		note:    "10,000 test rows", ratio: 1},
	{part: "5nn-overlap", title: "5NN, 100,000 rows, overlapping classes", reference: "scikit-learn",
		compare: similarLabels, note: overlapping,
		ratio: 1},
	{part: "rf-overlap", title: "random forest, 50 trees, 100,000 rows, overlapping classes", reference: "scikit-learn",
		compare: compareErrors,
		note:    overlapping, ratio: 1},
	{part: "boosting-overlap", title: "boosting, 100,000 rows, overlapping classes", reference: "scikit-learn",
		compare: compareErrors,
		note:    overlapping, ratio: 1},
	{part: "5nn-million", title: "5NN, a million rows", reference: "scikit-learn",
		compare: similarLabels, note: million, seconds: 240},
	{part: "rf-million", title: "random forest, 50 trees, a million rows", reference: "scikit-learn",
		compare: compareErrors,
		note:    million, seconds: 180},
	{part: "boosting-million", title: "boosting, a million rows", reference: "scikit-learn",
		compare: compareErrors, note: million,
		seconds: 180},
	{part: "logistic-million", title: "lasso logistic regression, 10-fold CV, a million rows",
		reference: "scikit-learn", note: million + "; its LogisticRegression has one penalty and no folds",
		seconds: 180},
	{part: "nb-million", title: "naive Bayes (kernel), a million rows", note: million, seconds: 180},
	{part: "lda-million", title: "linear discriminant analysis, a million rows", note: million, seconds: 180},
	{part: "qda-million", title: "quadratic discriminant analysis, a million rows", note: million, seconds: 180},
	{part: "lu-million", title: "LU, a million rows", note: million, seconds: 180},
	{part: "tan-million", title: "TAN, a million rows", note: million, seconds: 180},
	{part: "slb-million", title: "SLB, a million rows", note: million, seconds: 180},
	{part: "workers", title: "two workers", reference: "one-worker",
		note: "configs/quickstart.yaml with 200 replicates, wall time; one worker on one " +
			"core", ratio: 1.95, wall: true},
	{part: "workers", title: "two workers", reference: "two halves",
		note: "two concurrent processes that share nothing, each with one worker and half of the trials, " +
			"without the report", wall: true},
}

// Notes that several rows share.
const (
	overlapping = "a tenth of the labels wrong, 10,000 test rows, one thread"
	million     = "100,000 test rows, one thread"
)

// millionMemory is the memory limit for a fit to a million rows, in megabytes.
const millionMemory = 3000

// The last rows of the table show how long copse takes to reproduce the paper's tables. The literal
// reading contains the cells (settings) that the paper's text describes. The calibrated reading
// adds cells.
const (
	tablesLiteral    = "tables-text" // part with the cells of the literal reading
	tablesCalibrated = "tables-rest" // part with the further cells of the calibrated reading
	oneReplicate     = "-one"        // suffix of the parts with a single replicate
	tablesReplicates = 100
	literalMinutes   = 15.0   // time limit for the literal reading
	bothMinutes      = 30.0   // time limit for both readings together
	tablesMemory     = 1000.0 // megabytes
)

// pairStep is the step between the pairs of variables for which the R package ks estimates
// densities. The time of ks is multiplied by this step.
const pairStep = 38

// binaryTrain is the training set for the discrete Chebyshev classifier. Its values are level
// codes.
const binaryTrain = "binary.csv"
