package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/internal/reported"
	"copse/report"
)

// tableFormat is how the first table is printed.
type tableFormat string

func (f *tableFormat) add(cmd *cobra.Command) {
	*f = "text"
	cmd.Flags().Var(f, "format", "of the table that is printed: text or md")
}

func (f *tableFormat) String() string { return string(*f) }
func (f *tableFormat) Type() string   { return "FORMAT" }

// Set takes text or md.
func (f *tableFormat) Set(name string) error {
	if name != "text" && name != "md" {
		return fmt.Errorf("want text or md")
	}
	*f = tableFormat(name)
	return nil
}

// print prints the study's first table.
func (f tableFormat) print(out io.Writer, r *reported.Results) error {
	t, err := report.FirstTable(r.Study, r.Records.Records, r.Layout)
	if err != nil || t == nil {
		return err
	}
	if f == "md" {
		err = t.Markdown(out)
	} else {
		err = t.Text(out, width(out))
	}
	fmt.Fprintln(out)
	return err
}
