package data

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5" // OpenML publishes MD5 sums; they detect damage, not manipulation
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/stats/dataset/csvfile"
)

// Prefixes of names from openml.org. Examples of names are
//
//	openml:61        a data set
//	openml:task/59   a task: a data set with a class column and published folds
//	openml:suite/99  a list of tasks
const (
	openMLPrefix = "openml:"
	taskPrefix   = "task/"
	suitePrefix  = "suite/"
)

func IsTask(name string) bool { return strings.HasPrefix(name, openMLPrefix+taskPrefix) }

func IsSuite(name string) bool { return strings.HasPrefix(name, openMLPrefix+suitePrefix) }

type description struct {
	Name   string `json:"name"`
	URL    string `json:"url"`          // address of the ARFF file
	MD5    string `json:"md5_checksum"` // MD5 sum of the ARFF file
	Target string `json:"default_target_attribute"`
	RowID  names  `json:"row_id_attribute"`
	Ignore names  `json:"ignore_attribute"`
}

// names is a list of names. In JSON, it may also be a string with commas.
type names []string

func (n *names) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) != nil {
		return json.Unmarshal(text, (*[]string)(n))
	}
	for _, name := range strings.Split(one, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n = append(*n, name)
		}
	}
	return nil
}

// A taskInput is one entry in OpenML's description of a task: either the data set or the split.
type taskInput struct {
	Source struct {
		Data   json.Number `json:"data_set_id"`    // number of the data set; OpenML may write it as a string
		Target string      `json:"target_feature"` // class column
	} `json:"data_set"`
	Procedure struct {
		Type   string `json:"type"`            // kind of the split, such as crossvalidation
		Splits string `json:"data_splits_url"` // address of the ARFF file with the folds
	} `json:"estimation_procedure"`
}

// openMLAnswer downloads the description of a data set, task or suite of OpenML, and decodes it
// into answer. path is the end of the address, such as data/61.
func (c *Client) openMLAnswer(ctx context.Context, path string, answer any) error {
	if _, err := strconv.ParseUint(path[strings.Index(path, "/")+1:], 10, 63); err != nil {
		return fmt.Errorf("%s%s: want an OpenML number, as in `openml:61`, `openml:task/59` or `openml:suite/99`",
			openMLPrefix, strings.TrimPrefix(path, "data/"))
	}
	text, err := c.get(ctx, c.OpenML+path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s%s: the reply is not a description of a data set, task or suite: %w", c.OpenML, path, err)
	}
	return nil
}

// openML downloads a data set, or a task with its folds. name lacks the prefix openml:, as in 61 or
// task/59.
func (c *Client) openML(ctx context.Context, name string) (*Copy, error) {
	if !strings.HasPrefix(name, taskPrefix) {
		return c.openMLData(ctx, name, "", nil)
	}
	var answer struct {
		Task struct {
			Input []taskInput `json:"input"`
		}
	}
	if err := c.openMLAnswer(ctx, name, &answer); err != nil {
		return nil, err
	}
	var t taskInput // combines the fields of all inputs
	for _, input := range answer.Task.Input {
		t.Source = cmp.Or(input.Source, t.Source)
		t.Procedure = cmp.Or(input.Procedure, t.Procedure)
	}
	if t.Procedure.Type != "crossvalidation" {
		return nil, fmt.Errorf("openml:%s has splits of type %q, but copse reads crossvalidation only; "+
			"use its data set `openml:%s` with a split of your own", name, t.Procedure.Type, t.Source.Data)
	}
	splits, err := c.openMLTable(ctx, t.Procedure.Splits, "") // OpenML publishes no MD5 sums of splits
	if err != nil {
		return nil, err
	}
	return c.openMLData(ctx, string(t.Source.Data), t.Source.Target, splits)
}

// openMLData downloads a data set and converts it to CSV. target is the class column, or "" for the
// default. splits contains the folds of a task, or is nil.
func (c *Client) openMLData(ctx context.Context, number, target string, splits *table) (*Copy, error) {
	d, err := c.describeData(ctx, number)
	if err != nil {
		return nil, err
	}
	d.Target = cmp.Or(target, d.Target)
	if d.Target == "" {
		return nil, fmt.Errorf("openml:%s (%s) does not name its class column; "+
			"download the file and use `copse data add --class`",
			number, d.Name)
	}
	t, err := c.openMLTable(ctx, d.URL, d.MD5)
	if err != nil {
		return nil, err
	}
	var folds []string
	if splits != nil {
		if folds, err = t.addFolds(splits); err != nil {
			return nil, err
		}
	}
	got := &Copy{origin: origin{From: d.URL, MD5: d.MD5}}
	if got.Text, got.Schema, err = d.csv(t); err != nil {
		return nil, fmt.Errorf("%s: %w", d.URL, err)
	}
	got.Schema.Folds = folds
	return got, nil
}

