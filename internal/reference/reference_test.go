package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/internal/filetest"
	"copse/report/table"
)

// Every key of a study file is documented.
func TestEveryKeyIsDocumented(t *testing.T) {
	var walk func(path string, keys []config.Key)
	walk = func(path string, keys []config.Key) {
		for _, k := range keys {
			if k.Doc == "" {
				t.Errorf("%s%s has no comment above its field, or go generate . has not copied it", path, k.Name)
			}
			walk(path+k.Name+".", k.Keys)
		}
	}
	walk("", Keys())
}

// The reference describes all columns of the CSV files of tables.
func TestEveryColumnIsDocumented(t *testing.T) {
	var page bytes.Buffer
	if err := Write(&page); err != nil {
		t.Fatal(err)
	}
	columns := slices.Concat(table.CSVColumns, table.ContrastColumns)
	for _, spread := range table.Spreads {
		columns = append(columns, spread.Columns...)
	}
	for _, column := range columns {
		if !strings.Contains(page.String(), "\n| `"+column.Name+"` | "+column.Doc+" |\n") {
			t.Errorf("the reference does not describe the column %s", column.Name)
		}
	}
}

// The committed reference and schema agree with the output of copse explain.
func TestReferenceIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("the committed reference is compared in the full run; go generate writes it")
	}
	for file, write := range map[string]func(io.Writer) error{"study.md": Write, "study.schema.json": WriteSchema} {
		want := filetest.Read(t, filepath.Join("..", "..", "docs", "reference", file))
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Errorf("docs/reference/%s is old: go generate writes it", file)
		}
	}
}

// Mistakes that a schema cannot find, because they depend on other keys, on names elsewhere in the file, on
// files or on data.
var beyondSchema = map[string]string{
	"both-kinds":               "looks at the data",
	"both-kinds-generator":     "depends on the generator",
	"cells":                    "counts cells",
	"class-is-no-column":       "looks at the data",
	"condition":                "names a column",
	"counts-for-classes":       "depends on the generator",
	"counts-overflow":          "adds numbers",
	"counts-without-rows":      "adds numbers",
	"drop-without-csv":         "depends on another key",
	"duplicate-cell":           "compares cells",
	"duplicate-classifier":     "compares entries",
	"duplicate-level":          "compares levels",
	"exclude-everything":       "counts cells",
	"exclude-unknown-factor":   "names a factor",
	"exclude-unknown-level":    "names a level",
	"folds-no-replicates":      "depends on another key",
	"holdout-no-replicates":    "depends on another key",
	"holdout-of-generator":     "depends on another key",
	"irrelevant-beside-set":    "depends on another key",
	"labels-without-platt":     "depends on another key",
	"lacks-values":             "looks at the data",
	"level-as-label":           "compares cells",
	"level-out-of-range":       "a factor's level stands for the value",
	"memory-of-no-program":     "depends on another key",
	"memory-without-unit":      "text with a unit",
	"merge-unknown-class":      "looks at the data",
	"missing-on-nothing":       "depends on another key",
	"missing-on-nothing-drawn": "looks at the data",
	"nested-elsewhere":         "names a factor",
	"nested-overlap":           "compares blocks",
	"nested-repeats-design":    "compares blocks",
	"nested-unknown-level":     "names a level",
	"no-split":                 "depends on another key",
	"no-train-size":            "depends on another key",
	"nothing-missing":          "looks at the data",
	"nothing-missing-drawn":    "looks at the data",
	"numeric-only":             "looks at the data",
	"numeric-only-generator":   "depends on the generator",
	"octal":                    "is a matter of how a number is written",
	"only-unknown-factor":      "names a factor",
	"oracle-lacks-values":      "depends on another key",
	"overflow":                 "is a matter of how a number is written",
	"part-of-a-task":           "depends on another key",
	"pca-of-discrete":          "depends on an earlier step",
	"pca-of-missing":           "depends on another key",
	"program-not-listed":       "looks for files",
	"repeats-and-replicates":   "depends on another key",
	"scored-without-folds":     "depends on another key",
	"takes-no-missing":         "depends on another key",
	"too-large":                "depends on another key",
	"too-many-rows":            "depends on another key",
	"too-many-training-rows":   "looks at the data",
	"too-much-memory":          "estimates memory",
	"two-classes-only":         "looks at the data",
	"two-documents":            "is about the file",
	"two-splits":               "depends on another key",
	"unknown-reference":        "names a factor",
	"unknown-set":              "names a data set",
	"unused-factor":            "looks for references",
}

// compiledSchema compiles the schema that WriteSchema writes.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var text strings.Builder
	if err := WriteSchema(&text); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "study.schema.json")
	filetest.Write(t, file, text.String())
	return jsonschema.NewCompiler().MustCompile(file)
}

