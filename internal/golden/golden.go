// Package golden reads the values that other programs computed for the tests,
// CSV files under a package's testdata.
package golden

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A Row is one line of a file, by column.
type Row struct {
	t     testing.TB
	Value map[string]string
}

// Read reads a file with a head line; lines that begin with # are comments. A
// file without rows ends the test, which would check nothing.
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

// Lines reads a CSV file of golden values, which other programs computed, and returns the fields of every
// line. It omits comments, which begin with #. The test fails if the file has no lines.
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

// Columns reads the numbers of every column, NaN where a cell is empty or NA.
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

// Number reads a number, NaN for NA.
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

// Wholes reads whole numbers with spaces between them.
func Wholes(t testing.TB, fields string) []int {
	t.Helper()
	var list []int
	for _, s := range strings.Fields(fields) {
		list = append(list, Whole(t, s))
	}
	return list
}

// Num reads the number of a column, NaN where the file has NA.
func (r Row) Num(column string) float64 {
	r.t.Helper()
	return Number(r.t, r.Value[column])
}

// Int reads the whole number of a column.
func (r Row) Int(column string) int {
	r.t.Helper()
	return Whole(r.t, r.Value[column])
}

// List reads numbers with spaces between them.
func (r Row) List(column string) []float64 {
	r.t.Helper()
	var list []float64
	for _, field := range strings.Fields(r.Value[column]) {
		list = append(list, Number(r.t, field))
	}
	return list
}

// Near compares to 1e-9, relative for large numbers; NaN equals NaN.
func Near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}
