package metrics

import "math"

// Registry lists every metric.
var Registry = []Metric{
	{
		Name: "error", Label: "test error", Unit: Share, High: 1, Needs: Counts,
		Source: "misclassified share of the test rows", counts: errorRate,
	},
	{
		Name: "accuracy", Label: "test accuracy", Unit: Share, Higher: true, High: 1, Needs: Counts,
		Source: "1 - error", counts: func(c Confusion, _ int) float64 { return 1 - errorRate(c, 0) },
	},
	{
		Name: "ber", Label: "balanced test error", Unit: Share, High: 1, Needs: Counts,
		Source: "mean over the classes with test rows of 1 - sensitivity", counts: balancedError,
	},
	{
		Name: "sensitivity", Label: "sensitivity", Unit: Share, Higher: true, High: 1, Needs: Counts, PerClass: true,
		Source: "share of a class's rows that are given to it; also recall. CLASS is the class's name, or its " +
			"code from 0 on",
		counts: sensitivity,
	},
	{
		Name: "precision", Label: "precision", Unit: Share, Higher: true, High: 1, Needs: Counts, PerClass: true,
		Source: "share of the rows given to a class that are of it, 0 when none is; scikit-learn's " +
			"precision_score. CLASS as above",
		counts: precision,
	},
	{
		Name: "f1", Label: "macro F1", Higher: true, High: 1, Needs: Counts,
		Source: "mean over the classes of 2 TP / (2 TP + FP + FN); scikit-learn's f1_score, average='macro'",
		counts: macroF1,
	},
	{
		Name: "mcc", Label: "Matthews correlation", Higher: true, Low: -1, High: 1, Needs: Counts,
		Source: "Matthews (1975); for more classes Gorodkin (2004); 0 when truth or prediction is constant",
		counts: matthews,
	},
	{
		Name: "kappa", Label: "Cohen's kappa", Higher: true, Low: -1, High: 1, Needs: Counts,
		Source: "Cohen (1960); none when truth and prediction are the same one class", counts: kappa,
	},
	{
		Name: costName, Label: "cost", High: math.Inf(1), Needs: Counts, PerClass: true,
		Source: "EXPRESSION over the confusion matrix, smaller is better, such as " +
			"(5*n(sick,healthy)+n(healthy,sick))/n: n is the number of test rows, n(TRUE,PREDICTED) a count, " +
			"_ means all classes; Elkan (2001)",
	},
	{
		Name: "log_loss", Label: "log loss", Unit: "nats", High: -math.Log(leastProbability), Needs: Probabilities,
		Source: "mean of -log p of the true class, p at least 1e-15", rows: logLoss,
	},
	{
		Name: "brier", Label: "Brier score", High: 2, Needs: Probabilities,
		Source: "Brier (1950): mean of the squared distances to the true class's indicator, summed over the classes",
		rows:   brier,
	},
	{
		Name: "ece", Label: "calibration error", High: 1, Needs: Probabilities,
		Source: "Guo et al. (2017), Eq. 3: expected calibration error of the predicted class in 15 bins of equal width",
		rows:   calibrationError,
	},
	{
		Name: "auc", Label: "AUC", Higher: true, High: 1, Needs: Scores,
		Source: "area under the ROC curve, ties half; for more than two classes Hand and Till (2001), Eq. 7, on " +
			"the differences of two classes' scores where there are no probabilities",
		rows: auc,
	},
	{
		Name: "average_precision", Label: "average precision", Higher: true, High: 1, Needs: Scores, PerClass: true,
		Source: "area under the precision-recall curve in steps, of a class against all others; scikit-learn's " +
			"average_precision_score. Guessing has the class's share. Of more than two classes the class's " +
			"probability ranks the rows, without any the difference to the largest other score. CLASS as above",
		rows: averagePrecision,
	},
	{
		Name: "fit_seconds", Label: "training time", Unit: "s", High: math.Inf(1), Needs: Clock,
		Source: "wall clock of the fit, not reproducible",
	},
	{
		Name: "predict_seconds", Label: "prediction time", Unit: "s", High: math.Inf(1), Needs: Clock,
		Source: "wall clock of the prediction of all test rows, not reproducible",
	},
	{
		Name: "peak_memory", Label: "peak memory", Unit: "MB", High: math.Inf(1), Needs: Process,
		Source: "largest resident memory, in 10^6 bytes, of the process of an external program, its data " +
			"included; not reproducible",
	},
}
