package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/results"
)

func newExport() *cobra.Command {
	var format, file string
	var rows bool
	cmd := &cobra.Command{
		Use:   "export RESULTS",
		Short: "Write a study's records as CSV or Parquet",
		Long: `Export writes the records of a results folder to standard output or, with --out,
to a file: as CSV (the columns of records.csv, unzipped) or as Parquet (the same
columns, zstd; NA and empty are null, fingerprints hexadecimal texts). It holds a
few thousand records at a time, however many there are. With --predictions it
writes, as CSV, the labels, scores and probabilities of every test row, of a study
that keeps them (predictions: keep).`,
		Example: `  copse export results/quickstart > records.csv
  copse export results/quickstart --format parquet --out records.parquet`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(results.ExportFormats, format) {
				return usagef("--format %s: want %s", format, strings.Join(results.ExportFormats, " or "))
			}
			if err := isResultsFolder(args[0]); err != nil {
				return err
			}
			if rows {
				return exportPredictions(cmd.OutOrStdout(), args[0], format, file)
			}
			if file != "" {
				return exportFile(cmd.OutOrStdout(), args[0], format, file)
			}
			if format == "parquet" && isTerminal(cmd.OutOrStdout()) {
				return usagef("Parquet is not for terminals: name a file with --out")
			}
			_, err := results.Export(args[0], format, document(cmd.OutOrStdout()))
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "csv", "csv or parquet")
	cmd.Flags().BoolVar(&rows, "predictions", false, "what classifiers said of every test row, in place of the records")
	cmd.Flags().StringVar(&file, "out", "", "file to write (default: standard output)")
	return cmd
}

func exportPredictions(out io.Writer, dir, format, file string) error {
	if format != "csv" {
		return usagef("--predictions are written as csv")
	}
	if file == "" {
		_, err := results.ExportPredictions(dir, document(out))
		return err
	}
	lines := 0
	err := folder.WriteNamed(file, func(w io.Writer) (err error) {
		lines, err = results.ExportPredictions(dir, w)
		return err
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %d rows\n", file, lines)
	}
	return err
}

func exportFile(out io.Writer, dir, format, file string) error {
	rows := 0
	err := folder.WriteNamed(file, func(w io.Writer) (err error) {
		rows, err = results.Export(dir, format, w)
		return err
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %d records\n", file, rows)
	}
	return err
}
