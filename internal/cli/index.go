package cli

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/report"
	"copse/report/page"
	"copse/report/view"
)

// newIndex returns the command copse index.
func newIndex() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "index RESULTS...",
		Short: "Write a page with the main findings of several studies and links to their reports",
		Long: `Index writes one page over several results folders: the question and the main
finding of each study, the date and version of its last run, and a link to its
report.html. Write the reports first, with copse report or copse run.`,
		Example: `  copse report results/grand-tour results/real-tour
  copse index results/grand-tour results/real-tour --out pages/index.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			defaultFile := filepath.Join(filepath.Dir(filepath.Clean(args[0])), folder.Index)
			for _, dir := range args {
				warnOfNewResults(cmd.ErrOrStderr(), dir, "report")
			}
			return writeIndex(cmd.OutOrStdout(), args, cmp.Or(file, defaultFile))
		},
	}
	cmd.Flags().StringVar(&file, "out", "", "output file (default: index.html beside the first results folder)")
	return cmd
}

// writeIndex writes an index page of the results folders in dirs to a file.
func writeIndex(out io.Writer, dirs []string, file string) error {
	parent, _ := filepath.Abs(filepath.Dir(file)) // fails only without a working directory
	var entries []page.Entry
	for _, dir := range dirs {
		if filepath.Base(dir) == folder.Index {
			continue // a page that a pattern such as results/* includes
		}
		e, err := indexEntry(dir, parent)
		if err != nil {
			return err
		}
		isListed := slices.ContainsFunc(entries, func(o page.Entry) bool { return o.Link == e.Link })
		if !isListed { // overlapping patterns can give a folder twice
			entries = append(entries, e)
		}
	}
	if entries == nil {
		return usageErrorf("give at least one results folder")
	}
	if err := checkOutsideResults(file); err != nil {
		return err
	}
	if err := folder.Make(parent); err != nil {
		return err
	}
	write := func(w io.Writer) error { return page.Index(w, entries) }
	if err := writeOutsideResults(file, "page of copse index", write); err != nil {
		return err
	}
	fmt.Fprintf(out, "index of %s: %s\n", view.Plural(len(entries), "study", "studies"), file)
	return nil
}

// indexEntry summarises a results folder for the index page. parent is the absolute path of the
// page's folder, to which the link is relative.
func indexEntry(dir, parent string) (page.Entry, error) {
	r, err := openResults(dir)
	if err != nil {
		return page.Entry{}, err
	}
	e := report.Summarize(r.Study, r.Records.Records, r.Layout, r.Papers)
	target, _ := filepath.Abs(filepath.Join(dir, folder.Page))
	if !folder.Exists(target) {
		return e, usageErrorf("%s has no %s to link to; write it with `copse report %[1]s`", dir, folder.Page)
	}
	link, err := filepath.Rel(parent, target)
	if err != nil {
		return e, err
	}
	address := url.URL{Path: filepath.ToSlash(link)} // escapes characters such as # in the names of folders
	e.Link = address.String()
	return e, nil
}
