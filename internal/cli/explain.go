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
				return usagef("--format %s: want text, markdown or schema", format)
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
	cmd.Flags().BoolVar(&details, "details", false, "print the full meaning of the keys below")
	cmd.Flags().StringVar(&format, "format", "text", "text; markdown: the whole reference; schema: JSON Schema")
	return cmd
}

// explainTop prints the keys of the top level.
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

// studyKeys returns all keys of a study file.
func studyKeys() []config.Key {
	layout := report.DefaultLayout()
	search := calibrate.Defaults()
	return study.Keys(map[string]any{"ademp": &protocol.Author{}, "inference": &layout.Inference, "report": &layout,
		"published": &published.Table{}, "calibrate": &search})
}

// findKey returns the key of a dotted path. A name may have a position in a list, as in error
// messages: report.figures[2].kind.
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

// below returns the path of a key below another, "" being the top level.
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// unknownKey returns the error for a name that a key at path does not have: it suggests places
// that have the name, or else the nearest name.
func unknownKey(at config.Key, path, name string) error {
	where := cmp.Or(path, "a study")
	if len(at.Keys) == 0 {
		return usagef("%s has no keys to explain, it is a %s: %s", where, at.Type, at.Doc)
	}
	const most = 5
	places := placesOf(at.Keys, path, name)
	if len(places) > 0 {
		return usagef("%s has no key %q; keys of this name: %s", where, name,
			strings.Join(places[:min(len(places), most)], ", "))
	}
	var names []string
	for _, k := range at.Keys {
		names = append(names, k.Name)
	}
	return usagef("%s has no key %q%s", where, name, config.DidYouMean(name, names))
}

// placesOf returns the paths of all keys with a name, at and below keys; shallow ones come first.
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

// explainKey prints all facts of a key, then the keys below it.
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

// printKeys prints the keys of a section: with details a paragraph for each, else a line of name,
// type, default and the first clause of the meaning, which fits a screen.
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
			kind = "" // as its section
		}
		rows = append(rows, []string{k.Name, kind, cut(standard, defaultColumns), meaning})
	}
	printLines(out, rows)
}

// defaultColumns is the width of the defaults in a table of keys.
const defaultColumns = 16

// shortType returns the first words of a key's type: "list" for "list of mappings".
func shortType(k config.Key) string {
	short := k.Type
	for _, end := range []string{",", ";", " of "} {
		short, _, _ = strings.Cut(short, end)
	}
	return short
}

// screenColumns is the width of the tables that copse list and copse explain print.
const screenColumns = 100

// printLines prints a table, its lines cut to screenColumns.
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

// printParameter prints the name, default, type and meaning of a key, indented.
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

// writeReference writes docs/reference/study.md.
func writeReference(out io.Writer) {
	fmt.Fprint(out, "# The keys of a study\n\n",
		"`copse explain KEY` prints one of these keys, `copse explain --format schema` the JSON Schema for\n"+
			"editors. The keys of classifiers and generators are on [their own pages](../methods/README.md) and\n"+
			"in `copse list`. `copse explain --format markdown` generates this page.\n\n",
		"Every value below `data` and `classifiers` may be `$factor`, the level of a factor of the design, or\n"+
			"`$factor.key`, an entry of a level that is a mapping.\n")
	keys := studyKeys()
	writeKeys(out, "A study", "", keys)
	for _, k := range keys {
		writeSections(out, k.Name, k)
	}
	fmt.Fprint(out, "\n## The CSV of a table\n\nThe CSV begins with the factors of the rows, followed by these "+
		"columns. Numbers have full precision; NA marks a missing one. With `spread: range` the last columns are "+
		"`low` and `high`, the smallest and the largest result.\n\n| column | meaning |\n|---|---|\n")
	for _, c := range table.CSVColumns {
		fmt.Fprintf(out, "| `%s` | %s |\n", c.Name, c.Doc)
	}
}

// writeSections writes a table of the keys of a section and of each section below it. Classifiers
// and generators have pages of their own.
func writeSections(out io.Writer, path string, k config.Key) {
	if len(k.Keys) == 0 || path == "classifiers" || path == "data.generator" {
		return
	}
	writeKeys(out, "`"+path+"`", k.Doc, k.Keys)
	for _, inner := range k.Keys {
		writeSections(out, below(path, inner.Name), inner)
	}
}

// writeKeys writes a heading, a sentence and the table of some keys.
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
