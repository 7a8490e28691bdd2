// Package golden reads reference values for tests. Other programs computed these values, and the
// testdata folders contain them as CSV files.
package golden

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A Row maps column names to the fields of one line.
type Row struct {
	t     testing.TB
	Value map[string]string
}

// Read reads a CSV file with a header. The test fails if the file has no rows.
func Read(t testing.TB, path string) []Row {
	t.Helper()
	lines := Lines(t, path)
	var rows []Row
	for _, line := range lines[1:] {
		row := Row{t, map[string]string{}}
		for j, column := range lines[0] {
			row.Value[column] = line[j]
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s holds no golden values", path)
	}
	return rows
}

// Lines returns the fields of every line of a CSV file. It omits comments, which begin with #. The
// test fails if the file has no lines.
func Lines(t testing.TB, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return lines
}

// Columns returns the numbers in each column. A field that is empty or NA becomes NaN.
func Columns(t testing.TB, path string) map[string][]float64 {
	t.Helper()
	columns := map[string][]float64{}
	for _, row := range Read(t, path) {
		for name, field := range row.Value {
			v := math.NaN()
			if field != "" {
				v = Number(t, field)
			}
			columns[name] = append(columns[name], v)
		}
	}
	return columns
}

// Number parses a number. It returns NaN for NA.
func Number(t testing.TB, field string) float64 {
	t.Helper()
	if field = strings.TrimSpace(field); field == "NA" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(field, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Whole reads a whole number.
func Whole(t testing.TB, field string) int {
	t.Helper()
	v, err := strconv.Atoi(field)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Wholes parses integers separated by spaces.
func Wholes(t testing.TB, fields string) []int {
	t.Helper()
	var list []int
	for _, s := range strings.Fields(fields) {
		list = append(list, Whole(t, s))
	}
	return list
}

// Num returns the number in a column, or NaN if the field is NA.
func (r Row) Num(column string) float64 {
	r.t.Helper()
	return Number(r.t, r.Value[column])
}

// Int returns the integer in a column.
func (r Row) Int(column string) int {
	r.t.Helper()
	return Whole(r.t, r.Value[column])
}

// List parses the field in a column as numbers separated by spaces.
func (r Row) List(column string) []float64 {
	r.t.Helper()
	var list []float64
	for _, field := range strings.Fields(r.Value[column]) {
		list = append(list, Number(r.t, field))
	}
	return list
}

// Near reports whether got differs from want by at most 1e-9 max(1, |want|). NaN is near NaN.
func Near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}
