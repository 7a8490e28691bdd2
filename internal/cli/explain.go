package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"copse/experiments/calibrate"
	"copse/experiments/config"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/protocol"
	"copse/report/table"
)

// newExplain returns the command copse explain, which describes the keys of a study file.
func newExplain() *cobra.Command {
	var format string
	var details bool
	cmd := &cobra.Command{
		Use:   "explain [KEY...]",
		Short: "Explain the keys of a study file: type, default, range, meaning",
		Long: `Explain describes keys of a study file. A key is a path of names with dots:
data.missing, report.figures.kind, classifiers.slb.quantiles,
data.generator.forest. Explain prints a short line for each key below it;
--details prints their full meaning. Without a key it lists the top level.

--format markdown prints the whole reference, --format schema the JSON Schema
(draft 2020-12) of study files. With a first line such as

  # yaml-language-server: $schema=../docs/reference/study.schema.json

an editor completes keys and marks mistakes while you write a study. copse check
finds more: mistakes that depend on other keys, on files or on data.`,
		Example: `  copse explain
  copse explain data.train
  copse explain classifiers.slb --details
  copse explain --format schema > study.schema.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch format {
			case "text":
			case "markdown":
				writeReference(document(out))
				return nil
			case "schema":
				return writeSchema(document(out))
			default:
				return usagef("--format %s: the format must be text, markdown or schema", format)
			}
			if len(args) == 0 {
				return explainTop(cmd, details)
			}
			for i, path := range args {
				k, err := findKey(path)
				if err != nil {
					return err
				}
				if wantsJSON(cmd) {
					linesTo(out).put(keyLineOf(path, k))
					continue
				}
				if i > 0 {
					fmt.Fprintln(out)
				}
				explainKey(out, path, k, details)
			}
			return nil
		},
	}
	addJSON(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "print the full descriptions of all keys in a section")
	cmd.Flags().StringVar(&format, "format", "text", "text, markdown (the whole reference) or schema (a JSON Schema)")
	return cmd
}

// explainTop prints the keys of the top level of a study file.
func explainTop(cmd *cobra.Command, details bool) error {
	if !wantsJSON(cmd) {
		printKeys(cmd.OutOrStdout(), studyKeys(), details)
		return nil
	}
	for _, k := range studyKeys() {
		linesTo(cmd.OutOrStdout()).put(keyLineOf(k.Name, k))
	}
	return nil
}

// studyKeys returns the keys of a study file. Each key of a section contains the keys below it.
func studyKeys() []config.Key {
	layout := report.DefaultLayout()
	search := calibrate.Defaults()
	return study.Keys(map[string]any{"ademp": &protocol.Author{}, "inference": &layout.Inference, "report": &layout,
		"published": &published.Table{}, "calibrate": &search})
}

// findKey returns the key of a study file at a dotted path. It ignores positions in lists, so that
// the paths of error messages are valid, too: report.figures[2].kind.
func findKey(path string) (config.Key, error) {
	found := config.Key{Keys: studyKeys()}
	above := ""
	for part := range strings.SplitSeq(path, ".") {
		name, _, _ := strings.Cut(part, "[")
		at := slices.IndexFunc(found.Keys, func(k config.Key) bool { return k.Name == name })
		if at < 0 {
			return found, unknownKey(found, above, name)
		}
		found = found.Keys[at]
		above = below(above, part)
	}
	return found, nil
}

// below joins the path of a section and the name of a key in it. The path of the top level is "".
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// unknownKey returns the error for a name that the section at path does not have. The error
// suggests deeper keys with this name, or else the key of the section with the most similar name.
func unknownKey(at config.Key, path, name string) error {
	where := cmp.Or(path, "a study")
	if len(at.Keys) == 0 {
		return usagef("%s contains no further keys; it is a %s: %s", where, at.Type, at.Doc)
	}
	const most = 5
	places := placesOf(at.Keys, path, name)
	if len(places) > 0 {
		return usagef("%s has no key %q; other keys have this name: %s", where, name,
			strings.Join(places[:min(len(places), most)], ", "))
	}
	var names []string
	for _, k := range at.Keys {
		names = append(names, k.Name)
	}
	return usagef("%s has no key %q%s", where, name, config.DidYouMean(name, names))
}

// placesOf returns the paths of all keys with the given name in a section and in the sections below
// it. The keys of a section come before the keys below it.
func placesOf(keys []config.Key, path, name string) (places []string) {
	for _, k := range keys {
		if k.Name == name {
			places = append(places, below(path, name))
		}
	}
	for _, k := range keys {
		places = append(places, placesOf(k.Keys, below(path, k.Name), name)...)
	}
	return places
}

// explainKey prints the type, range, default and meaning of a key, followed by the keys below it.
func explainKey(out io.Writer, path string, k config.Key, details bool) {
	required := ""
	if k.Required {
		required = "yes"
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, fact := range [][2]string{
		{"key", path},
		{"type", k.Type},
		{"values", strings.Join(k.Options, ", ")},
		{"range", k.Range},
		{"default", k.Stated()},
		{"required", required},
		{"meaning", k.Doc},
	} {
		if fact[1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", fact[0], fact[1])
		}
	}
	w.Flush()
	if len(k.Keys) > 0 {
		fmt.Fprintln(out)
		printKeys(out, k.Keys, details)
	}
}

// printKeys prints the keys of a section. If details is true, it prints a paragraph for each key.
// Otherwise it prints a line for each key: name, type, default and the first clause of the meaning.
func printKeys(out io.Writer, keys []config.Key, details bool) {
	if details {
		for _, k := range keys {
			printParameter(out, k, "")
		}
		return
	}
	var rows [][]string
	for _, k := range keys {
		kind, standard := shortType(k), k.Stated()
		if k.Required {
			standard = "required"
		}
		meaning, _, _ := strings.Cut(k.Doc, "; ")
		if k.Type == "classifier" || k.Type == "generator" {
			kind = "" // the name of the section already gives the type
		}
		rows = append(rows, []string{k.Name, kind, cut(standard, defaultColumns), meaning})
	}
	printLines(out, rows)
}

// defaultColumns is the largest width of the defaults in a table of keys.
const defaultColumns = 16

// shortType returns the first word of a key's type, such as "list" for "list of mappings".
func shortType(k config.Key) string {
	short := k.Type
	for _, end := range []string{",", ";", " of "} {
		short, _, _ = strings.Cut(short, end)
	}
	return short
}

// screenColumns is the width of the tables that copse list and copse explain print.
const screenColumns = 100

// printLines prints rows as a table with aligned columns. It cuts lines after screenColumns
// characters.
func printLines(out io.Writer, rows [][]string) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(out, cut(strings.TrimRight(line, " \n"), screenColumns))
	}
}

// printParameter prints the name, default, type, range and meaning of a key on indented lines.
func printParameter(out io.Writer, k config.Key, indent string) {
	allowed := k.Type
	if k.Allowed() != "" {
		allowed += ", " + k.Allowed()
	}
	if k.Required {
		allowed += ", required"
	}
	name := k.Name
	if k.Default != "" {
		name += " = " + k.Default
	}
	fmt.Fprintf(out, "%s%s  (%s)\n", indent, name, allowed)
	if k.Doc != "" {
		fmt.Fprintf(out, "%s    %s\n", indent, k.Doc)
	}
}

// writeReference writes docs/reference/study.md, the reference of all keys of a study file.
func writeReference(out io.Writer) {
	fmt.Fprint(out, "# The keys of a study\n\n",
		"`copse explain KEY` describes one of these keys. `copse explain --format schema` prints the JSON\n"+
			"Schema of a study, with which an editor completes keys. The parameters of classifiers and generators\n"+
			"have [their own pages](../methods/README.md). `copse explain --format markdown` writes this page.\n\n",
		"Below `data` and `classifiers`, a value may refer to a factor of the design: `$factor` inserts the\n"+
			"level of the factor. If the level is a mapping, `$factor.key` inserts one of its entries.\n")
	keys := studyKeys()
	writeKeys(out, "A study", "", keys)
	for _, k := range keys {
		writeSections(out, k.Name, k)
	}
	fmt.Fprint(out, "\n## The CSV of a table\n\nThe first columns are the factors that form the rows of the "+
		"table. The columns below follow. Numbers have full precision; NA marks a missing number. With "+
		"`spread: range` the last columns are `low` and `high`, the smallest and the largest result.\n\n"+
		"| column | meaning |\n|---|---|\n")
	for _, c := range table.CSVColumns {
		fmt.Fprintf(out, "| `%s` | %s |\n", c.Name, c.Doc)
	}
}

// writeSections writes a table of the keys of a section and of each section below it. It skips the
// parameters of classifiers and generators, which have pages of their own.
func writeSections(out io.Writer, path string, k config.Key) {
	if len(k.Keys) == 0 || path == "classifiers" || path == "data.generator" {
		return
	}
	writeKeys(out, "`"+path+"`", k.Doc, k.Keys)
	for _, inner := range k.Keys {
		writeSections(out, below(path, inner.Name), inner)
	}
}

// writeKeys writes a heading, the meaning of a section and a table of its keys.
func writeKeys(out io.Writer, title, doc string, keys []config.Key) {
	fmt.Fprintf(out, "\n## %s\n\n", title)
	if doc != "" {
		fmt.Fprintf(out, "%s.\n\n", strings.ToUpper(doc[:1])+doc[1:])
	}
	fmt.Fprint(out, "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n")
	for _, k := range keys {
		standard := k.Stated()
		if k.Required {
			standard = "required"
		} else if standard != "" {
			standard = "`" + standard + "`"
		}
		allowed := k.Range
		if len(k.Options) > 0 {
			allowed = "`" + strings.Join(k.Options, "`, `") + "`"
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s | %s |\n", k.Name, k.Type, standard, allowed,
			strings.ReplaceAll(k.Doc, "|", "\\|"))
	}
}
