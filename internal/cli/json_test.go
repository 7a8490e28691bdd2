package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"copse/internal/fielddocs"
	"copse/internal/filetest"
	"copse/internal/reference"
	"copse/internal/texttest"
	"copse/stats/recipe"
)

// A schema is a JSON Schema as nested maps.
type schema map[string]any

// A lineKind is one type of line: an example of its struct and its meaning.
type lineKind struct {
	name, doc string
	example   any
}

// lineKinds lists all types of lines.
var lineKinds = []lineKind{
	{"study", "A study and its results folder: first line of each study", studyLine{}},
	{"cell", "A cell of the design", cellLine{}},
	{"classifier", "A classifier of the study", classifierLine{}},
	{"message", "A note, a remark or a warning", messageLine{}},
	{"plan", "Numbers of results", planLine{}},
	{"gap", "Results of one cell that are missing for one reason", gapLine{}},
	{"memory", "Expected memory of the largest trial", memoryLine{}},
	{"cost", "Expected time of what is missing, on one core", costLine{}},
	{"failures", "Failed fits with the same cause", failuresLine{}},
	{"replicates", "Replicates per cell that status --precision asks for", replicatesLine{}},
	{"progress", "State of a run, at most ten times a second", progressLine{}},
	{"report", "A report that run has written", reportLine{}},
	{"entry", "An entry of copse list", entryLine{}},
	{"key", "A key of a study file", keyLine{}},
	{"check", "A check of copse verify", checkLine{}},
	{"error", "A mistake or another error, with its place in the study file if it has one", errorLine{}},
	{"exit", "The exit code: last line", exitLine{}},
}

// linesSchema is the JSON Schema of one line, from the tags of its struct. docs contains the comments of the
// fields.
func linesSchema(docs map[string]string) schema {
	var kinds []schema
	for _, k := range lineKinds {
		s := structSchema(reflect.TypeOf(k.example), docs)
		s["properties"].(schema)["type"] = schema{"const": k.name}
		s["required"] = append(s["required"].([]string), "type")
		s["title"], s["description"] = k.name, k.doc
		kinds = append(kinds, s)
	}
	return schema{"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title": "A line that copse writes with --json", "oneOf": kinds}
}

// structSchema describes a struct by the tags of its fields.
func structSchema(t reflect.Type, docs map[string]string) schema {
	properties, required := schema{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		s := typeSchema(f.Type, docs)
		if strings.Contains(options, "string") {
			s = schema{"type": "string"}
		}
		s["description"] = docs[recipe.Folder(t)+"."+t.Name()+"."+f.Name]
		properties[name] = s
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required}
}

// typeSchema describes the type of a field.
func typeSchema(t reflect.Type, docs map[string]string) schema {
	switch t.Kind() {
	case reflect.Struct:
		return structSchema(t, docs)
	case reflect.Slice:
		return schema{"type": []string{"array", "null"}, "items": typeSchema(t.Elem(), docs)}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": typeSchema(t.Elem(), docs)}
	case reflect.Pointer:
		return schema{"type": []any{typeSchema(t.Elem(), docs)["type"], "null"}}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Float64:
		return schema{"type": "number"}
	}
	return schema{"type": "integer"}
}

// schemaFile is the committed schema of lines.
var schemaFile = filepath.Join("..", "..", "docs", "reference", "lines.schema.json")

var write = flag.Bool("write", false, "write docs/reference/lines.schema.json")

// The committed schema agrees with the structs.
func TestSchemaOfLines(t *testing.T) {
	docs, err := fielddocs.Read(filepath.Join("..", ".."), "json")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	if err := e.Encode(linesSchema(docs)); err != nil {
		t.Fatal(err)
	}
	if *write {
		filetest.Write(t, schemaFile, b.String())
	}
	if committed, err := os.ReadFile(schemaFile); err != nil || string(committed) != b.String() {
		t.Errorf("%s is old: go generate writes it (%v)", schemaFile, err)
	}
}

// jsonLines runs a command line with --json, validates each line that it writes, and returns
// the lines by type.
func jsonLines(t *testing.T, want int, args ...string) map[string][]map[string]any {
	t.Helper()
	code, out, errOut := copse(append(args, "--json")...)
	if code != want {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, code, want, out, errOut)
	}
	byType := map[string][]map[string]any{}
	last := ""
	s := jsonschema.NewCompiler().MustCompile(schemaFile)
	for text := range strings.Lines(out) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = s.Validate(value)
		}
		if err != nil {
			t.Fatalf("%v: %s: %v", args, text, err)
		}
		line := value.(map[string]any)
		last = line["type"].(string)
		byType[last] = append(byType[last], line)
	}
	if last != "exit" || len(byType["exit"]) != 1 || byType["exit"][0]["code"] != json.Number(strconv.Itoa(want)) {
		t.Fatalf("%v: the last line has the type %q: %v", args, last, byType["exit"])
	}
	return byType
}

