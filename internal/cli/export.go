package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/results"
)

// newExport returns the command copse export.
func newExport() *cobra.Command {
	var file string
	var predictions bool
	cmd := &cobra.Command{
		Use:   "export RESULTS",
		Short: "Write a study's records as Parquet, or its stored predictions as CSV",
		Long: `Export writes the records of a results folder as Parquet, to standard output
or to the file of --out. It has the columns of records.csv; NA and empty
entries are null, factor levels are texts, and fingerprints and the seed are
hexadecimal texts. Columns are compressed with Zstandard. The file's metadata
contain the study's name, seed and SHA-256, the recipes of the classifiers,
and the versions of copse, Go and other programs that computed the records.
Memory use does not grow with the number of records. records.csv in the folder
has the same records as CSV.

--predictions writes the labels, scores and probabilities of every test row as
CSV, for a study that stores them (predictions: keep). data_file and file_row
give the place of the row in the data files, where the header is row 1.`,
		Example: `  copse export results/quickstart --out records.parquet
  copse export results/real-quickstart --predictions > predictions.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if err := checkResultsFolder(args[0]); err != nil {
				return err
			}
			unit, kind, export := "records", "Parquet", results.Export
			if predictions {
				unit, kind, export = "rows", "predictions", results.ExportPredictions
			} else if file == "" && isTerminal(out) {
				return usageErrorf("a terminal cannot show Parquet, a binary format; write it to a file with `--out`")
			}
			if err := checkExportName(file, predictions); err != nil {
				return err
			}
			warnOfNewResults(cmd.ErrOrStderr(), args[0], "export")
			written := 0
			write := func(w io.Writer) (err error) {
				written, err = export(args[0], w)
				return err
			}
			if file == "" {
				if err := write(unwrapped(out)); err != nil {
					return err
				}
			} else {
				if err := writeOutsideResults(file, kind, write); err != nil {
					return err
				}
				fmt.Fprintf(out, "%s: %d %s\n", file, written, unit)
			}
			if predictions {
				return requireAllPredictions(args[0])
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&predictions, "predictions", false, "write the stored predictions instead of the records")
	cmd.Flags().StringVar(&file, "out", "", "output file (default: standard output)")
	return cmd
}

// knownExtensions are the file extensions that checkExportName compares with the exported format.
var knownExtensions = []string{".csv", ".tsv", ".parquet", ".json", ".xlsx", ".gz", ".zip"}

// checkExportName returns an error if the extension of the output file belongs to another format
// than the exported one.
func checkExportName(file string, predictions bool) error {
	own, format, note := ".parquet", "Parquet", "; records.csv in the results folder contains the same records as CSV"
	if predictions {
		own, format, note = ".csv", "CSV without compression", ""
	}
	extension := strings.ToLower(filepath.Ext(file))
	if extension == own || !slices.Contains(knownExtensions, extension) {
		return nil
	}
	return usageErrorf("--out %s: the output is %s; choose a name that ends in `%s`%s", file, format, own, note)
}

// warnOfNewResults prints a warning if the journals or the study of a results folder have changed
// since its records were written. product is the noun for the command's output, such as "export".
func warnOfNewResults(errOut io.Writer, dir, product string) {
	const warning = "warning: %s changed since records.csv was written, so the %s may %s; run `copse report %s` first\n"
	switch {
	case results.JournalsChanged(dir):
		fmt.Fprintf(errOut, warning, "the journals have", product, "lack results", cluster.ShellWord(dir))
	case results.StudyChanged(dir):
		fmt.Fprintf(errOut, warning, "study.yaml has", product, "be outdated", cluster.ShellWord(dir))
	}
}

// requireAllPredictions returns an error if some results in a results folder have no predictions.
func requireAllPredictions(dir string) error {
	f, err := results.Open(dir)
	if err != nil {
		return err
	}
	lacking, err := f.LackPredictions(f.Select())
	if err == nil && lacking > 0 {
		err = fmt.Errorf("the export is incomplete: %s contains no predictions for %d results; "+
			"`copse run` computes them", dir, lacking)
	}
	return err
}
