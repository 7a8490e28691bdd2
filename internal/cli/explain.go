package cli

import (
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
	cmd := &cobra.Command{
		Use:   "explain [KEY...]",
		Short: "Tell what a key of a study is: type, default, range, meaning",
		Long: `Explain tells what the keys of a study file are. A key is a path of names with
dots: data.missing, report.figures.kind, classifiers.slb.quantiles,
data.generator.forest. Without a key it lists those of the top level.

--format markdown prints the whole reference, --format schema the JSON Schema (draft
2020-12) of study files. Editors that read a first line such as

  # yaml-language-server: $schema=../docs/reference/study.schema.json

complete keys and mark mistakes while a study is written. copse check finds more:
what depends on other keys, on files and on data.`,
		Example: `  copse explain
  copse explain data.train
  copse explain classifiers.slb
  copse explain --format schema > study.schema.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch format {
			case "text":
			case "markdown":
				return writeReference(document(out))
			case "schema":
				return writeSchema(document(out))
			default:
				return usagef("--format %s: want text, markdown or schema", format)
			}
			if wantsJSON(cmd) {
				return explainJSON(linesTo(out), args)
			}
			if len(args) == 0 {
				return listKeys(out, studyKeys())
			}
			for i, path := range args {
				if i > 0 {
					fmt.Fprintln(out)
				}
				k, err := findKey(path)
				if err != nil {
					return err
				}
				if err := explainKey(out, path, k); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addJSON(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "text, of all keys markdown, or schema: JSON Schema")
	return cmd
}

// studyKeys are all keys of a study file.
func studyKeys() []config.Key {
	layout := report.DefaultLayout()
	search := calibrate.Defaults()
	return study.Keys(map[string]any{"ademp": &protocol.Author{}, "inference": &layout.Inference, "report": &layout,
		"published": &published.Table{}, "calibrate": &search})
}

// findKey follows a dotted path. Positions in lists, as messages print them, may
// stand in it.
func findKey(path string) (config.Key, error) {
	found := config.Key{Keys: studyKeys()}
	names := strings.Split(path, ".")
	for i, name := range names {
		name, _, _ = strings.Cut(name, "[")
		at := slices.IndexFunc(found.Keys, func(k config.Key) bool { return k.Name == name })
		if at < 0 {
			where := "a study"
			if i > 0 {
				where = strings.Join(names[:i], ".")
			}
			if len(found.Keys) == 0 {
				return found, usagef("%s has no keys to explain, it is a %s: %s", where, found.Type, found.Doc)
			}
			return found, usagef("%s has no key %q%s", where, name, elsewhere(found.Keys, strings.Join(names[:i], "."),
				name))
		}
		found = found.Keys[at]
	}
	return found, nil
}

// placesShown is the number of places that an error names.
const placesShown = 5

// elsewhere names the places below some keys that have the name, or else the nearest
// of the keys.
func elsewhere(keys []config.Key, at, name string) string {
	places := placesOf(keys, at, name)
	switch more := len(places) - placesShown; {
	case len(places) == 0:
		var known []string
		for _, k := range keys {
			known = append(known, k.Name)
		}
		return config.DidYouMean(name, known)
	case more > 0:
		return fmt.Sprintf("; there are %s and %d more", strings.Join(places[:placesShown], ", "), more)
	case more == 1-placesShown:
		return "; there is " + places[0]
	}
	return "; there are " + strings.Join(places, ", ")
}

// placesOf are the paths of all keys of a name, the shallow ones first.
func placesOf(keys []config.Key, at, name string) (places []string) {
	for _, k := range keys {
		if k.Name == name {
			places = append(places, strings.TrimPrefix(at+"."+name, "."))
		}
	}
	for _, k := range keys {
		places = append(places, placesOf(k.Keys, strings.TrimPrefix(at+"."+k.Name, "."), name)...)
	}
	return places
}

func explainKey(out io.Writer, path string, k config.Key) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s\t%s\n", what, text)
		}
	}
	line("key", path)
	line("type", k.Type)
	line("values", strings.Join(k.Options, ", "))
	line("range", k.Range)
	line("default", k.Stated())
	if k.Required {
		line("required", "yes")
	}
	line("meaning", k.Doc)
	if err := w.Flush(); err != nil || len(k.Keys) == 0 {
		return err
	}
	fmt.Fprintln(out)
	return listKeys(out, k.Keys)
}

// listKeys prints a line per key: its meaning and, in parentheses, what it takes. Names
// of classifiers and generators take keys of their own.
func listKeys(out io.Writer, keys []config.Key) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, k := range keys {
		if k.Type == "classifier" || k.Type == "generator" {
			fmt.Fprintf(w, "%s\t%s\n", k.Name, k.Doc)
			continue
		}
		takes := []string{k.Type}
		if len(k.Options) > 0 {
			takes[0] = strings.Join(k.Options, " | ")
		}
		if k.Range != "" {
			takes = append(takes, "in "+k.Range)
		}
		if k.Stated() != "" {
			takes = append(takes, "default "+k.Stated())
		}
		if k.Required {
			takes = append(takes, "required")
		}
		fmt.Fprintf(w, "%s\t%s (%s)\n", k.Name, k.Doc, strings.Join(takes, ", "))
	}
	return w.Flush()
}

// writeReference writes docs/reference/study.md.
func writeReference(out io.Writer) error {
	fmt.Fprint(out, "# The keys of a study\n\n",
		"Generated from the tags that the decoder reads: `copse explain\n--format markdown`. `copse explain KEY` "+
			"prints one of them, `copse explain --format\nschema` the JSON Schema for editors. The of classifiers "+
			"and generators\nare on their own pages and in `copse list`.\n\n",
		"Wherever `data` or `classifiers` want a value, `$factor` stands for the level of a\nfactor of the design, "+
			"`$factor.key` for an entry of a level that is a mapping.\n")
	keys := studyKeys()
	writeKeys(out, "A study", "", keys)
	for _, k := range keys {
		writeSections(out, k.Name, k)
	}
	fmt.Fprint(out, "\n## The CSV of a table\n\nThe factors of the rows, then these columns. Numbers have full "+
		"precision; NA: there is none. With `spread: range` the smallest and the largest result, `low` and `high`, "+
		"come last.\n\n| column | meaning |\n|---|---|\n")
	for _, c := range table.CSVColumns {
		fmt.Fprintf(out, "| `%s` | %s |\n", c.Name, c.Doc)
	}
	return nil
}

func writeSections(out io.Writer, path string, k config.Key) {
	if len(k.Keys) == 0 || path == "classifiers" || path == "data.generator" {
		return
	}
	writeKeys(out, "`"+path+"`", k.Doc, k.Keys)
	for _, below := range k.Keys {
		writeSections(out, path+"."+below.Name, below)
	}
}

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
		fmt.Fprintf(out, "| `%s` | %s | %s | %s | %s |\n", k.Name, k.Type, standard, allowed, strings.ReplaceAll(k.Doc,
			"|", "\\|"))
	}
}
