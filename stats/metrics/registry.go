package metrics

import "math"

// classNote is the last sentence of Metric.Source for metrics of one class. withSuffix removes it.
const classNote = "CLASS is the name of the class, or its code, counted from 0, if no name is a whole number"

const noTestRow = "no test row belongs to the class"

// Registry lists every metric.
var Registry = []Metric{
	{
		Name: "error", Label: "test error", Unit: Share, High: 1, Needs: Counts,
		Source: "share of test rows that are misclassified", counts: errorRate,
		meanOfRows: true,
	},
	{
		Name: "accuracy", Label: "test accuracy", Unit: Share, Higher: true, High: 1, Needs: Counts,
		Source: "1 - error", counts: func(c Confusion, _ int) float64 { return 1 - errorRate(c, 0) },
		meanOfRows: true,
	},
	{
		Name: "ber", Label: "balanced test error", Unit: Share, High: 1, Needs: Counts,
		Source: "mean of 1 - sensitivity over the classes that have test rows", counts: balancedError,
		independent: rowsOfSmallest,
	},
	{
		Name: "sensitivity", Label: "sensitivity", Unit: Share, Higher: true, High: 1, Needs: Counts, PerClass: true,
		Source:      "share of the rows of a class that are predicted as this class; also called recall. " + classNote,
		counts:      sensitivity,
		independent: rowsOfClass,
		UndefinedIf: noTestRow,
	},
	{
		Name: "precision", Label: "precision", Unit: Share, Higher: true, High: 1, Needs: Counts, PerClass: true,
		Source: "share of correct predictions among the rows that are predicted as a class; 0 if no row is predicted " +
			"as this class; scikit-learn's precision_score. " + classNote,
		counts:      precision,
		independent: rowsPredictedAs,
		UndefinedIf: "the data have no such class",
	},
	{
		Name: "f1", Label: "macro F1", Higher: true, High: 1, Needs: Counts,
		Source: "mean over the classes of 2 TP / (2 TP + FP + FN); scikit-learn's f1_score, average='macro'",
		counts: macroF1,
	},
	{
		Name: "mcc", Label: "Matthews correlation", Higher: true, Low: -1, High: 1, Needs: Counts,
		Source: "correlation coefficient of Matthews (1975), extended to more than two classes by Gorodkin (2004); " +
			"it is 0 if all rows have the same true class or the same predicted class",
		counts: matthews,
	},
	{
		Name: "kappa", Label: "Cohen's kappa", Higher: true, Low: -1, High: 1, Needs: Counts,
		Source:      "Cohen (1960); undefined if all rows belong to one class and are predicted as this class",
		counts:      kappa,
		UndefinedIf: "all test rows belong to one class and are predicted as this class",
	},
	{
		Name: costName, Label: "cost", Low: math.Inf(-1), High: math.Inf(1), Needs: Counts, PerClass: true,
		Source: "the value of EXPRESSION; smaller is better (Elkan 2001). n is the number of test rows, and " +
			"n(TRUE,PREDICTED) is an entry of the confusion matrix, as in (5*n(sick,healthy)+n(healthy,sick))/n. A " +
			"class is a name, or a code if no name is a whole number. _ means all classes. Values that differ by " +
			"less than 1e-12 are tied, so multiply an expression with tiny values by a large constant",
		UndefinedIf: "the expression divides by 0, for example by the count of a class that is never predicted",
	},
	{
		Name: "log_loss", Label: "log loss", Unit: "nats", High: -math.Log(leastProbability), Needs: Probabilities,
		Source: "mean of -log p, where p is the larger of 1e-15 and the probability of the true class", rows: logLoss,
		meanOfRows: true,
	},
	{
		// The label states the range, because many papers print half of this score for two classes.
		Name: "brier", Label: "Brier score (0 to 2)", High: 2, Needs: Probabilities,
		Source: "Brier (1950): mean over rows of the sum over classes of (p - y)^2, where y is 1 for the true class " +
			"and 0 for the others. With two classes, it is twice the mean of (p - y)^2 for one of them",
		rows: brier, meanOfRows: true,
	},
	{
		Name: "ece", Label: "calibration error", High: 1, Needs: Probabilities,
		Source: "Guo et al. (2017), Eq. 3: expected calibration error of the probability of the predicted class, in " +
			"15 bins of equal width",
		rows: calibrationError,
	},
	{
		Name: "auc", Label: "AUC", Higher: true, High: 1, Needs: Scores,
		Source: "area under the ROC curve, where ties count half; for more than two classes, Eq. 7 of Hand and Till " +
			"(2001), with score differences instead of probabilities if a classifier gives no probabilities",
		rows:        auc,
		UndefinedIf: "all test rows belong to the same class",
	},
	{
		Name: "average_precision", Label: "average precision", Higher: true, High: 1, Needs: Scores, PerClass: true,
		Source: "area under the precision-recall curve of a class against all others, drawn as a step function " +
			"without interpolation; scikit-learn's average_precision_score. Its value for a random ranking is the " +
			"share of the class. With more than two classes, rows are ranked by the probability of this class; " +
			"without probabilities, they are ranked by the score of the class minus the largest other score. " +
			classNote,
		rows:        averagePrecision,
		independent: rarerRows,
		UndefinedIf: noTestRow,
	},
	{
		Name: "fit_seconds", Label: "training time", Unit: "s", High: math.Inf(1), Needs: Clock,
		Source: "wall-clock time of the fit; not reproducible",
	},
	{
		Name: "predict_seconds", Label: "prediction time", Unit: "s", High: math.Inf(1), Needs: Clock,
		Source: "wall-clock time of the prediction of all test rows; not reproducible",
	},
	{
		Name: "peak_memory", Label: "peak memory", Unit: "MB", High: math.Inf(1), Needs: Process,
		Source: "peak resident memory of an external program, including the data that it has loaded, in 10^6 bytes; " +
			"not reproducible",
	},
}
