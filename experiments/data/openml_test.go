package data

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

const arffText = `% made up
@RELATION "two kinds"
@attribute 'row id' INTEGER
@attribute Size real
@attribute Colour {red, 'light blue', "it\'s"}
@attribute note string
@attribute Kind {b, a}
@data
1, 1.50, red, 'x, y', a
2, ?, 'light blue', z, b
3, -2e3, "it's", ?, a
`

// A data set of OpenML is an ARFF file with a published checksum.
func TestOpenML(t *testing.T) {
	about := func(extra string) []byte {
		return fmt.Appendf(
			nil,
			`{"data_set_description": {"id": "77", "name": "two", "default_target_attribute": "Kind", `+
				`"row_id_attribute": "row id", "ignore_attribute": ["note"], %s}}`,
			extra,
		)
	}
	const want = "Size,Colour,Kind\n1.50,red,a\n,light blue,b\n-2e3,it's,a\n"
	right := fmt.Sprintf("%x", md5.Sum([]byte(arffText)))
	file := `"url": "https://o/two.arff", "md5_checksum": "` + right + `"`
	for name, c := range map[string]struct {
		files map[string][]byte
		want  string
		fails string
	}{
		"arff": {map[string][]byte{"/api/v1/json/data/77": about(file), "/two.arff": []byte(arffText)},
			want, ""},
		"changed": {map[string][]byte{"/api/v1/json/data/77": about(file), "/two.arff": []byte(arffText + "%")}, "",
			"but OpenML published " + right},
		"no such number": {nil, "", "404"},
		"no description": {map[string][]byte{"/api/v1/json/data/77": []byte(`{"error": {}}`)}, "",
			"the reply is not a description of a data set"},
		"no class": {map[string][]byte{"/api/v1/json/data/77": []byte(`{"data_set_description": {"name": "two"}}`)}, "",
			"does not name its class column"},
	} {
		t.Run(name, func(t *testing.T) {
			server := archiveServer(t, c.files)
			store := without(t)
			got, err := store.Fetch(t.Context(), quick(t, server), "openml:77")
			if c.fails != "" {
				errtest.Contains(t, err, c.fails)
				return
			}
			if err != nil || string(got.Text) != c.want {
				t.Fatalf("%v, %+v", err, got)
			}
			if got.MD5 != right {
				t.Errorf("MD5 %q", got.MD5)
			}
			s, err := csvfile.Read(bytes.NewReader(got.Text), "two", csvfile.Options{Schema: got.Schema})
			if err != nil || s.D() != 2 || s.Attributes[0].Kind != dataset.Numeric ||
				s.Attributes[1].Kind != dataset.Discrete ||
				s.C() != 2 {
				t.Errorf("%v %+v", err, s)
			}
			if s.Classes[0] != "b" || s.Attributes[1].Levels[2] != "it's" {
				t.Errorf("the declared order is lost: %q %q", s.Classes, s.Attributes[1].Levels)
			}
		})
	}
}