// Every verb with --json writes lines of the documented schema, with the numbers of its text.
func TestJSONLines(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	lines := jsonLines(t, exitDone, "check", file, "--out", dir)
	if got := lines["plan"][0]["results"]; got != json.Number("24") {
		t.Errorf("check: %v results", got)
	}
	if len(lines["cell"]) != 2 || len(lines["classifier"]) != 3 || len(lines["gap"]) != 2 || len(lines["cost"]) != 1 {
		t.Errorf("check: %v", lines)
	}
	if got := lines["study"][0]["seed"]; got != "3" {
		t.Errorf("check: seed %v", got)
	}

	lines = jsonLines(t, exitDone, "run", file, "--out", dir)
	end := lines["progress"][len(lines["progress"])-1]
	if end["done"] != json.Number("8") || end["trials"] != json.Number("8") || len(lines["report"]) != 1 {
		t.Errorf("run: %v, %v", end, lines["report"])
	}

	lines = jsonLines(t, exitDone, "status", dir, "--precision", "0.01")
	if cell := lines["cell"][1]; cell["done"] != json.Number("12") || cell["failed"] != json.Number("0") ||
		!reflect.DeepEqual(cell["levels"], map[string]any{"n": "60"}) {
		t.Errorf("status: %v", cell)
	}
	if len(lines["replicates"]) != 1 {
		t.Errorf("status: %v", lines)
	}
	attempt(t, "status", dir, "--precision", "0.01").prints("standard error of 0.01 (error): about ",
		"the difference between 5nn and lda needs the most replicates, in the cell n=")
	attempt(t, "status", dir, "--precision", "0.01", "--metric", "ber").prints("standard error of 0.01 (ber): about ")
	attempt(t, "status", dir, "--precision", "0.01", "--metric", "auc").prints(
		"(auc): unknown; first run at least two independent replicates", "list auc under `metrics`")
	lines = jsonLines(t, exitDone, "verify", dir, "--sample", "1")
	if len(lines["check"]) < 5 || len(lines["check"][0]["problems"].([]any)) > 0 {
		t.Errorf("verify: %v", lines["check"])
	}
	filetest.Write(t, filepath.Join(dir, "records.csv"), "study\n")
	problems := 0
	for _, check := range jsonLines(t, exitFailed, "verify", dir, "--sample", "0")["check"] {
		problems += len(check["problems"].([]any))
	}
	if problems == 0 {
		t.Error("verify found no error in changed records")
	}
}

// status --json prints failed fits as lines, with the first fit of each group.
func TestJSONFailures(t *testing.T) {
	text := strings.Replace(smallStudy, "lda", "lda, {id: broken, classifier: 5nn, k: 1000}", 1)
	file, dir := writeStudy(t, text), filepath.Join(t.TempDir(), "results")
	if got := jsonLines(t, exitFailed, "run", file, "--out", dir)["report"][0]["failed"]; got != json.Number("8") {
		t.Errorf("run: %v failed", got)
	}
	lines := jsonLines(t, exitFailed, "status", dir)
	first := lines["failures"][0]
	if first["classifier"] != "broken" || first["fits"] != json.Number("8") || first["replicate"] != json.Number("1") {
		t.Errorf("status: %v", first)
	}
}

// run --json writes the notes on the records, also if the report is up to date.
func TestJSONNotes(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	if notes := jsonLines(t, exitDone, "run", file, "--out", dir)["report"][0]["notes"]; notes != nil {
		t.Errorf("notes %v", notes)
	}
	for range 2 {
		report := jsonLines(t, exitDone, "run", file, "--out", dir, "--replicates", "3")["report"][0]
		texttest.Contains(t, fmt.Sprint(report["notes"]), "6 results of replicates above 3")
	}
}

// A wrong flag before --json also ends the output with a line for the exit code.
func TestJSONAfterAWrongFlag(t *testing.T) {
	lines := jsonLines(t, exitUsage, "status", "--bogus", t.TempDir())
	if len(lines["exit"]) != 1 || len(lines["error"]) != 1 {
		t.Errorf("%v", lines)
	}
}

// list and explain print the contents of the registry and of the decoder.
func TestJSONDocumentation(t *testing.T) {
	entry := jsonLines(t, exitDone, "list", "classifiers", "5nn")["entry"][0]
	if p := entry["parameters"].([]any)[0].(map[string]any); p["path"] != "k" || p["default"] != "5" {
		t.Errorf("%v", entry)
	}
	for _, topic := range topics {
		if lines := jsonLines(t, exitDone, "list", topic.name); len(lines["entry"]) != len(topic.entries()) {
			t.Errorf("%s: %d entries", topic.name, len(lines["entry"]))
		}
	}
	if lines := jsonLines(t, exitDone, "explain"); len(lines["key"]) != len(reference.Keys()) {
		t.Errorf("%d keys", len(lines["key"]))
	}
	key := jsonLines(t, exitDone, "explain", "data.train")["key"][0]
	if key["path"] != "data.train" || len(key["keys"].([]any)) == 0 {
		t.Errorf("%v", key)
	}
	jsonLines(t, exitUsage, "explain", "data.trian")
}

// Each mistake is a line with file, line, column and key.
func TestJSONErrors(t *testing.T) {
	text := strings.Replace(strings.Replace(smallStudy, "rows:", "rws:", 1), "panel:", "panl:", 1)
	file := writeStudy(t, text)
	got := jsonLines(t, exitUsage, "check", file)["error"]
	if len(got) != 2 {
		t.Fatalf("%d errors: %v", len(got), got)
	}
	want := map[string]any{"type": "error", "origin": file, "line": json.Number("12"), "column": json.Number("26"),
		"key": "report.tables[0].rws", "message": `unknown key; did you mean "rows"?`}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("got %v, want %v", got[0], want)
	}
	if got := jsonLines(t, exitUsage, "status", "nowhere")["error"]; len(got) != 1 ||
		got[0]["message"] != "the results folder nowhere does not exist" {
		t.Errorf("%v", got)
	}
	if got := jsonLines(t, exitUsage, "run", "--json", "x.yaml", "-j", "0")["error"]; len(got) != 1 {
		t.Errorf("%v", got)
	}
}
