package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/report/sheet"
)

// tableFormat is the value of the flag --format: text or md (Markdown). It implements pflag.Value.
type tableFormat string

func (f *tableFormat) add(cmd *cobra.Command) {
	*f = "text"
	cmd.Flags().Var(f, "format", "format of the printed table: text or md")
}

func (f *tableFormat) String() string { return string(*f) }
func (f *tableFormat) Type() string   { return "FORMAT" }

func (f *tableFormat) Set(name string) error {
	if name != "text" && name != "md" {
		return fmt.Errorf("want text or md")
	}
	*f = tableFormat(name)
	return nil
}

// print prints a table. It fits the table to the width of the terminal.
func (f tableFormat) print(out io.Writer, t *sheet.Sheet) (err error) {
	if f == "md" {
		err = t.Markdown(out)
	} else {
		err = t.Text(out, width(out))
	}
	fmt.Fprintln(out)
	return err
}
