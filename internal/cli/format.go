package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"copse/internal/reported"
	"copse/report"
)

// tableFormat is the value of the flag --format: the format of the table that a command prints,
// which is text or md (Markdown).
type tableFormat string

// add adds the flag --format to a command, with the default text.
func (f *tableFormat) add(cmd *cobra.Command) {
	*f = "text"
	cmd.Flags().Var(f, "format", "format of the printed table: text or md")
}

func (f *tableFormat) String() string { return string(*f) }
func (f *tableFormat) Type() string   { return "FORMAT" }

// Set parses the value of the flag. It implements the interface pflag.Value.
func (f *tableFormat) Set(name string) error {
	if name != "text" && name != "md" {
		return fmt.Errorf("want text or md")
	}
	*f = tableFormat(name)
	return nil
}

// print prints the first table of a study. It prints nothing if the study has no table.
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
