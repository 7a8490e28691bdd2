package study_test

import (
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/toys"
)

// Every entry without its own steps uses those of the study. The oracle gets the data as they are drawn.
func TestPrepareIsInherited(t *testing.T) {
	text := strings.Replace(entryText("5nn\n  - {id: own, classifier: 5nn, prepare: [{pca: 2}]}\n  - "+
		"{id: none, classifier: 5nn, prepare: []}\n  - oracle"), "classifiers:",
		"prepare: [{impute: median}, {scale: robust}]\nclassifiers:", 1)
	want := []string{"5nn/2{}+prepare=[impute=median,scale=robust]", "5nn/2{}+prepare=[pca=2]", "5nn/2{}", "oracle/1{}"}
	for i, e := range toys.Load(t, text).Cells[0].Classifiers {
		if e.Spec != want[i] {
			t.Errorf("%s: %s, want %s", e.ID, e.Spec, want[i])
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	for rest, want := range map[string]string{
		"prepare: {scale: standard}": "7:%d: classifiers.lda.prepare: want a list, got a mapping",
		"prepare: [{scale: std}]": `7:%d: classifiers.lda.prepare[0].scale: unknown value "std"; ` +
			"choose one of: standard, robust, minmax, quantile",
		"prepare: [{impute: mean, scale: minmax}]": "7:%d: classifiers.lda.prepare[0]: want exactly one of " +
			"`impute`, `encode`, `scale`, `discretise`, `drop`, `rare` and `pca`",
		"prepare: [{pca: 1.5}]": "7:%d: classifiers.lda.prepare[0].pca: 1.5 is neither a whole number of " +
			"components nor a share of the variance below 1",
		"prepare: [{pca: 99}]": "7:%d: classifiers.lda.prepare: pca: 99 components exceed the " +
			"number of columns, 2; request at most 2, or give a share of the variance below 1",
		"prepare: [{scale: standard}, {pca: 1}, {pca: 2}]": "7:%d: classifiers.lda.prepare: pca: 2 components " +
			"exceed the number of columns, 1; request at most 1, or give a share of the variance below 1",
		"prepare: [{pca: 2, imput: mean}]": `7:%d: classifiers.lda.prepare[0].imput: unknown key; ` +
			`did you mean "impute"?`,
		"prepare: [{discretise: 4}]": "7:%d: classifiers.lda: takes numeric attributes only, but its key " +
			"`prepare` makes attributes discrete",
	} {
		checkRefused(t, "{classifier: lda, "+rest+"}", want)
	}
}

// An error in the steps of the study has their place, and is reported once for all classifiers. If only one
// classifier declares an attribute discrete, the error names this classifier.
func TestErrorsInSharedSteps(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 3\nprepare: [{scale: standard}, {pca: 3}]\n" +
		"data: {generator: {name: forest, d: 3}, train: {n: 30}, test: {n: 20}}\nclassifiers: [nb, lda, 5nn]\n"
	_, err := parse(strings.Replace(text, "d: 3", "d: 2", 1))
	errtest.Equal(t, err, "s.yaml:4:10: prepare: pca: 3 components exceed the number of columns, 2; "+
		"request at most 2, or give a share of the variance below 1")
	_, err = parse(strings.Replace(text, "lda", "{classifier: lda, discrete: [x1]}", 1))
	errtest.Contains(t, err, "s.yaml:6:19: classifiers.lda.prepare: pca: some attributes are discrete")
}

// The preparation determines which data a classifier receives.
func TestPrepareMeetsRefusals(t *testing.T) {
	for entry, want := range map[string]string{
		"lda": "takes no missing values",
		"{classifier: lda, prepare: [{impute: mode}]}":                      `"colour" of`,
		"{classifier: lda, prepare: [{impute: mode}, {encode: onehot}]}":    "",
		"{classifier: lda, prepare: [{encode: ordinal}, {impute: mean}]}":   "",
		"{classifier: lda, impute: mean, prepare: [{encode: ordinal}]}":     "",
		"{classifier: lda, prepare: [{encode: ordinal}, {drop: constant}]}": "takes no missing values",

		"{classifier: nb, prepare: [{encode: ordinal}, {pca: 1}]}":                 "pca: some values are missing",
		"{classifier: nb, prepare: [{encode: ordinal}, {impute: mean}, {pca: 1}]}": "",
		"{classifier: nb, impute: mean, prepare: [{encode: ordinal}, {pca: 1}]}":   "",
		"{classifier: nb, prepare: [{impute: mean}, {pca: 1}]}":                    "pca: some attributes are discrete",

		"{classifier: lda, prepare: [{encode: ordinal}], tune: {impute: [mean, knn]}}":       "",
		"{classifier: lda, prepare: [{encode: ordinal}], tune: {priors: [training, equal]}}": "takes no missing values",
	} {
		text := toys.RowsStudy(t, "csv: FILE, folds: 5, keep: [row, colour]", entry)
		_, err := parse(text)
		errtest.Case(t, entry).Match(err, want)
	}
}

// An attribute that a classifier declares discrete is known before the run, in files and from generators.
func TestDeclaredAttributesMeetRefusals(t *testing.T) {
	for entry, want := range map[string]string{
		"{classifier: svm, discrete: [A], prepare: [{pca: 1}]}":                  "pca: some attributes are discrete",
		"{classifier: svm, discrete: [A], prepare: [{encode: dummy}, {pca: 1}]}": "",
		"{classifier: lda, discrete: [A]}":                                       "but its key `discrete` makes",
		"{classifier: tan, discrete: [A]}":                                       `is numeric and "A" is discrete`,
		"{classifier: nb, discrete: [A]}":                                        "",
	} {
		for name, data := range map[string]string{
			"petal_width": "set: iris, folds: 5",
			"x2":          "generator: {name: forest, d: 3}, irrelevant: 1, train: {n: 20}, test: {n: 20}",
		} {
			text := toys.RowsStudy(t, data, strings.ReplaceAll(entry, "A", name))
			want := strings.ReplaceAll(want, "A", name)
			_, err := parse(text)
			errtest.Case(t, data+": "+entry).Match(err, want)
		}
	}
}

// Missing values in test rows alone do not stop a pca step, which is fitted to the training rows.
func TestPCAWithIncompleteTestRows(t *testing.T) {
	for where, want := range map[string]string{"test": "", "train": "are missing", "both": "are missing"} {
		text := "study: s\nseed: 1\nreplicates: 3\nclassifiers: [nb]\nprepare: [{pca: 2}]\n" +
			"data: {generator: forest, missing: {mcar: 0.1, where: " + where + "}, train: {n: 30}, test: {n: 20}}\n"
		_, err := parse(text)
		errtest.Case(t, where).Match(err, want)
	}
}
