package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments"
	"copse/stats/dataset"
)

type classifyFlags struct {
	name, train, test, class string
	params, discrete         []string
	seed                     uint64
	scores                   bool
}

func newClassify() *cobra.Command {
	var f classifyFlags
	cmd := &cobra.Command{
		Use:   "classify --classifier NAME [--param k=v]... --train T.csv --test E.csv",
		Short: "Fit one classifier to a CSV file and print its predictions for another as CSV",
		Long: `Classify reads training and test rows from CSV files: a header line, then one
row per line, the class in the last column or in the one that --class names. The
test file may lack the class column; if it has one, the error goes to standard
error.`,
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
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the classifier's random draws")
	flags.BoolVar(&f.scores, "scores", false, "print each class's score beside the prediction")
	mustRequire(cmd, "classifier", "train", "test")
	return cmd
}

func classify(out, errOut io.Writer, f classifyFlags) error {
	recipe, err := experiments.NewClassifier(f.name, f.params)
	if err != nil {
		return err
	}
	train, err := readSet(f.train, func(r io.Reader) (*dataset.Set, error) {
		return dataset.ReadCSV(r, f.train, dataset.CSVOptions{Class: f.class, Discrete: f.discrete})
	})
	if err != nil {
		return err
	}
	test, err := readSet(f.test, func(r io.Reader) (*dataset.Set, error) {
		return dataset.ReadCSV(r, f.test, dataset.CSVOptions{Class: f.class, Schema: train})
	})
	if err != nil {
		return err
	}
	rule, err := recipe.Fit(context.Background(), train, experiments.ClassifierStream(f.seed))
	if err != nil {
		return err
	}
	if w, ok := rule.(classifiers.Warner); ok {
		for _, warning := range w.Warnings() {
			fmt.Fprintln(errOut, "warning:", warning)
		}
	}
	return printPredictions(out, errOut, rule, train, test, f.scores)
}

func readSet(path string, read func(io.Reader) (*dataset.Set, error)) (*dataset.Set, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return read(file)
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
	w := csv.NewWriter(out)
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