func TestSchema(t *testing.T) {
	schema := compiledSchema(t)
	good, _ := filepath.Glob("../../configs/*.yaml")
	bad, _ := filepath.Glob("../../experiments/study/testdata/bad/*.bad.yaml")
	if len(good) == 0 || len(bad) == 0 {
		t.Fatalf("%d configs, %d bad studies", len(good), len(bad))
	}
	for _, file := range append(good, bad...) {
		name := strings.TrimSuffix(filepath.Base(file), ".bad.yaml")
		accepted := validates(schema, file)
		switch {
		case !strings.HasSuffix(file, ".bad.yaml"):
			if accepted != nil {
				t.Errorf("%s: %v", file, accepted)
			}
			if text, _ := os.ReadFile(file); !strings.HasPrefix(string(text),
				"# yaml-language-server: $schema=../docs/reference/study.schema.json\n\n") {
				t.Errorf("%s: its first line does not point to the schema", file)
			}
		case (accepted == nil) != (beyondSchema[name] != ""):
			t.Errorf("%s: the schema gives %v, the list beyondSchema %q", file, accepted, beyondSchema[name])
		}
	}
}

// The schema accepts and rejects the same values as the decoder, for every type of value.
func TestSchemaOfEveryType(t *testing.T) {
	schema := compiledSchema(t)
	classifier := func(keys string) string { return "classifiers: [{classifier: rf, " + keys + "}]" }
	for line, accepted := range map[string]bool{
		classifier("id: 1"): true, classifier("label: true"): true, classifier("only: {n: 40}"): true,
		classifier("only: [n=40]"): true, classifier("weights: balanced"): true, classifier("weights: {'0': 2}"): true,
		classifier("id: $n"):                              true,
		classifier("id: a b"):                             false,
		classifier("only: 3"):                             false,
		classifier("only: [n]"):                           false,
		classifier("tune: 3"):                             false,
		classifier("weights: 3"):                          false,
		classifier("costs: 3"):                            false,
		classifier("costs: {a: {b: c}}"):                  false,
		classifier("prepare: [{}]"):                       false,
		"classifiers: [{classifier: external}]":           false,
		"exclude: [n]":                                    false,
		"exclude: [{n: 60}]":                              true,
		"memory_limit: []":                                false,
		"inference: {failures: worst}":                    true,
		"inference: {failures: foo}":                      false,
		"inference: {failures: []}":                       false,
		"nested: [{under: 3, design: {}}]":                false,
		"prepare: [{}]":                                   false,
		"prepare: [{scale: standard}]":                    true,
		"report: {tables: [{where: 3}]}":                  false,
		"data: {set: iris, folds: 5}":                     true,
		"data: {set: iris, folds: {count: 5}}":            true,
		"data: {set: iris, folds: {column: f}}":           true,
		"data: {set: iris, folds: [3]}":                   false,
		"data: {set: iris, folds: 5, merge: 3}":           false,
		"data: {set: iris, folds: 5, merge: {a: [b, 1]}}": true,
		"data: {set: iris, test: foo}":                    false,
		"data: {set: iris, folds: 5, missing: 2}":         false,
		"data: {set: iris, folds: 5, missing: 0.2}":       true,
		"data: {generator: toy, set: iris, folds: 5}":     false,
		"data: {generator: {name: forest}, test: {counts: [$n, 3]}, train: {n: $n}}": true,
	} {
		keys := map[string]string{"data": "data: {set: iris, folds: 5}", "classifiers": "classifiers: [nb]"}
		name, _, _ := strings.Cut(line, ":")
		keys[name] = line
		text := "study: s\nseed: 1\n"
		for _, key := range keys {
			text += key + "\n"
		}
		if err := validatesText(schema, []byte(text)); (err == nil) != accepted {
			t.Errorf("%s: %v, want accepted = %t", line, err, accepted)
		}
	}
}

// The levels of a factor may be a suite of OpenML tasks, but no other text.
func TestSchemaAcceptsSuites(t *testing.T) {
	schema := compiledSchema(t)
	for levels, accepted := range map[string]bool{"openml:suite/99": true, "openml:task/59": false, "iris": false} {
		text := "study: s\nseed: 1\nclassifiers: [nb]\ndesign: {task: " + levels + "}\ndata: {set: $task}\n"
		if err := validatesText(schema, []byte(text)); (err == nil) != accepted {
			t.Errorf("task: %s: %v, want accepted = %t", levels, err, accepted)
		}
	}
}

func validates(schema *jsonschema.Schema, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return validatesText(schema, text)
}

func validatesText(schema *jsonschema.Schema, text []byte) error {
	var content any
	if err := yaml.Unmarshal(text, &content); err != nil {
		return err
	}
	plain, err := json.Marshal(asJSON(content))
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// asJSON converts the keys of mappings to strings, as in JSON.
func asJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = asJSON(value)
		}
	case map[any]any:
		m := map[string]any{}
		for key, value := range v {
			m[fmt.Sprint(key)] = asJSON(value)
		}
		return m
	case []any:
		for i := range v {
			v[i] = asJSON(v[i])
		}
	}
	return v
}
