package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/internal/reported"
	"copse/report"
	"copse/report/figure"
	"copse/stats/recipe"
)

func newPlot() *cobra.Command {
	var out string
	var formats []string
	cmd := &cobra.Command{
		Use:   "plot RESULTS KIND",
		Short: "Draw one more figure of a study's records, without editing the study",
		Long: `Plot draws a figure of the kind that a study's report section could ask for, from
the records of a results folder, and prints its caption. Each key of a figure is an
option: panel is --panel, per_row is --per-row; lists are separated by commas. The
kinds are ` + strings.Join(figure.KindNames(), ", ") + `.`,
		Example: `  copse plot results/quickstart box --panel n --format pdf
  copse plot results/quickstart line --x n --excess --band quartiles
  copse plot results/quickstart heat --shown rank --width column --out plots`,
		Args: cobra.ExactArgs(2),
	}
	options := figureFlags(cmd.Flags())
	cmd.Flags().StringVar(&out, "out", ".", "folder to draw into")
	cmd.Flags().StringSliceVar(&formats, "format", []string{"svg"}, "svg, png, pdf")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := loadRecorded(args[0])
		if err != nil {
			return err
		}
		r, err := reported.Read(s, args[0])
		if err != nil {
			return err
		}
		o, err := options(cmd.Flags(), args[1])
		if err != nil {
			return err
		}
		if within, err := filepath.Rel(args[0], out); err == nil && within != ".." && !strings.HasPrefix(within, ".."+string(filepath.Separator)) {
			return usagef("--out %s lies in the results folder, whose figures are the report's; name another folder", out)
		}
		r.Layout.Formats = formats
		documents, captions, err := report.Plot(r.Study, r.Records.Records, r.Layout, o)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(out, 0o777); err != nil {
			return err
		}
		for _, d := range documents {
			path := filepath.Join(out, d.Name)
			if err := folder.WriteNamed(path, d.Render); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), path)
		}
		for _, c := range captions {
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s\n", c)
		}
		return nil
	}
	return cmd
}

// figureFlags makes an option of every key of a figure. What it returns reads them,
// with the checks that a study's report section goes through.
func figureFlags(flags *pflag.FlagSet) func(flags *pflag.FlagSet, kind string) (figure.Options, error) {
	defaults := reflect.ValueOf(figure.Defaults())
	fields := recipe.Fields(defaults.Type())
	flagOf := func(f reflect.StructField) string { return strings.ReplaceAll(f.Tag.Get("param"), "_", "-") }
	for _, f := range fields {
		doc, name := f.Tag.Get("doc"), flagOf(f)
		if enum := f.Tag.Get("enum"); enum != "" {
			doc += " (" + strings.ReplaceAll(enum, ",", ", ") + ")"
		}
		switch value := defaults.FieldByIndex(f.Index).Interface().(type) {
		case []string:
			flags.StringSlice(name, value, doc)
		case bool:
			flags.Bool(name, value, doc)
		default:
			if name != "kind" {
				flags.String(name, fmt.Sprint(value), doc)
			}
		}
	}
	return func(flags *pflag.FlagSet, kind string) (figure.Options, error) {
		node := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		decoder := config.NewDecoder("copse plot")
		set := func(key string, value *yaml.Node, flag string) {
			decoder.Mark(value, flag)
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
		}
		for _, f := range fields {
			key, name := f.Tag.Get("param"), flagOf(f)
			switch {
			case key == "kind":
				set(key, text(kind), "KIND")
			case !flags.Changed(name):
				if key == "name" {
					set(key, text(kind), "KIND")
				}
			default:
				value, err := flagNode(flags, f, name)
				if err != nil {
					return figure.Options{}, usagef("--%s: %s", name, err)
				}
				set(key, value, "--"+name)
			}
		}
		o := figure.Defaults()
		decoder.Structure(node, "", "a figure", &o)
		return o, decoder.Err()
	}
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// flagNode is an option's value as a study file would have it.
func flagNode(flags *pflag.FlagSet, f reflect.StructField, name string) (*yaml.Node, error) {
	switch f.Type.Kind() {
	case reflect.Slice:
		list, err := flags.GetStringSlice(name)
		node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, item := range list {
			node.Content = append(node.Content, text(item))
		}
		return node, err
	case reflect.String:
		value, err := flags.GetString(name)
		if unit := f.Tag.Get("unit"); unit != "" && value != "" && !slices.ContainsFunc([]byte(value), func(b byte) bool { return (b < '0' || b > '9') && b != '.' }) {
			value += unit
		}
		return text(value), err
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(flags.Lookup(name).Value.String()), &node); err != nil || len(node.Content) == 0 {
		return nil, fmt.Errorf("want a number")
	}
	return node.Content[0], nil
}
