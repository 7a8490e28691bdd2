package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/folder"
	"copse/stats/records"
)

// newRepro returns the command copse repro.
func newRepro() *cobra.Command {
	var dump string
	var force, runCommands bool
	cmd := &cobra.Command{
		Use:   "repro RESULTS CELL/REPLICATE[/CLASSIFIER]",
		Short: "Compute one stored trial again and compare the new results with the stored ones bit for bit",
		Long: `Repro draws the data of one stored trial again, runs all its classifiers or only
CLASSIFIER, and compares the data fingerprint, status, errors, balanced error
rate and message with the stored results. It needs only the study.yaml of
the folder. The exit code is 1 when something differs or cannot be computed on
this computer; repro prints the likely causes. If only the text of a program's
warning differs, the result is the same, and the exit code is 0.

--dump DIR writes the data of the trial: train.csv and test.csv with schemas,
model.json (the drawn model) and predictions.csv. For each test row,
predictions.csv contains the true class, the prediction of each classifier, and
its scores (NAME.score_CLASS) and class probabilities (NAME.p_CLASS), if any.`,
		Example: `  copse repro results/quickstart CELL/17/slb
  copse repro results/quickstart CELL/17 --dump trial17`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := audit.ParseKey(args[1])
			if err != nil {
				return usageError{err}
			}
			f, err := openFolder(args[0])
			if err != nil {
				return err
			}
			if dump != "" { // before the trial runs, which may take long
				if err := checkDump(dump, force); err != nil {
					return err
				}
			}
			archive := audit.NewArchive(f)
			if err := requireConsent(archive.Programs(), args[0], runCommands); err != nil {
				return err
			}
			replay, err := archive.Replay(cmd.Context(), key)
			if err != nil {
				return err
			}
			printReplay(cmd.OutOrStdout(), replay)
			if dump != "" {
				if err := dumpReplay(cmd.OutOrStdout(), dump, replay, force); err != nil {
					return err
				}
			}
			if !replay.Identical() {
				return errAlreadyPrinted
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dump, "dump", "", "write the data, the generator's model and the predictions to this folder")
	addConsentFlag(cmd, &runCommands)
	cmd.Flags().BoolVar(&force, "force", false, "replace existing files")
	return cmd
}

// printReplay prints whether the data and results of a repeated trial are identical to the stored
// ones. If not, it prints the differences and their likely causes.
func printReplay(out io.Writer, r *audit.Replay) {
	fmt.Fprintf(out, "cell %s (%s), replicate %d\n", r.Stored.Cell, r.Levels, r.Stored.Replicate)
	printReplayedData(out, r)
	for _, result := range r.Results { // the stored and the new result of each classifier
		if result.NotRun != "" {
			fmt.Fprintf(out, "  %s: not compared: cannot run on this computer: %s\n", result.Stored.Classifier,
				result.NotRun)
			continue
		}
		if len(result.Differences) == 0 {
			fmt.Fprintf(out, "  %s: identical, %s\n", result.Stored.Classifier,
				describeResult(&result.Now.Record, r.Stored.NTest))
		}
		if result.OtherWarning {
			fmt.Fprintf(out, "  %s: only the text of the warning differs; stored: %q\n", result.Stored.Classifier,
				result.Stored.Message)
		}
		for _, d := range result.Differences {
			fmt.Fprintf(out, "  %s: DIFFERS: %s\n", result.Stored.Classifier, d)
		}
		if result.Now.Stack != "" { // the fit panicked
			fmt.Fprintln(out, result.Now.Stack)
		}
	}
	for _, w := range r.Why {
		fmt.Fprintln(out, "  why:", w)
	}
}

// printReplayedData prints whether the data are identical to the stored ones. It prints nothing if
// the generator failed in both trials.
func printReplayedData(out io.Writer, r *audit.Replay) {
	if len(r.DataDifferences) == 0 && r.Draw != nil {
		fmt.Fprintf(out, "  data: identical, fingerprint %s\n", r.Draw.Fingerprint)
	}
	outcome := "DIFFERS"
	if len(r.Results) == 0 { // the trial could not be repeated, and DataDifferences contains the reason
		outcome = "not compared"
	}
	for _, d := range r.DataDifferences {
		fmt.Fprintf(out, "  data: %s: %s\n", outcome, d)
	}
	if r.NotDrawn != "" {
		fmt.Fprintf(out, "  data: not compared: %s\n", r.NotDrawn)
	}
}

// describeResult describes a result, such as "12 errors in 500 rows, BER 0.024". BER is the
// balanced error rate.
func describeResult(r *records.Record, nTest int) string {
	if r.Status == records.Failed {
		return "failed: " + r.Message
	}
	text := fmt.Sprintf("%d errors in %d rows, BER %.6g", r.Errors, nTest, r.BER)
	if r.Message != "" {
		text += "; warning: " + r.Message
	}
	return text
}

// checkDump returns an error if dir is in a results folder or, unless force is true, if dumpReplay
// would replace a file in dir.
func checkDump(dir string, force bool) error {
	if err := checkOutsideResults(dir); err != nil {
		return err
	}
	for _, name := range []string{"train.csv", "test.csv", "model.json", "predictions.csv"} {
		if err := folder.CheckFree(dir, name, force); err != nil {
			return err
		}
	}
	return nil
}

// dumpReplay writes the data, the drawn model and the predictions of a trial to the folder dir.
func dumpReplay(out io.Writer, dir string, r *audit.Replay, force bool) error {
	if r.Draw == nil {
		return fmt.Errorf("--dump %s: there are no data to write, because the generator failed", dir)
	}
	list := append(filesOf(r.Draw), folder.Output{Name: "predictions.csv",
		Render: func(w io.Writer) error { return writePredictions(w, r) }})
	if err := folder.WriteAll(dir, list, force); err != nil {
		return err
	}
	var names []string
	for _, o := range list {
		names = append(names, o.Name)
	}
	fmt.Fprintf(out, "%s: %s\n", dir, strings.Join(names, ", "))
	return nil
}

// writePredictions writes a CSV line for each test row: its number, its class, and the predictions,
// scores and class probabilities of the successful classifiers.
func writePredictions(w io.Writer, r *audit.Replay) error {
	test := r.Draw.Test
	rowNumbers := []string{"row"} // a column begins with its header
	for row := range test.N() {
		rowNumbers = append(rowNumbers, strconv.Itoa(row+1))
	}
	columns := [][]string{rowNumbers, labelColumn("class", test.Y, test.Classes)}
	var numbers [][]string // columns of scores and probabilities, which follow all predictions
	for i := range r.Results {
		now := &r.Results[i].Now
		if now.Status != records.OK {
			continue // a failed fit has no predictions
		}
		columns = append(columns, labelColumn(now.Classifier, now.Labels, test.Classes))
		numbers = append(numbers, classColumns(now.Classifier+".score_", test.Classes, now.Predictions.Scores)...)
		numbers = append(numbers, classColumns(now.Classifier+".p_", test.Classes, now.Predictions.Probabilities)...)
	}
	return writeColumns(w, append(columns, numbers...))
}