// The parser reads a byte-order mark, ranges, dates, a class without a blank before its levels, a comment after
// @data, and rows with tabs.
func TestARFFForms(t *testing.T) {
	text := "\ufeff@relation r\n@attribute a INTEGER [0,9]\n@attribute b real[0,1]\n@attribute d date \"yyyy\"\n" +
		"@attribute class{yes,'no way'}\n@data % three rows\n1\t0.5\t'2020-01-02'\tyes\n" +
		"2,\t?\t,\"2020, March\"\t'no way'\n3,1,?,yes\n"
	table, err := parseARFF(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	const fields = "[{a number []} {b number []} {d string []} {class string [yes no way]}]"
	const rows = `[["1" "0.5" "2020-01-02" "yes"] ["2" "" "2020, March" "no way"] ["3" "1" "" "yes"]]`
	if fmt.Sprint(table.fields) != fields || fmt.Sprintf("%q", table.rows) != rows {
		t.Errorf("%v\n%q", table.fields, table.rows)
	}
}

func TestARFFRefuses(t *testing.T) {
	head := "@relation x\n@attribute a numeric\n@attribute c {p,q}\n@data\n"
	for text, want := range map[string]string{
		"":                          "not an ARFF file",
		"<html>":                    "is not a keyword of an ARFF header",
		"@attribute a relational\n": `line 1: attribute "a": copse does not read the type "relational"`,
		"@attribute a {p\n":         "has no closing brace",
		head + "{0 1}\n":            "line 5: copse does not read sparse rows",
		head + "1\n":                "line 5: the row has 1 values, but there are 2 attributes",
		head + "1,'p\n":             "line 5: the closing quote is missing",
		head + "'1' 2,p\n":          "line 5: expected a comma",

		head + strings.Repeat("1", maxARFFLine+1): "line 5 is longer than 16777216 bytes",
	} {
		_, err := parseARFF(strings.NewReader(text))
		errtest.Case(t, fmt.Sprintf("%.99q", text)).Contains(err, want)
	}
}

const splitsText = `@RELATION splits
@ATTRIBUTE type {TRAIN,TEST}
@ATTRIBUTE rowid INTEGER
@ATTRIBUTE repeat INTEGER
@ATTRIBUTE fold INTEGER
@DATA
TRAIN,1,0,0
TRAIN,2,0,0
TEST,0,0,0
TEST,1,0,1
TEST,2,0,1
TEST,0,1,1
TEST,1,1,0
TEST,2,1,1
`

// taskFiles are responses for task 59 in the format of OpenML's REST API: a description with the data set and
// the estimation procedure, and the splits as ARFF.
func taskFiles(procedure, splits string) map[string][]byte {
	return map[string][]byte{
		"/api/v1/json/task/59": []byte(`{"task": {"task_id": "59", "input": [{"name": "source_data", "data_set": ` +
			`{"data_set_id": "77", "target_feature": "Colour"}}, {"name": "estimation_procedure", ` +
			`"estimation_procedure": {"id": "1", "type": "` + procedure + `", "data_splits_url": ` +
			`"https://o/splits.arff"}}, {"name": "cost_matrix", "cost_matrix": []}]}}`),
		"/api/v1/json/data/77": []byte(`{"data_set_description": {"name": "two", "default_target_attribute": "Kind", ` +
			`"row_id_attribute": "row id", "url": "https://o/two.arff"}}`),
		"/two.arff":    []byte(arffText),
		"/splits.arff": []byte(splits),
		"/api/v1/json/study/99": []byte(`{"study": {"id": "99", "main_entity_type": "task", ` +
			`"data": {"data_id": [77]}, "tasks": {"task_id": ["59", 60]}}}`),
	}
}

// A task gives its data set with the target of the task and one column of folds per repeat.
func TestOpenMLTask(t *testing.T) {
	server := archiveServer(t, taskFiles("crossvalidation", splitsText))
	store := without(t)
	got, err := store.Fetch(t.Context(), quick(t, server), "openml:task/59")
	if err != nil {
		t.Fatal(err)
	}
	const want = "Size,note,Kind,openml_fold_1,openml_fold_2,Colour\n" +
		"1.50,\"x, y\",a,0,1,red\n,z,b,1,0,light blue\n-2e3,,a,1,1,it's\n"
	if string(got.Text) != want || fmt.Sprint(got.Schema.Folds) != "[openml_fold_1 openml_fold_2]" ||
		filepath.Base(got.Path) != "openml-task-59.csv" {
		t.Errorf("%s%+v", got.Text, got)
	}
	if others, err := store.Others(); err != nil || fmt.Sprint(others) != "[openml:task/59]" {
		t.Errorf("%q, %v", others, err)
	}
	t.Setenv("COPSE_DATA", store.Folders[0])
	file, err := NewReader(t.TempDir()).Read(&Request{
		Files: Files{Set: []string{"openml:task/59"}}, OfficialFolds: true,
	})
	if err != nil || fmt.Sprint(file.Folds) != "[[0 1 1] [1 0 1]]" || file.Rows.D() != 3 {
		t.Errorf("%+v, %v", file, err)
	}
}

func TestOpenMLTaskRefuses(t *testing.T) {
	for name, c := range map[string]struct{ name, procedure, splits, want string }{
		"holdout": {"task/59", "holdout", splitsText, `splits of type "holdout", but copse reads crossvalidation only`},
		"no row":  {"task/59", "crossvalidation", splitsText + "TEST,3,0,0\n", "invalid row number or repeat number"},
		"twice":   {"task/59", "crossvalidation", splitsText + "TEST,2,1,0\n", "row 2 in two test folds of repeat 1"},
		"not tested": {"task/59", "crossvalidation", strings.Replace(splitsText, "TEST,2,1,1\n", "", 1),
			"row 2 is in no test fold"},
		"no number": {"task/x", "crossvalidation", splitsText, "want an OpenML number, as in `openml:61`"},
		"no column": {"task/59", "crossvalidation", strings.Replace(splitsText, "fold", "part", 1),
			`no column "fold"`},
	} {
		t.Run(name, func(t *testing.T) {
			server := archiveServer(t, taskFiles(c.procedure, c.splits))
			_, err := without(t).Fetch(t.Context(), quick(t, server), "openml:"+c.name)
			errtest.Contains(t, err, c.want)
		})
	}
}

// A suite is a list of tasks, downloaded once.
func TestOpenMLSuite(t *testing.T) {
	server := archiveServer(t, taskFiles("crossvalidation", splitsText))
	store := without(t)
	if _, err := store.Suite("openml:suite/99"); !errors.Is(err, ErrAbsent) ||
		!strings.Contains(err.Error(), "copse data fetch openml:suite/99") {
		t.Error(err)
	}
	if tasks, err := store.FetchSuite(t.Context(), quick(t, server), "openml:suite/99"); err != nil ||
		fmt.Sprint(tasks) != "[openml:task/59 openml:task/60]" {
		t.Errorf("%q, %v", tasks, err)
	}
	server.Close()
	if tasks, err := store.Suite("openml:suite/99"); err != nil || len(tasks) != 2 {
		t.Errorf("%q, %v", tasks, err)
	}
	_, err := store.FetchSuite(t.Context(), NewClient(), "openml:suite/x")
	errtest.Contains(t, err, "want an OpenML number")
}
