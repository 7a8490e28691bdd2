package cli

import (
	"encoding/csv"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// labelColumn returns a CSV column with the header and the class of each row. codes[i] is the index
// of row i's class in classes.
func labelColumn(header string, codes []int, classes []string) []string {
	column := []string{header}
	for _, code := range codes {
		column = append(column, classes[code])
	}
	return column
}

// classColumns returns one CSV column for each class, or nil if values is nil. A header consists of
// prefix and the class. Column c of values belongs to class c.
func classColumns(prefix string, classes []string, values *mat.Dense) [][]string {
	if values == nil {
		return nil
	}
	var columns [][]string
	for c, class := range classes {
		column := []string{prefix + class}
		for _, v := range mat.Col(nil, c, values) {
			column = append(column, strconv.FormatFloat(v+0, 'g', -1, 64)) // + 0 turns -0 into 0
		}
		columns = append(columns, column)
	}
	return columns
}

// writeColumns writes columns of equal length as CSV. The first entry of a column is its header.
func writeColumns(w io.Writer, columns [][]string) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for row := range columns[0] {
		for j, column := range columns {
			line[j] = column[row]
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}