func (c *Client) describeData(ctx context.Context, number string) (*description, error) {
	var answer struct {
		Description *description `json:"data_set_description"`
	}
	if err := c.openMLAnswer(ctx, "data/"+number, &answer); err != nil {
		return nil, err
	}
	if answer.Description == nil {
		return nil, fmt.Errorf("%sdata/%s: the reply is not a description of a data set", c.OpenML, number)
	}
	return answer.Description, nil
}

// openMLTable downloads and parses an ARFF file, and checks its published MD5 sum, unless that is
// "".
func (c *Client) openMLTable(ctx context.Context, address, published string) (*table, error) {
	text, err := c.get(ctx, address)
	if err != nil {
		return nil, err
	}
	if got := fmt.Sprintf("%x", md5.Sum(text)); published != "" && got != published {
		return nil, fmt.Errorf("%s has MD5 %s, but OpenML published %s; try again", address, got, published)
	}
	t, err := parseARFF(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return t, nil
}

// addFolds appends one column of test folds for each repeat of a task's cross-validation. It
// returns the names of the new columns. The table splits has the columns type (TRAIN or TEST),
// rowid, repeat and fold. Row IDs and repeats are counted from 0.
func (t *table) addFolds(splits *table) (columns []string, err error) {
	index, err := splits.columnIndex("type", "rowid", "repeat", "fold")
	if err != nil {
		return nil, err
	}
	firstFold := len(t.fields) // index of the first new column
	for _, line := range splits.rows {
		if line[index["type"]] != "TEST" {
			continue
		}
		row, isRow := numberBelow(line[index["rowid"]], len(t.rows))
		repeat, isRepeat := numberBelow(line[index["repeat"]], len(columns)+1) // also accepts the next new repeat
		if !isRow || !isRepeat {
			return nil, fmt.Errorf("the splits file has an invalid row number or repeat number: %q", line)
		}
		if repeat == len(columns) { // the first row of this repeat
			name := fmt.Sprintf("openml_fold_%d", repeat+1)
			columns = append(columns, name)
			t.addColumn(name)
		}
		cell := &t.rows[row][firstFold+repeat]
		if *cell != "" {
			return nil, fmt.Errorf("the splits file has row %d in two test folds of repeat %d", row, repeat)
		}
		*cell = line[index["fold"]]
	}
	for i, cells := range t.rows {
		hasAllFolds := len(columns) > 0 && !slices.Contains(cells[firstFold:], "")
		if !hasAllFolds {
			return nil, fmt.Errorf("the splits file is incomplete: in some repeat, row %d is in no test fold", i)
		}
	}
	return columns, nil
}

func numberBelow(text string, limit int) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < limit
}

// columnIndex returns a map from lower-case column names to indices. A missing column is an error.
func (t *table) columnIndex(needed ...string) (map[string]int, error) {
	index := map[string]int{}
	for j, field := range t.fields {
		index[strings.ToLower(field.Name)] = j
	}
	for _, name := range needed {
		if _, found := index[name]; !found {
			return nil, fmt.Errorf("the splits file has no column %q", name)
		}
	}
	return index, nil
}

func (t *table) addColumn(name string) {
	t.fields = append(t.fields, csvfile.Field{Name: name, Type: "string"})
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], "")
	}
}

// csvColumns returns the indices of the columns of the CSV file, with the class at the end. It
// omits row identifiers, and columns that OpenML marks as ignored.
func (d *description) csvColumns(t *table) ([]int, error) {
	var columns []int
	class := -1
	for j, field := range t.fields {
		switch {
		case field.Name == d.Target:
			class = j
		case slices.Contains(d.RowID, field.Name) || slices.Contains(d.Ignore, field.Name):
			// not an attribute
		default:
			columns = append(columns, j)
		}
	}
	if class < 0 {
		return nil, fmt.Errorf("the file has no class column %q", d.Target)
	}
	return append(columns, class), nil
}

// csv converts a table to a CSV file with the columns from csvColumns, and its schema.
func (d *description) csv(t *table) ([]byte, *csvfile.Schema, error) {
	columns, err := d.csvColumns(t)
	if err != nil {
		return nil, nil, err
	}
	schema := &csvfile.Schema{MissingValues: []string{""}, Class: d.Target}
	var header []string
	for _, j := range columns {
		schema.Fields = append(schema.Fields, t.fields[j])
		header = append(header, t.fields[j].Name)
	}
	lines := [][]string{header}
	for _, cells := range t.rows {
		var line []string
		for _, j := range columns {
			line = append(line, cells[j])
		}
		lines = append(lines, line)
	}
	return formatCSV(lines), schema, nil
}
