package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/internal/reported"
	"copse/report"
	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/view"
	"copse/stats/recipe"
)

// newPlot returns the command copse plot.
func newPlot() *cobra.Command {
	var out string
	var formats []string
	cmd := &cobra.Command{
		Use:   "plot RESULTS KIND [KEY=VALUE...]",
		Short: "Draw a figure of a study's records without editing the study",
		Long: `Plot draws a figure from the records of a results folder and prints its caption.
KEY=VALUE sets a key of the figure, as in the section report.figures of a study
file (copse explain report.figures); commas separate the items of a list.
copse list figures lists the KINDs.`,
		Example: `  copse plot results/quickstart box panel=n --format pdf
  copse plot results/quickstart line x=n excess=true band=quartiles
  copse plot results/quickstart heat shown=rank width=column --out plots`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			isUnknown := func(format string) bool { return !slices.Contains(canvas.Formats, format) }
			if len(formats) == 0 || slices.ContainsFunc(formats, isUnknown) {
				return usageErrorf("--format %q: the formats are svg, png and pdf", strings.Join(formats, ","))
			}
			o, err := figureOptions(args[1], args[2:])
			if err != nil {
				return err
			}
			return plot(cmd.OutOrStdout(), args[0], out, formats, o)
		},
	}
	cmd.Flags().StringVar(&out, "out", ".", "folder for the figure")
	cmd.Flags().StringSliceVar(&formats, "format", []string{"svg"}, "file formats: svg, png, pdf")
	return cmd
}

// plot draws a figure of the results in the folder dir and writes the figure to the folder out in
// each format. It prints the file paths and the caption.
func plot(stdout io.Writer, dir, out string, formats []string, o figure.Options) error {
	r, err := openResults(dir)
	if err != nil {
		return err
	}
	if err := checkOutsideResults(out); err != nil {
		return err
	}
	r.Layout.Formats = formats
	documents, pictures, err := report.Plot(r.Study, r.Records.Records, r.Layout, o)
	if _, ok := errors.AsType[*view.BadOption](err); ok {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if err := folder.Make(out); err != nil {
		return err
	}
	for _, d := range documents {
		path := filepath.Join(out, d.Name)
		if err := writeOutsideResults(path, filepath.Ext(path), d.Render); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	for _, p := range pictures {
		fmt.Fprintf(stdout, "\n%s. %s\n", p.Title, p.Caption)
		printMessages(stdout, "remark", p.Remarks)
	}
	printMessages(stdout, "remark", reported.LabelRemarks(r.Layout.View(r.Study, r.Records.Records)))
	return nil
}

// figureOptions converts KEY=VALUE arguments to figure options, as if they were keys in
// report.figures. By default, the name of the figure is its kind.
func figureOptions(kind string, assignments []string) (figure.Options, error) {
	at := config.NewMapping("copse plot")
	// The last argument of SetText is the origin of the value, which error messages quote.
	at.SetText("kind", kind, "KIND")
	at.SetText("name", kind, "KIND")
	for _, a := range assignments {
		key, value, ok := strings.Cut(a, "=")
		if !ok {
			return figure.Options{}, usageErrorf("%s: write the option as KEY=VALUE, such as panel=n", a)
		}
		if err := setFigureKey(at, key, value, a); err != nil {
			return figure.Options{}, usageErrorf("%s: %w", a, err)
		}
	}
	o := figure.Defaults()
	at.Decode("key of a figure", &o)
	return o, at.Err()
}

// setFigureKey sets a key in the YAML section of a figure to a value from the command line. It
// parses the value as YAML unless the option is a text. origin is the whole argument, for error
// messages.
func setFigureKey(at config.Place, key, value, origin string) error {
	field, known := recipe.ParamFields(reflect.TypeFor[figure.Options]())[key] // the struct field for this key
	if !known {
		at.SetText(key, value, origin) // decoding the section reports the unknown key
		return nil
	}
	kind := field.Type.Kind()               // decides whether value is text or YAML
	isLength := field.Tag.Get("unit") != "" // a text that may be a number without a unit, as in width=84
	if kind == reflect.String && !isLength {
		at.SetText(key, value, origin)
		return nil
	}
	if kind == reflect.Slice || kind == reflect.Map { // a mapping can be written as the list [a: 1, b: 2]
		value = "[" + value + "]"
	}
	return at.SetYAML(key, value, origin)
}
