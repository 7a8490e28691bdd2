package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/data"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// newDataList returns the command copse data list.
func newDataList() *cobra.Command {
	return &cobra.Command{
		Use:   "list [NAME...]",
		Short: "List all data sets and show which are on this machine, or describe the named ones",
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := data.DefaultStore()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listSets(cmd.OutOrStdout(), store)
			}
			for _, name := range args {
				if err := describeSet(cmd.OutOrStdout(), store, name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// listSets prints a table of the registered data sets, followed by those that the user added.
func listSets(out io.Writer, store *data.Store) error {
	table := [][]string{{"name", "rows", "attributes", "classes", "state", "title"}}
	for _, name := range data.Names() {
		s, _ := data.Lookup(name)
		table = append(table, []string{name, fmt.Sprint(s.Rows), fmt.Sprint(len(s.Attributes)),
			fmt.Sprint(len(s.Classes)), stateOf(store, s), s.Title})
	}
	others, err := store.Others()
	if err != nil {
		return err
	}
	for _, name := range others {
		c, rows, err := readOther(store, name)
		if err != nil {
			table = append(table, []string{name, "-", "-", "-", damaged, err.Error()})
			continue
		}
		table = append(table, []string{name, fmt.Sprint(rows.N()), fmt.Sprint(rows.D()), fmt.Sprint(rows.C()),
			"here", "not registered, from " + c.From})
	}
	printTable(out, table)
	return nil
}

// damaged is the state of a data set whose file is invalid.
const damaged = "DAMAGED"

// stateOf returns the state of a registered data set. The states are
//
//	"here"      the file exists and is valid
//	damaged     the file exists but is invalid
//	"fetch it"  there is no file, but copse can download it
//	"add it"    there is no file, and the user must provide it
func stateOf(store *data.Store, s *data.Set) string {
	_, err := store.Find(s.Name)
	switch {
	case err == nil:
		return "here"
	case !errors.Is(err, data.ErrAbsent):
		return damaged
	case s.WhyNotFetched() != "":
		return "add it"
	}
	return "fetch it"
}

// readOther reads a data set that the user added with "copse data add".
func readOther(store *data.Store, name string) (*data.Copy, *dataset.Set, error) {
	c, err := store.Find(name)
	if err != nil {
		return nil, nil, err
	}
	rows, err := csvfile.Read(bytes.NewReader(c.Text), c.Path, csvfile.Options{Schema: c.Schema})
	return c, rows, err
}

// describeSet prints a description of a data set and the path of its file.
func describeSet(out io.Writer, store *data.Store, name string) error {
	s, registered := data.Lookup(name)
	if !registered {
		return describeOther(out, store, name)
	}
	describeRegistered(out, s)
	c, err := store.Find(s.Name)
	switch {
	case err != nil: // the state of the file is part of the description
		fmt.Fprintf(out, "  %v\n", err)
	case c.Path == "":
		fmt.Fprintln(out, "  file: built into copse")
	default:
		fmt.Fprintf(out, "  file: %s\n", c.Path)
	}
	return nil
}

// describeOther prints a description of a data set that the user added.
func describeOther(out io.Writer, store *data.Store, name string) error {
	c, rows, err := readOther(store, name)
	if errors.Is(err, data.ErrAbsent) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	classes := map[string]int{}
	for k, n := range rows.Counts() {
		classes[rows.Classes[k]] = n
	}
	var names, discrete []string
	for _, a := range rows.Attributes {
		names = append(names, a.Name)
		if a.Kind == dataset.Discrete {
			discrete = append(discrete, a.Name)
		}
	}
	fmt.Fprintf(out, "%s\n  not a registered data set; read from %s\n", name, c.From)
	printContent(out, rows.N(), rows.N()-len(rows.CompleteRows()), classes, names, discrete)
	fmt.Fprintf(out, "  SHA-256 of the CSV: %s\n  file: %s\n", c.SHA256, c.Path)
	return nil
}

// printContent prints the size, classes and attributes of a data set. classes contains the number
// of rows of each class.
func printContent(out io.Writer, rows, incomplete int, classes map[string]int, attributes, discrete []string) {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		list = append(list, fmt.Sprintf("%s (%d)", name, classes[name]))
	}
	fmt.Fprintf(out, "  %d rows, %d with missing values; classes %s\n", rows, incomplete, strings.Join(list, ", "))
	fmt.Fprintf(out, "  %d attributes: %s\n", len(attributes), strings.Join(attributes, ", "))
	switch len(discrete) {
	case 0:
		fmt.Fprintln(out, "  all numeric")
	case len(attributes):
		fmt.Fprintln(out, "  all discrete")
	default:
		fmt.Fprintf(out, "  %d discrete: %s\n", len(discrete), strings.Join(discrete, ", "))
	}
}

// describeRegistered prints the citation, content, licence and source of a registered data set.
func describeRegistered(out io.Writer, s *data.Set) {
	fmt.Fprintf(out, "%s\n  %s\n", s.Name, s.Citation())
	printContent(out, s.Rows, s.Incomplete, s.Classes, s.Attributes, s.Discrete)
	facts := [][2]string{{"licence", s.Licence}, {"note", s.Notes},
		{"shares rows with", strings.Join(s.SharesRows, ", ")}, {"SHA-256 of the CSV", s.SHA256}}
	if why := s.WhyNotFetched(); why != "" {
		facts = append(facts, [2]string{"not fetched", why})
	} else {
		for _, address := range s.Source.Archives {
			facts = append(facts, [2]string{"source", address})
		}
		facts = append(facts, [2]string{"SHA-256 of the archive", s.Source.ArchiveSHA256})
		if s.Source.FileSHA256 != "" {
			facts = append(facts, [2]string{"SHA-256 of " + s.Source.Files[0], s.Source.FileSHA256})
		}
	}
	for _, fact := range facts {
		if fact[1] != "" {
			fmt.Fprintf(out, "  %s: %s\n", fact[0], fact[1])
		}
	}
}
