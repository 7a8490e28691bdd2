package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/results"
)

func newExport() *cobra.Command {
	var file string
	var rows bool
	cmd := &cobra.Command{
		Use:   "export RESULTS",
		Short: "Write a study's records as Parquet, or its kept predictions as CSV",
		Long: `Export writes the records of a results folder as Parquet to standard output or, with
--out, to a file: the columns of records.csv, zstd; NA and empty are null, fingerprints
hexadecimal texts. Texts are dictionary-encoded. The metadata of the file have the study's
name, seed and SHA-256, the recipes with their versions, and the versions of copse, Go and
programs that computed the records. It reads a few thousand records at a time, however many there are.
records.csv in the folder has the same records as CSV.

With --predictions it writes, as CSV, the labels, scores and probabilities of every test
row, of a study that keeps them (predictions: keep).`,
		Example: `  copse export results/quickstart --out records.parquet
  copse export results/real-quickstart --predictions > predictions.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, out := args[0], cmd.OutOrStdout()
			if err := isResultsFolder(dir); err != nil {
				return err
			}
			if rows {
				return writeExport(out, file, "rows", func(w io.Writer) (int, error) {
					return results.ExportPredictions(dir, w)
				})
			}
			if file == "" && isTerminal(out) {
				return usagef("Parquet is not for terminals: name a file with --out")
			}
			return writeExport(out, file, "records", func(w io.Writer) (int, error) { return results.Export(dir, w) })
		},
	}
	cmd.Flags().BoolVar(&rows, "predictions", false, "write the kept predictions in place of the records")
	cmd.Flags().StringVar(&file, "out", "", "file to write (default: standard output)")
	return cmd
}

// writeExport writes to a file and prints its size, or to out where no file is named.
func writeExport(out io.Writer, file, unit string, write func(io.Writer) (int, error)) error {
	if file == "" {
		_, err := write(document(out))
		return err
	}
	n := 0
	err := folder.WriteNamed(file, func(w io.Writer) (err error) {
		n, err = write(w)
		return err
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %d %s\n", file, n, unit)
	}
	return err
}
