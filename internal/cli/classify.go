package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/experiments/data"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

type classifyFlags struct {
	name          string          // of the classifier
	train, test   string          // CSV files
	columns       csvfile.Options // how to read the training file
	params        []string
	seed          uint64
	limit         time.Duration // time limit of the fit; 0 means none
	scores        bool
	probabilities bool
}

// newClassify returns the command copse classify.
func newClassify() *cobra.Command {
	var f classifyFlags
	cmd := &cobra.Command{
		Use:   "classify --classifier NAME [--param k=v]... --train T.csv --test E.csv",
		Short: "Fit a classifier to one CSV file and write its predictions for another file as CSV",
		Long: `Classify reads training and test rows from CSV files: a header line, then one
row per line, with the class in the last column or in the column of --class. It
recognises the separator and the decimal mark. If rows of the test file have a
class, classify prints their error rate to standard error.

The kinds of the columns come from T.schema.json beside T.csv, if it exists, as
copse generate writes it. Otherwise columns of numbers are numeric, unless
--discrete lists them.

A classifier that accepts missing values treats a level that occurs only in test
rows as missing. Other classifiers treat it as a level without training rows,
which can also change the predictions of other rows, as the classifier takes the
number of levels into account.
docs/reference/curves.md defines the --scores. Some classifiers need
--param probabilities=platt for --probabilities.`,
		Example: `  copse classify --classifier slb --train train.csv --test test.csv > predictions.csv
  copse classify --classifier svm --param probabilities=platt --probabilities --train train.csv --test test.csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return classify(cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "classifier", "", "classifier (see copse list classifiers)")
	flags.StringArrayVar(&f.params, "param", nil, "parameter, k=v (repeatable)")
	flags.StringVar(&f.train, "train", "", "file of training rows")
	flags.StringVar(&f.test, "test", "", "file of rows to classify")
	addColumnFlags(cmd, &f.columns)
	flags.Uint64Var(&f.seed, "seed", 1, "seed for the random numbers of the classifier")
	flags.DurationVar(&f.limit, "time-limit", 0, "time limit for the fit, such as 10m (default: no limit)")
	flags.BoolVar(&f.scores, "scores", false, "also write the score of each class")
	flags.BoolVar(&f.probabilities, "probabilities", false, "also write the probability of each class")
	requireFlags(cmd, "classifier", "train", "test")
	return cmd
}

// addColumnFlags adds the flags for the roles of the columns of a CSV file and its missing values.
func addColumnFlags(cmd *cobra.Command, o *csvfile.Options) {
	flags := cmd.Flags()
	flags.StringVar(&o.Class, "class", "", "column that contains the classes (default: the last column)")
	flags.StringSliceVar(&o.Discrete, "discrete", nil, "numeric columns to treat as discrete attributes")
	flags.StringSliceVar(&o.Drop, "drop", nil, "columns to leave out")
	flags.StringSliceVar(&o.Missing, "missing", nil, "entries that represent a missing value (default: ? and NA)")
}

// classify fits a classifier to the training rows. It writes the predictions for the test rows to
// out as CSV, and warnings to errOut.
func classify(out, errOut io.Writer, f classifyFlags) error {
	if f.limit < 0 { // 0, the default, means no limit
		return usageErrorf("--time-limit %s: the time limit must be positive", f.limit)
	}
	classifier, err := study.NewClassifier(f.name, f.params)
	if err != nil {
		return err
	}
	train, test, err := readSets(errOut, f, classifier)
	if err != nil {
		return err
	}
	if err := classifier.CheckNames(train); err != nil {
		return err
	}
	// Predict would panic at an invalid value in the test rows.
	if err := f.checkValues(classifier.Preparation, test, f.test); err != nil {
		return err
	}
	rule, err := f.fit(classifier, train)
	if err != nil {
		// If a value caused the error, name its file, row and column.
		if invalid := f.checkValues(classifier.Preparation, train, f.train); invalid != nil {
			return invalid
		}
		return withParamHint(err)
	}
	printMessages(errOut, "warning", rule.Warnings)
	return f.write(out, errOut, rule, train.Classes, test)
}

// checkValues returns an error for the first value in a data set that the classifier does not
// accept. In the error, the header of the file is row 1.
func (f classifyFlags) checkValues(p classifiers.Preparation, s *dataset.Set, file string) error {
	err := classifiers.CheckTest(f.name, p, s)
	invalid, ok := errors.AsType[*classifiers.ValueError](err)
	if !ok {
		return err
	}
	return fmt.Errorf("%s: %s: row %d, column %q: %w", f.name, file, invalid.Row+2, invalid.Column, invalid.Reason)
}

// withParamHint adds the equivalent flag, such as --param 'multiclass=ovo', to errors that suggest a
// key in a study file.
func withParamHint(err error) error {
	for _, key := range []string{"multiclass: ovo", "prepare: [{encode: dummy}]"} {
		if strings.Contains(err.Error(), key) {
			return fmt.Errorf("%w (for `copse classify`, use `--param '%s'`)", err, strings.Replace(key, ": ", "=", 1))
		}
	}
	return err
}

// fit fits the classifier e. It returns an error if the fit takes longer than --time-limit.
func (f classifyFlags) fit(e study.Entry, train *dataset.Set) (*classifiers.Rule, error) {
	ctx := context.Background()
	if f.limit > 0 {
		limited, cancel := context.WithTimeout(ctx, f.limit)
		defer cancel()
		ctx = limited
	}
	rng := func() *rand.Rand { return stream.New(f.seed, "", 1, stream.Classifier("")) }
	rule, err := classifiers.FitDroppingRare(ctx, classifiers.Prepared(e.Classifier, e.Preparation), train, rng)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s: the fit took longer than `--time-limit %s`", f.name, f.limit)
	}
	return rule, err
}

// readSets reads the training and the test rows, with the same levels.
func readSets(errOut io.Writer, f classifyFlags, e study.Entry) (train, test *dataset.Set, err error) {
	warn := func(note string) { fmt.Fprintln(errOut, "warning:", note) }
	f.columns.Note = warn // f is a copy, so the caller's flags do not change
	train, class, err := csvfile.ReadFileAndClass(f.train, f.columns)
	if err != nil {
		return nil, nil, err
	}
	f.warnOfColumns(&data.File{Rows: train, ClassColumn: class, Discrete: f.columns.Discrete}, warn)
	test, err = csvfile.ReadFile(f.test, csvfile.Options{
		Class:   class, // if the test file lacks this column, its last column is not the class
		Drop:    f.columns.Drop,
		Missing: f.columns.Missing,
		Train:   train,
		Unseen:  f.unseen(e),
		Note:    warn,
	})
	if err != nil {
		return nil, nil, err
	}
	// The test set has all levels of the training set. With UnseenLevel, it may have further levels.
	return train.WithAttributesOf(test), test, nil
}

// unseen returns how to treat a level (category) that occurs only in test rows. If the classifier
// accepts missing values, the level becomes a missing value. Otherwise, it is added to the
// attribute in the training and the test set.
func (f classifyFlags) unseen(e study.Entry) csvfile.Unseen {
	spec, _ := classifiers.Registry.Lookup(f.name) // empty if f.name is a program
	if spec.Missing || e.Preparation.FillsMissing() {
		return csvfile.UnseenMissing
	}
	return csvfile.UnseenLevel
}

// warnOfColumns calls warn if the training file seems to lack a header, and for each column that
// identifies rows. A study would reject such a column.
func (f classifyFlags) warnOfColumns(file *data.File, warn func(string)) {
	if remark := file.HeaderRemark(); remark != "" {
		warn(f.train + ": " + remark)
	}
	for _, reason := range file.Identifiers() {
		warn(fmt.Sprintf("%s: %s: remove the column with `--drop`, or write its numbers without other characters",
			f.train, reason))
	}
}

// write writes the predicted class of each test row to out, with scores and probabilities if
// requested. It prints the error rate to errOut if the test file contains classes.
func (f classifyFlags) write(out, errOut io.Writer, rule *classifiers.Rule, classes []string,
	test *dataset.Set) error {
	labels := rule.Predict(test.X)
	columns := [][]string{labelColumn("prediction", labels, classes)}
	if f.scores {
		if rule.Scores == nil {
			return usageErrorf("--scores: this classifier returns labels without scores")
		}
		columns = append(columns, classColumns("score_", classes, rule.Scores(test.X))...)
	}
	if f.probabilities {
		if rule.Probabilities == nil {
			return usageErrorf("--probabilities: this classifier returns no class probabilities; " +
				"add `--param probabilities=platt` to derive them from its scores")
		}
		columns = append(columns, classColumns("p_", classes, rule.Probabilities(test.X))...)
	}
	if err := writeColumns(unwrapped(out), columns); err != nil {
		return err
	}
	if wrong, known := countErrors(labels, test.Y); known > 0 {
		percent := 100 * float64(wrong) / float64(known)
		fmt.Fprintf(errOut, "%d errors in %d rows (%.2f %%)\n", wrong, known, percent)
	}
	return nil
}

// countErrors returns the number of rows whose class is known, and the number of wrong labels among
// them. truth[i] is negative if the class of row i is unknown.
func countErrors(labels, truth []int) (wrong, known int) {
	for i, y := range truth {
		if y < 0 {
			continue
		}
		known++
		if y != labels[i] {
			wrong++
		}
	}
	return wrong, known
}
