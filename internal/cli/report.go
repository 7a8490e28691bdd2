package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments"
	"copse/report"
	"copse/stats"
)

func newReport() *cobra.Command {
	return &cobra.Command{
		Use:   "report RESULTS...",
		Short: "Collect the journals and draw tables, figures and report.html from the records",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, dir := range args {
				s, err := loadRecorded(dir)
				if err != nil {
					return err
				}
				if experiments.HasJournal(dir) {
					if err := experiments.Collect(dir, s); err != nil {
						return err
					}
				}
				if _, err := reportStudy(cmd.OutOrStdout(), s, dir); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// layoutOf decodes a study's report and inference sections.
func layoutOf(s *experiments.Study) (report.Layout, error) {
	layout := report.DefaultLayout()
	if err := s.Decode(s.Report, "report", &layout); err != nil {
		return layout, err
	}
	return layout, s.Decode(s.Inference, "inference", &layout.Inference)
}

// reportStudy draws a results folder's tables and figures, prints the first
// table and returns the number of failed fits.
func reportStudy(out io.Writer, s *experiments.Study, dir string) (failed int, err error) {
	layout, err := layoutOf(s)
	if err != nil {
		return 0, err
	}
	ledger, err := experiments.ReadLedger(dir, s.Name, s.Seed)
	if err != nil {
		return 0, err
	}
	records := ledger.Records(s)
	described, err := describeStudy(s, dir)
	if err != nil {
		return 0, err
	}
	for _, r := range records.Rows {
		fit, predict := records.Seconds(r)
		described.Timings = append(described.Timings, report.Timing{Cell: r.Cell, Replicate: r.Replicate, Classifier: r.Classifier, Fit: fit, Predict: predict})
	}
	files, err := report.Write(dir, described, records.Records, layout)
	if err != nil {
		return 0, err
	}
	for _, r := range records.Rows {
		if r.Status == stats.Failed {
			failed++
		}
	}
	return failed, printReport(out, dir, files)
}

// printReport prints the first Markdown table and names every file.
func printReport(out io.Writer, dir string, files []string) error {
	for _, file := range files {
		if strings.HasSuffix(file, ".md") {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s\n", text)
			break
		}
	}
	fmt.Fprintf(out, "written to %s: %s, %s, %s\n", dir, "records.csv", "timings.csv", "manifest.json")
	for _, file := range files {
		relative, err := filepath.Rel(dir, file)
		if err != nil {
			relative = file
		}
		fmt.Fprintln(out, "  "+relative)
	}
	return nil
}
