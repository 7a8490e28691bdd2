package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
)

type classifyFlags struct {
	name, train, test, class string
	params, discrete, drop   []string
	seed                     uint64
	scores                   bool
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
names them. Separator and decimal mark are recognised.`,
		Example: `  copse classify --classifier slb --train train.csv --test test.csv > predictions.csv`,
		Args:    cobra.NoArgs,
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
	mustRequire(cmd, "classifier", "train", "test")
	return cmd
}

func classify(out, errOut io.Writer, f classifyFlags) error {
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
	if w, ok := rule.(classifiers.Warner); ok {
		for _, warning := range w.Warnings() {
			fmt.Fprintln(errOut, "warning:", warning)
		}
	}
	return printPredictions(out, errOut, rule, train, test, f.scores)
}

// readSets reads the training set and the rows to classify. A level that no
// training row has is missing to a classifier that takes missing values, and one
// more level to others.
func readSets(errOut io.Writer, f classifyFlags, e study.Entry) (train, test *dataset.Set, err error) {
	warn := func(note string) { fmt.Fprintln(errOut, "warning:", note) }
	train, err = dataset.ReadCSVFile(f.train, dataset.CSVOptions{Class: f.class, Drop: f.drop, Discrete: f.discrete, Note: warn})
	if err != nil {
		return nil, nil, err
	}
	o := dataset.CSVOptions{Class: f.class, Drop: f.drop, Train: train, Unseen: dataset.UnseenLevel, Note: warn}
	if spec, ok := classifiers.Lookup(f.name); ok && spec.Missing || e.Preparation.Impute != "" {
		o.Unseen = dataset.UnseenMissing
	}
	if test, err = dataset.ReadCSVFile(f.test, o); err != nil {
		return nil, nil, err
	}
	return train.WithAttributesOf(test), test, nil
}

func printPredictions(out, errOut io.Writer, rule classifiers.Rule, train, test *dataset.Set, scores bool) error {
	scorer, ok := rule.(classifiers.Scorer)
	if scores && !ok {
		return usagef("--scores: this classifier has no scores, only labels")
	}
	header := []string{"prediction"}
	if scores {
		for _, c := range train.Classes {
			header = append(header, "score_"+c)
		}
	}
	w := csv.NewWriter(document(out))
	if err := w.Write(header); err != nil {
		return err
	}
	labels := rule.Predict(test.X)
	var values *mat.Dense
	if scores {
		values = scorer.Scores(test.X)
	}
	for i, label := range labels {
		row := []string{train.Classes[label]}
		if scores {
			for _, v := range values.RawRowView(i) {
				row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	if wrong, known := countErrors(labels, test.Y); known > 0 {
		fmt.Fprintf(errOut, "%d errors in %d rows (%.2f %%)\n", wrong, known, 100*float64(wrong)/float64(known))
	}
	return w.Error()
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
