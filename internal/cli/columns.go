package cli

import (
	"encoding/csv"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A column of a CSV file: its header and a function that returns the entry of a row.
type column struct {
	header string
	text   func(row int) string
}

// labelColumn returns a column of class names; codes has the class of each row.
func labelColumn(header string, codes []int, classes []string) column {
	return column{header, func(row int) string { return classes[codes[row]] }}
}

// classColumns returns the columns of a matrix that has a column per class. Their headers are
// prefix and class. A nil matrix has no columns.
func classColumns(prefix string, classes []string, values *mat.Dense) []column {
	if values == nil {
		return nil
	}
	list := make([]column, len(classes))
	for c, class := range classes {
		list[c] = column{prefix + class, func(row int) string {
			return strconv.FormatFloat(values.At(row, c)+0, 'g', -1, 64) // + 0 turns -0 into 0
		}}
	}
	return list
}

// writeColumns writes columns as a CSV file of the given number of rows.
func writeColumns(w io.Writer, columns []column, rows int) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for j, c := range columns {
		line[j] = c.header
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range rows {
		for j, c := range columns {
			line[j] = c.text(row)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
