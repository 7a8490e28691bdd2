package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/published"
	"copse/experiments/results"
	"copse/internal/reported"
	"copse/report"
	"copse/report/page"
	"copse/stats/records"
)

func newReport() *cobra.Command {
	var index string
	var format tableFormat
	cmd := &cobra.Command{
		Use:   "report RESULTS...",
		Short: "Collect the journals and draw tables, figures and report.html from the records",
		Long: `Report collects a study's journals, draws its tables and figures and writes
report.html. Of a study with a published section it prints how ours agree with the
published numbers. What cannot be drawn is an error and has its place on the page; all else
is written. Of several studies it also writes an index page, index.html in the
folder that holds them.`,
		Example: `  copse report results/quickstart
  copse report results/quickstart --format md
  copse report results/*`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var lacks []error
			for _, dir := range args {
				f, err := openFolder(dir)
				if err != nil {
					return err
				}
				if results.HasJournals(dir) {
					if err := folder.Locked(dir, func() error { return results.GatherPredictions(dir) }); err != nil {
						return err
					}
					if err := f.Collect(); err != nil {
						return err
					}
				}
				_, err = reportStudy(cmd.OutOrStdout(), f, format)
				if lacking(err) {
					lacks = append(lacks, err)
				} else if err != nil {
					return err
				}
			}
			if len(args) > 1 && index == "" {
				index = filepath.Join(filepath.Dir(filepath.Clean(args[0])), folder.Index)
			}
			if index != "" {
				lacks = append(lacks, writeIndex(cmd.OutOrStdout(), args, index))
			}
			return errors.Join(lacks...)
		},
	}
	format.add(cmd)
	cmd.Flags().StringVar(&index, "index", "",
		"write the index page here (default: beside the folders, if there are several)")
	return cmd
}

// reportGC is the percentage of garbage that a report accumulates at most. A report of
// millions of results would otherwise take twice their memory.
const reportGC = 33

// reportStudy draws a results folder's tables and figures, prints the first
// table and returns the number of failed fits.
func reportStudy(out io.Writer, f *results.Folder, format tableFormat) (failed int, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(reportGC))
	dir := f.Dir
	r, err := reported.Read(f)
	if err != nil {
		return 0, err
	}
	made, err := report.Make(r.Study, r.Records.Records, r.Layout, r.Papers)
	if err != nil {
		return 0, err
	}
	copies, err := published.Copies(r.Source.Tables, dir)
	if err != nil {
		return 0, err
	}
	written, err := folder.Replace(dir, append(kept(made.Documents), copies...))
	if err != nil {
		return 0, err
	}
	for _, row := range r.Records.Rows {
		if row.Status == records.Failed {
			failed++
		}
	}
	if missing := made.Missing; len(missing) == 0 || missing[0].List != "tables" || missing[0].Index > 0 {
		if err := format.print(out, r); err != nil {
			return failed, err
		}
	}
	verdicts, err := report.Verdicts(r.Study, r.Records.Records, r.Layout, r.Papers)
	if err != nil {
		return failed, err
	}
	for _, verdict := range verdicts {
		fmt.Fprintln(out, verdict)
	}
	for _, note := range r.Records.Notes {
		fmt.Fprintln(out, "note:", note)
	}
	var collected []string
	for _, name := range []string{folder.Records, folder.Timings, folder.Manifest} {
		collected = append(collected, filepath.Join(dir, name))
	}
	written.Paths = append(collected, written.Paths...)
	err = printFiles(out, dir, written)
	if mistakes := r.Source.Mistakes(made.Missing); mistakes != nil {
		err = errors.Join(err, &incomplete{dir, mistakes})
	}
	return failed, err
}

// incomplete says what could not be made of a report that is written but for it.
type incomplete struct {
	dir      string
	mistakes error
}

func (e *incomplete) Error() string {
	return fmt.Sprintf("%s: the report is written, but for what could not be made:\n%v", e.dir, e.mistakes)
}

// lacking tells whether an error is that of a report that is written, but for a part.
func lacking(err error) bool {
	part := (*incomplete)(nil)
	return errors.As(err, &part)
}

// kept are documents as a results folder keeps them.
func kept(documents []report.Document) []folder.Output {
	list := make([]folder.Output, len(documents))
	for i, d := range documents {
		list[i] = folder.Output(d)
	}
	return list
}

// printFiles lists what was written, and what was in its place.
func printFiles(out io.Writer, dir string, w folder.Written) error {
	for _, file := range w.Aside {
		fmt.Fprintf(out, "kept %s: no report had written it so\n", file)
	}
	fmt.Fprintf(out, "written to %s:\n", dir)
	for _, file := range w.Paths {
		relative, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "  "+relative)
	}
	return nil
}

// writeIndex writes a page that leads to the reports of several studies.
func writeIndex(out io.Writer, dirs []string, path string) error {
	parent, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	var entries []page.Entry
	for _, dir := range dirs {
		r, err := openResults(dir)
		if err != nil {
			return err
		}
		e, err := report.Summarize(r.Study, r.Records.Records, r.Layout, r.Papers)
		if err != nil {
			return err
		}
		page, err := filepath.Abs(filepath.Join(dir, folder.Page))
		if err != nil {
			return err
		}
		link, err := filepath.Rel(parent, page)
		if err != nil {
			return err
		}
		e.Link = filepath.ToSlash(link)
		entries = append(entries, e)
	}
	if err := folder.Make(parent); err != nil {
		return err
	}
	if err := folder.WriteNamed(path, func(w io.Writer) error { return page.Index(w, entries) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "index of %d studies: %s\n", len(entries), path)
	return err
}
