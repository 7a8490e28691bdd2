package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/report/sheet"
)

// A formatFlag is the value of the flag --format, one of several names.
type formatFlag struct {
	name    string
	allowed []string
}

// add adds the flag --format to a command. The first name is the default.
func (f *formatFlag) add(cmd *cobra.Command, usage string, names ...string) {
	f.name, f.allowed = names[0], names
	cmd.Flags().Var(f, "format", usage)
}

func (f *formatFlag) String() string { return f.name }
func (f *formatFlag) Type() string   { return "FORMAT" }

func (f *formatFlag) Set(name string) error {
	if !slices.Contains(f.allowed, name) {
		return fmt.Errorf("want one of %s", strings.Join(f.allowed, ", "))
	}
	f.name = name
	return nil
}

// printTableAs prints a table as "markdown" or as "text", which fits the width of the terminal.
func printTableAs(out io.Writer, format string, t *sheet.Sheet) (err error) {
	if format == "markdown" {
		err = t.Markdown(out)
	} else {
		err = t.Text(out, width(out))
	}
	fmt.Fprintln(out)
	return err
}
