package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/data"
	"copse/report/sheet"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

func newDataList() *cobra.Command {
	return &cobra.Command{
		Use:   "list [NAME...]",
		Short: "List the sets, their sizes and which are here; describe those named",
		RunE:  func(cmd *cobra.Command, args []string) error { return listData(cmd.OutOrStdout(), args) },
	}
}

// listData prints a line for each set, or all of those that are named.
func listData(out io.Writer, only []string) error {
	store, err := data.DefaultStore()
	if err != nil {
		return err
	}
	for _, name := range only {
		if err := printData(out, store, name); err != nil {
			return err
		}
	}
	if len(only) > 0 {
		return nil
	}
	var sets []setLine
	for _, name := range data.Names() {
		s, _ := data.Lookup(name)
		sets = append(sets, setLine{name, s.Rows, len(s.Attributes), len(s.Classes), presence(store, s), s.Title})
	}
	others, err := store.Others()
	if err != nil {
		return err
	}
	for _, name := range others {
		c, rows, err := readOther(store, name)
		if err != nil {
			sets = append(sets, setLine{name: name, presence: "DAMAGED", title: err.Error()})
			continue
		}
		sets = append(sets, setLine{name, rows.N(), rows.D(), rows.C(), "here", "not registered, from " + c.Origin})
	}
	_, err = io.WriteString(out, listSets(sets, width(out)))
	return err
}

// A setLine is what is listed of a set.
type setLine struct {
	name                      string
	rows, attributes, classes int
	presence, title           string
}

// listSets is a table, or where a terminal of so many columns has no room for it the
// same in words below each name.
func listSets(sets []setLine, columns int) string {
	var table, words strings.Builder
	fmt.Fprintf(&table, "%-31s %7s %10s %7s  %-10s %s\n", "name", "rows", "attributes", "classes", "", "title")
	for _, s := range sets {
		fmt.Fprintf(&table, "%-31s %7d %10d %7d  %-10s %s\n", s.name, s.rows, s.attributes, s.classes, s.presence,
			s.title)
		fmt.Fprintf(&words, "%s (%s)\n    %s: %d rows, %d attributes, %d classes\n", s.name, s.presence, s.title,
			s.rows, s.attributes, s.classes)
	}
	if folded := sheet.Fold(table.String(), columns); folded == table.String() {
		return folded
	}
	return sheet.Fold(words.String(), columns)
}

// readOther reads a set that is not registered.
func readOther(store *data.Store, name string) (*data.Copy, *dataset.Set, error) {
	c, err := store.Find(name)
	if err != nil {
		return nil, nil, err
	}
	rows, err := csvfile.Read(bytes.NewReader(c.Text), c.Path, csvfile.Options{Schema: c.Schema})
	return c, rows, err
}

// presence says in a word whether a set is here.
func presence(store *data.Store, s *data.Set) string {
	switch _, err := store.Find(s.Name); {
	case err == nil:
		return "here"
	case !errors.Is(err, data.ErrAbsent):
		return "DAMAGED"
	case s.WhyNotFetched() != "":
		return "bring it"
	}
	return "fetch it"
}

// printData tells what a set is, and where.
func printData(out io.Writer, store *data.Store, name string) error {
	s, ok := data.Lookup(name)
	if !ok {
		return printOther(out, store, name)
	}
	printSet(out, s)
	if c, err := store.Find(s.Name); err != nil {
		fmt.Fprintf(out, "  %v\n", err)
	} else if c.Path == "" {
		fmt.Fprintln(out, "  here: part of copse")
	} else {
		fmt.Fprintf(out, "  here: %s\n", c.Path)
	}
	return nil
}

// printOther tells what a set is that is here and not registered.
func printOther(out io.Writer, store *data.Store, name string) error {
	c, rows, err := readOther(store, name)
	if errors.Is(err, data.ErrAbsent) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	incomplete := rows.N() - rows.Complete().N()
	var classes []string
	for k, n := range rows.Counts() {
		classes = append(classes, fmt.Sprintf("%s (%d)", rows.Classes[k], n))
	}
	fmt.Fprintf(out, "%s\n  not registered, from %s\n", name, c.Origin)
	fmt.Fprintf(out, "  %d rows, %d of them with missing values; classes %s\n", rows.N(), incomplete,
		strings.Join(classes, ", "))
	var names []string
	for _, a := range rows.Attributes {
		if a.Kind == dataset.Discrete {
			a.Name += " (discrete)"
		}
		names = append(names, a.Name)
	}
	fmt.Fprintf(out, "  %d attributes: %s\n  SHA-256 of the CSV: %s\n  here: %s\n", rows.D(),
		strings.Join(names, ", "), c.SHA256, c.Path)
	return nil
}

func printSet(out io.Writer, s *data.Set) {
	var classes []string
	for name, n := range s.Classes {
		classes = append(classes, fmt.Sprintf("%s (%d)", name, n))
	}
	slices.Sort(classes)
	fmt.Fprintf(out, "%s\n  %s\n", s.Name, s.Citation())
	fmt.Fprintf(out, "  %d rows, %d of them with missing values; classes %s\n", s.Rows, s.Incomplete,
		strings.Join(classes, ", "))
	fmt.Fprintf(out, "  %d attributes: %s\n", len(s.Attributes), strings.Join(s.Attributes, ", "))
	switch len(s.Discrete) {
	case 0:
		fmt.Fprintln(out, "  all numeric")
	case len(s.Attributes):
		fmt.Fprintln(out, "  all discrete")
	default:
		fmt.Fprintf(out, "  %d discrete: %s\n", len(s.Discrete), strings.Join(s.Discrete, ", "))
	}
	fmt.Fprintf(out, "  licence: %s\n", s.Licence)
	if s.Notes != "" {
		fmt.Fprintf(out, "  %s\n", s.Notes)
	}
	if s.SHA256 != "" {
		fmt.Fprintf(out, "  SHA-256 of the CSV: %s\n", s.SHA256)
	}
	if why := s.WhyNotFetched(); why != "" {
		fmt.Fprintf(out, "  not fetched: %s\n", why)
		return
	}
	for _, address := range s.Source.Archives {
		fmt.Fprintf(out, "  source: %s\n", address)
	}
	if s.Source.ArchiveSHA256 != "" {
		fmt.Fprintf(out, "  SHA-256 of the archive: %s\n", s.Source.ArchiveSHA256)
	}
	if s.Source.Folder != "" {
		fmt.Fprintf(out, "  source: %s (%s)\n", s.Source.Folder, strings.Join(s.Source.Files, ", "))
	}
	if s.Source.FileSHA256 != "" {
		fmt.Fprintf(out, "  SHA-256 of %s: %s\n", s.Source.Files[0], s.Source.FileSHA256)
	}
}
