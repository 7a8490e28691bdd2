package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/published"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/internal/reported"
	"copse/report"
	"copse/stats/records"
)

// newReport returns the command copse report.
func newReport() *cobra.Command {
	var format formatFlag
	cmd := &cobra.Command{
		Use:   "report RESULTS...",
		Short: "Collect the records of results folders and write tables, figures and report.html",
		Long: `Report collects the records from the journals of each results folder, draws the
tables and figures and writes report.html. For a study with published numbers
it prints how well the results agree with them. If a table or figure cannot be
drawn, report writes everything else, gives the reason on the page and ends
with an error. copse index writes a page that links several reports.

Report uses the study that the results folder contains (study.yaml). After you
change labels, tables or figures in your study file, repeat copse run: it
computes only missing results and draws the report again.`,
		Example: `  copse report results/quickstart
  copse report results/quickstart --format markdown`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return eachOf(len(args), func(i int) error {
				return collectAndReport(cmd.OutOrStdout(), newProgress(cmd, args[i]), args[i], format.name)
			})
		},
	}
	format.add(cmd, "format of the printed table: text or markdown", "text", "markdown")
	return cmd
}

// collectAndReport collects the records of a results folder and writes its report. The error is a
// partialFailure if some parts could not be drawn.
func collectAndReport(out io.Writer, progress run.Progress, dir string, format string) error {
	var f *results.Folder
	err := run.UnlessDrained(nil, progress, "reading results", func() (err error) {
		f, err = collect(dir)
		return err
	})
	if err != nil {
		return err
	}
	return run.UnlessDrained(nil, progress, makingReport, func() error {
		_, _, err := reportStudy(out, f, format)
		return err
	})
}

// collect opens a results folder and writes the files that follow from its journals, if any. It
// returns an error if all stored results belong to another study.
func collect(dir string) (*results.Folder, error) {
	f, err := openWithoutLinks(dir)
	if err != nil || !results.HasJournals(dir) {
		return f, err
	}
	if err := f.RequireRecords(); err != nil {
		return nil, err
	}
	return f, f.Collect()
}

// reportGC is the value of GOGC while a report is written. With Go's default of 100, a report on
// millions of results would need much more memory.
const reportGC = 33

// makingReport describes, in progress messages, what reportStudy is doing.
const makingReport = "making tables and figures"

// reportStudy writes the tables, figures and page of a results folder and prints the first table.
// The error is a partialFailure if some parts could not be drawn. Afterwards, the caller must not
// read results from f, because reportStudy may have freed their memory.
func reportStudy(out io.Writer, f *results.Folder, format string) (
	failed []records.Record, notes []string, err error,
) {
	defer debug.SetGCPercent(debug.SetGCPercent(reportGC)) // restores the old value on return
	r, err := reported.Read(f)
	if err != nil {
		return failed, notes, err
	}
	failed, notes = r.Records.Failures(), r.Records.Notes
	if !f.Study.Predictions {
		// Free the stored results that the report does not need. If the study stores predictions,
		// some figures may need all results.
		f.Release(r.Records)
	}
	made, err := report.Make(r.Study, r.Records.Records, r.Layout, r.Papers)
	if err != nil {
		return failed, notes, r.Source.Locate(err)
	}
	outputs, renamed, err := writeOutputs(f, r, made)
	if err != nil {
		return failed, notes, err
	}
	if err := printFindings(out, r, made, format); err != nil {
		return failed, notes, err
	}
	printWritten(out, f.Dir, outputs, renamed)
	if mistakes := r.Source.MissingError(made.Missing); mistakes != nil {
		return failed, notes, partialFailure{fmt.Errorf("%s: the report was written without these parts:\n%v", f.Dir,
			mistakes)}
	}
	return failed, notes, nil
}

// writeOutputs replaces the files of the last report with the documents of a new one and copies of
// the published tables.
func writeOutputs(f *results.Folder, r *reported.Results, made *report.Report) (
	outputs []folder.Output, renamed []string, err error,
) {
	if outputs, err = published.Copies(r.Source.Tables, f.Dir); err != nil {
		return nil, nil, err
	}
	for _, d := range made.Documents {
		outputs = append(outputs, folder.Output(d))
	}
	renamed, err = folder.Replace(f.Dir, f.Manifest.ReportSources(), outputs)
	return outputs, renamed, err
}

// printFindings prints the first table, if any, the agreement with published numbers, and the notes
// on the records.
func printFindings(out io.Writer, r *reported.Results, made *report.Report, format string) error {
	if made.First != nil {
		if err := printTableAs(out, format, made.First); err != nil {
			return err
		}
	}
	if made.Verdict != "" {
		fmt.Fprintln(out, made.Verdict)
	}
	printMessages(out, "note", r.Records.Notes)
	return nil
}

// printWritten lists the files that copse renamed instead of overwriting them, and then the files
// that a report wrote.
func printWritten(out io.Writer, dir string, outputs []folder.Output, renamed []string) {
	for _, file := range renamed {
		fmt.Fprintf(out, "kept %s: this file was edited, or copse did not write it\n", file)
	}
	fmt.Fprintf(out, "written to %s:\n", dir)
	for _, name := range []string{folder.Records, folder.Timings, folder.Manifest} {
		fmt.Fprintln(out, "  "+name)
	}
	for _, o := range outputs {
		fmt.Fprintln(out, "  "+filepath.FromSlash(o.Name))
	}
}
