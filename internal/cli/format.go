package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/internal/reported"
	"copse/report"
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

// print prints the first table of a study, if there is one. columns is the width of the terminal, or 0 if
// the output is not a terminal.
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
