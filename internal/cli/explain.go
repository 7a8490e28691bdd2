package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/internal/reference"
)

// newExplain returns the command copse explain.
func newExplain() *cobra.Command {
	var format formatFlag
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
also finds mistakes that depend on other keys, files or data.`,
		Example: `  copse explain
  copse explain data.train
  copse explain classifiers.slb --details
  copse explain --format schema > study.schema.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch {
			case format.name == "text": // printed below
			case len(args) > 0 || wantsJSON(cmd):
				return usageErrorf("--format %s prints all keys, so it cannot be combined with KEY or `--json`; "+
					"remove `--format`", format.name)
			case format.name == "markdown":
				return reference.Write(unwrapped(out))
			default:
				return reference.WriteSchema(unwrapped(out))
			}
			if len(args) == 0 && !wantsJSON(cmd) {
				printKeys(out, reference.Keys(), details)
				return nil
			}
			if len(args) == 0 { // describe the top-level keys
				args = config.Names(reference.Keys())
			}
			for i, path := range args {
				k, err := reference.Find(path)
				if err != nil {
					return usageError{err}
				}
				if wantsJSON(cmd) {
					writeLine(out, keyLineOf(path, k))
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
	addJSONFlag(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "print the full descriptions of all keys in a section")
	format.add(cmd, "text, markdown (the whole reference) or schema (a JSON Schema)", "text", "markdown", "schema")
	return cmd
}

// explainKey prints the type, range and meaning of a key, followed by the keys below it.
func explainKey(out io.Writer, path string, k config.Key, details bool) {
	required := ""
	if k.Required {
		required = "yes"
	}
	w := newTable(out, 0)
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

// printKeys prints a line for each key of a section, with the first clause of its description, or a
// paragraph if details is true.
func printKeys(out io.Writer, keys []config.Key, details bool) {
	if details {
		for _, k := range keys {
			printParameter(out, k, "")
		}
		return
	}
	var rows [][]string
	for _, k := range keys {
		kind := shortType(k)
		if k.Type == "classifier" || k.Type == "generator" {
			kind = "" // the name of the section already gives the type
		}
		defaultText := k.Stated()
		if k.Required {
			defaultText = "required"
		}
		meaning, _, _ := strings.Cut(k.Doc, "; ")
		rows = append(rows, []string{k.Name, kind, truncate(defaultText, defaultColumns), meaning})
	}
	printTable(out, rows)
}

// defaultColumns is the maximum width of the column of defaults in a table of keys.
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

// printTable prints rows as an aligned table. It truncates lines to screenColumns characters.
func printTable(out io.Writer, rows [][]string) {
	var table strings.Builder
	w := newTable(&table, 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(out, truncate(strings.TrimRight(line, " \n"), screenColumns))
	}
}

// printParameter prints the name, default, type, range and meaning of a key.
func printParameter(out io.Writer, k config.Key, indent string) {
	constraints := k.Type
	if k.Allowed() != "" {
		constraints += ", " + k.Allowed()
	}
	if k.Required {
		constraints += ", required"
	}
	name := k.Name
	if k.Default != "" {
		name += " = " + k.Default
	}
	fmt.Fprintf(out, "%s%s  (%s)\n", indent, name, constraints)
	if k.Doc != "" {
		fmt.Fprintf(out, "%s    %s\n", indent, k.Doc)
	}
}
