package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"error", "mcc", "accuracy", "auc", "lda", "qda"}
	for word, want := range map[string]string{
		"acc": "accuracy", "eror": "error", "AUX": "auc", "brier": "", "qad": "qda",
		"roc_auc": "auc", "ROC-AUC": "auc", "log_loss": "", "x": "", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// A name of other software leads to the equivalent among the candidates, even if another candidate has a more
// similar spelling. A word that is similar to none of the candidates leads to no suggestion.
func TestNearestForeignNames(t *testing.T) {
	sections := map[string][]string{
		"study": strings.Fields("study title source seed replicates metrics predictions time_limit memory_limit " +
			"design nested exclude pair data prepare classifiers inference report published calibrate"),
		"data": strings.Fields("generator train test sample csv set class keep drop discrete numeric missing_marks " +
			"rows merge drop_missing missing_level folds repeats holdout split groups random subsample flip"),
		"svm":      strings.Fields("kernel c gamma degree classifier id label only impute weights costs tune by"),
		"nb":       strings.Fields("bandwidth floor classifier id label only weights costs tune by"),
		"knn":      strings.Fields("k classifier id label only weights costs tune by"),
		"rf":       strings.Fields("trees mtry classifier id label only weights costs tune by"),
		"boosting": strings.Fields("rounds rate leaves depth l2 bins classifier id label only weights tune by"),
		"figure":   strings.Fields("name title caption kind page panel x columns family excess width"),
		"table":    strings.Fields("name title caption metric metrics rows columns family digits width methods"),
		"column":   strings.Fields("data report inference"),
		"kind":     strings.Fields("box line cd wins bars heat"),
		"item":     {"classifier"},
		"test":     strings.Fields("auto signed-rank sign permutation t corrected-t mcnemar"),
		"metric":   strings.Fields("error accuracy ber sensitivity:CLASS f1 mcc kappa auc"),
		"classifier": strings.Fields("external sklearn caret mlr mlr3 slb nb tan knn 5nn svm rf boosting lda qda " +
			"logistic"),
	}
	for section, pairs := range map[string]string{
		"study": "replications=replicates iterations=replicates methods=classifiers " +
			"learners=classifiers tables= plots= resampling= id=study impute=prepare",
		"data": "target=class cv=folds n_splits=folds file=csv stratify= na_values=missing_marks repetitions= reps= " +
			"test_size=holdout tables=",
		"svm":      "cost=c grid=tune param_grid=tune inner_cv=by name=id",
		"nb":       "bw=bandwidth neighbours=",
		"knn":      "neighbours=k n_neighbors=k bw= kk=k yb=by",
		"rf":       "n_estimators=trees num.trees=trees max_features=mtry",
		"boosting": "n_estimators=rounds nrounds=rounds max_depth=depth num_leaves=leaves learning_rate=rate",
		"figure":   "facets=panel classifiers=columns methods=columns order=columns",
		"table":    "classifiers=columns order=columns method=methods",
		"column":   "cv= figures= tests= infrence=inference",
		"kind":     "cd_diagram=cd boxplot=box boxes=box",
		"item":     "classifer=classifier name=classifier c=",
		"test":     "max-type=auto corrected-t-pairs=auto wilcoxon= ttest= signed_rank=signed-rank",
		"metric":   "roc_auc=auc balanced_accuracy= bacc= recall=sensitivity:CLASS",
		"classifier": "RandomForestClassifier=rf KNeighborsClassifier=knn GaussianNB=nb classif.ranger=rf " +
			"classif.svm=svm SVC=svm XGBClassifier=boosting DecisionTreeClassifier=sklearn cart=sklearn " +
			"classif.rpart=mlr3 LogisticRegression=logistic k-nn=knn mine=",
	} {
		for _, pair := range strings.Fields(pairs) {
			word, want, _ := strings.Cut(pair, "=")
			if got := Nearest(word, sections[section]); got != want {
				t.Errorf("%s: %q: %q, want %q", section, word, got, want)
			}
		}
	}
}

// The table contains words in the form in which equivalent looks them up. A word in several lines has a different
// equivalent in each of them.
func TestEquivalents(t *testing.T) {
	for line := range strings.Lines(equivalents) {
		words := strings.Fields(line)
		if len(words) < 2 || len(slices.Compact(slices.Sorted(slices.Values(words)))) != len(words) {
			t.Errorf("%q", line)
			continue
		}
		for _, word := range words[1:] {
			if normalised(word) != word {
				t.Errorf("%q is looked up as %q", word, normalised(word))
			}
		}
	}
}
