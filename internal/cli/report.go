package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/journal"
	"copse/experiments/ledger"
	"copse/experiments/predictions"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/compare"
	"copse/report/page"
	"copse/report/view"
	"copse/stats/records"
)

func newReport() *cobra.Command {
	var index string
	var format tableFormat
	cmd := &cobra.Command{
		Use:   "report RESULTS...",
		Short: "Collect the journals and draw tables, figures and report.html from the records",
		Long: `Report collects a study's journals, draws its tables and figures and writes
report.html. What cannot be drawn is an error and has its place on the page; all else
is written. Of several studies it also writes an index page, index.html in the
folder that holds them.`,
		Example: `  copse report results/quickstart
  copse report results/quickstart --format md
  copse report results/*`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var lacks []error
			for _, dir := range args {
				s, err := loadRecorded(dir)
				if err != nil {
					return err
				}
				if journal.Kept(dir) {
					if err := folder.Locked(dir, func() error { return predictions.Gather(dir) }); err != nil {
						return err
					}
					if err := ledger.Collect(dir, s); err != nil {
						return err
					}
				}
				_, err = reportStudy(cmd.OutOrStdout(), s, dir, format)
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
	cmd.Flags().StringVar(&index, "index", "", "write the index page here (default: beside the folders, if there are several)")
	return cmd
}

// layoutOf decodes a study's report and inference sections.
func layoutOf(s *study.Study) (report.Layout, error) {
	layout := report.DefaultLayout()
	if err := s.Decode("report", &layout); err != nil {
		return layout, err
	}
	if err := s.Decode("inference", &layout.Inference); err != nil {
		return layout, err
	}
	return layout, checkInference(s, layout.Inference)
}

// checkInference refuses units that the design does not have, before anything runs.
func checkInference(s *study.Study, o view.Inference) error {
	section := s.Section("inference")
	if section == nil {
		return nil // the defaults are valid in every design
	}
	d, sampling := s.Decoder(), samplings(s, s.Cells, nil, nil)
	for _, c := range s.Cells {
		if err := o.CheckUnit(sampling[c.ID]); err != nil {
			d.Fail(config.Lookup(section, "unit"), "inference.unit", "%s (cell %s)", err, cmp.Or(s.Describe(c), c.ID))
		}
	}
	return d.Err()
}

// results are what a folder holds, read for a report.
type results struct {
	layout  report.Layout
	records *ledger.Selection
	study   view.Study
	papers  []compare.Options // published numbers beside ours
}

func readResults(s *study.Study, dir string) (*results, error) {
	layout, err := layoutOf(s)
	if err != nil {
		return nil, err
	}
	ledger, err := ledger.Read(dir, s.Name, s.Seed)
	if err != nil {
		return nil, err
	}
	r := &results{layout: layout, records: ledger.Records(s)}
	if r.study, err = describeStudy(s, dir, r.records); err != nil {
		return nil, err
	}
	remarkSweeps(s, r)
	r.papers, err = comparisonsOf(s, r.records.Records, r.study.Sampling)
	return r, err
}

// remarkSweeps says of cells at levels that the study does not list that they are of
// another sweep: no table shows the levels of two under one header without it.
func remarkSweeps(s *study.Study, r *results) {
	for _, c := range r.records.Cells() {
		for _, f := range s.Factors {
			level := c.Levels.Of(f.Name)
			if level == "" || slices.Contains(f.Levels, level) {
				continue
			}
			text := fmt.Sprintf("Results at %s other than %s are of an earlier sweep: the study as it is now does not list these levels.", f.Name, strings.Join(f.Levels, ", "))
			r.study.Remarks[c.ID] = strings.TrimSpace(r.study.Remarks[c.ID] + " " + text)
		}
	}
}

// reportStudy draws a results folder's tables and figures, prints the first
// table and returns the number of failed fits.
func reportStudy(out io.Writer, s *study.Study, dir string, format tableFormat) (failed int, err error) {
	r, err := readResults(s, dir)
	if err != nil {
		return 0, err
	}
	documents, missing, err := report.Documents(r.study, r.records.Records, r.layout, r.papers)
	if err != nil {
		return 0, err
	}
	copies, err := published.Copies(s, dir)
	if err != nil {
		return 0, err
	}
	written, err := folder.Replace(dir, append(kept(documents), copies...))
	if err != nil {
		return 0, err
	}
	for _, row := range r.records.Rows {
		if row.Status == records.Failed {
			failed++
		}
	}
	if len(missing) == 0 || missing[0].List != "tables" || missing[0].Index > 0 {
		if err := format.print(out, r); err != nil {
			return failed, err
		}
	}
	for _, note := range r.records.Notes {
		fmt.Fprintln(out, "note:", note)
	}
	written.Paths = append([]string{filepath.Join(dir, folder.Records), filepath.Join(dir, folder.Timings), filepath.Join(dir, folder.Manifest)}, written.Paths...)
	return failed, errors.Join(printFiles(out, dir, written), incompleteReport(s, dir, missing))
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

// incompleteReport puts what is missing beside its keys; nil: nothing is.
func incompleteReport(s *study.Study, dir string, missing []report.Missing) error {
	f := foresight{s: s, d: s.Decoder()}
	for _, m := range missing {
		f.fail(m.List, m.Index, "", m.Err)
	}
	if err := f.d.Err(); err != nil {
		return &incomplete{dir, err}
	}
	return nil
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
		s, err := loadRecorded(dir)
		if err != nil {
			return err
		}
		r, err := readResults(s, dir)
		if err != nil {
			return err
		}
		e, err := report.Summarize(r.study, r.records.Records, r.layout, r.papers)
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
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	if err := folder.WriteNamed(path, func(w io.Writer) error { return page.Index(w, entries) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "index of %d studies: %s\n", len(entries), path)
	return err
}
