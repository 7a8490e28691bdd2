package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

type classifyFlags struct {
	name, train, test, class string
	params, discrete, drop   []string
	seed                     uint64
	scores, probabilities    bool
	limit                    time.Duration
}

func newClassify() *cobra.Command {
	var f classifyFlags
	cmd := &cobra.Command{
		Use:   "classify --classifier NAME [--param k=v]... --train T.csv --test E.csv",
		Short: "Fit one classifier to a CSV file and print its predictions for another as CSV",
		Long: `Classify reads training and test rows from CSV files: a header line, then one
row per line, the class in the last column or in the one that --class names. The
test file may lack the class column; if it has one, the error goes to standard
error. A file T.schema.json beside T.csv, as copse generate writes it, tells the
kinds of the columns; otherwise columns of numbers are numeric unless --discrete
names them. Separator and decimal mark are recognised.

A level that test rows alone have is missing to a classifier that takes missing
values; to any other it is one more level of its column, without training rows, which
smoothed frequencies and indicators of all rows take account of. --scores are the classifier's own,
as its page in docs/methods tells; --probabilities are those of the classes, which a
classifier without any has with --param probabilities=platt.`,
		Example: `  copse classify --classifier slb --train train.csv --test test.csv > predictions.csv
  copse classify --classifier svm --param probabilities=platt --probabilities --train train.csv --test test.csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return classify(cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.name, "classifier", "", "the classifier (see copse list classifiers)")
	flags.StringArrayVar(&f.params, "param", nil, "a parameter, k=v (repeatable)")
	flags.StringVar(&f.train, "train", "", "training rows")
	flags.StringVar(&f.test, "test", "", "rows to classify")
	flags.StringVar(&f.class, "class", "", "the class column (default: the last one)")
	flags.StringSliceVar(&f.discrete, "discrete", nil, "columns to read as discrete although they hold numbers")
	flags.StringSliceVar(&f.drop, "drop", nil, "columns to leave out")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the classifier's random draws")
	flags.DurationVar(&f.limit, "time-limit", 0, "longest time for the fit, such as 10m (default: any)")
	flags.BoolVar(&f.scores, "scores", false, "print each class's score beside the prediction")
	flags.BoolVar(&f.probabilities, "probabilities", false, "print each class's probability beside the prediction")
	mustRequire(cmd, "classifier", "train", "test")
	return cmd
}

func classify(out, errOut io.Writer, f classifyFlags) error {
	if f.limit < 0 {
		return usagef("--time-limit %s: want a time above 0", f.limit)
	}
	e, err := study.NewClassifier(f.name, f.params)
	if err != nil {
		return err
	}
	train, test, err := readSets(errOut, f, e)
	if err != nil {
		return err
	}
	if err := classifiers.CheckTest(f.name, e.Preparation, test); err != nil {
		return err
	}
	ctx := context.Background()
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	rng := func() *rand.Rand { return stream.New(f.seed, "", 1, stream.Classifier("")) }
	rule, err := classifiers.FitPresent(ctx, classifiers.Prepared(e.Classifier, e.Preparation), train, rng)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: not fitted within --time-limit %s", f.name, f.limit)
	} else if err != nil {
		return err
	}
	for _, warning := range rule.Warnings {
		fmt.Fprintln(errOut, "warning:", warning)
	}
	return f.print(out, errOut, rule, train.Classes, test)
}

// readSets reads the training set and the rows to classify. A level that no
// training row has is missing to a classifier that takes missing values, and one
// more level to others.
func readSets(errOut io.Writer, f classifyFlags, e study.Entry) (train, test *dataset.Set, err error) {
	warn := func(note string) { fmt.Fprintln(errOut, "warning:", note) }
	train, err = csvfile.ReadFile(f.train, csvfile.Options{Class: f.class, Drop: f.drop, Discrete: f.discrete,
		Note: warn})
	if err != nil {
		return nil, nil, err
	}
	o := csvfile.Options{Class: f.class, Drop: f.drop, Train: train, Unseen: csvfile.UnseenLevel, Note: warn}
	if spec, ok := classifiers.Registry.Lookup(f.name); ok && spec.Missing || e.Preparation.FillsMissing() {
		o.Unseen = csvfile.UnseenMissing
	}
	if test, err = csvfile.ReadFile(f.test, o); err != nil {
		return nil, nil, err
	}
	return train.WithAttributesOf(test), test, nil
}

// print writes the predictions and the numbers that the flags want beside them.
func (f classifyFlags) print(out, errOut io.Writer, rule *classifiers.Rule, classes []string, test *dataset.Set) error {
	numbers, err := f.numbers(rule, classes, test)
	if err != nil {
		return err
	}
	labels := rule.Predict(test.X)
	columns := append([]column{labelColumn("prediction", labels, classes)}, numbers...)
	if err := writeColumns(document(out), columns, test.N()); err != nil {
		return err
	}
	if wrong, known := countErrors(labels, test.Y); known > 0 {
		percent := 100 * float64(wrong) / float64(known)
		fmt.Fprintf(errOut, "%d errors in %d rows (%.2f %%)\n", wrong, known, percent)
	}
	return nil
}

// numbers returns the columns of scores and probabilities that the flags want.
func (f classifyFlags) numbers(rule *classifiers.Rule, classes []string, test *dataset.Set) (list []column, err error) {
	if f.scores {
		if rule.Scores == nil {
			return nil, usagef("--scores: this classifier has no scores, only labels")
		}
		list = classColumns("score_", classes, rule.Scores(test.X))
	}
	if f.probabilities {
		if rule.Probabilities == nil {
			return nil, usagef("--probabilities: this classifier has none of its own; " +
				"--param probabilities=platt derives them from its scores")
		}
		list = append(list, classColumns("p_", classes, rule.Probabilities(test.X))...)
	}
	return list, nil
}

func countErrors(labels, truth []int) (wrong, known int) {
	for i, y := range truth {
		if y >= 0 {
			known++
			if y != labels[i] {
				wrong++
			}
		}
	}
	return wrong, known
}
