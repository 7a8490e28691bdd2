package cli

import (
	"encoding/csv"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A column of a CSV file has a header and a text for each row.
type column struct {
	header string
	text   func(row int) string
}

// labelColumn shows class codes as the names of the classes.
func labelColumn(header string, codes []int, classes []string) column {
	return column{header, func(row int) string { return classes[codes[row]] }}
}

// classColumns are the columns of a matrix with a column per class; none of a nil matrix.
func classColumns(prefix string, classes []string, values *mat.Dense) []column {
	if values == nil {
		return nil
	}
	list := make([]column, len(classes))
	for c, class := range classes {
		list[c] = column{prefix + class, func(row int) string {
			return strconv.FormatFloat(values.At(row, c)+0, 'g', -1, 64) // + 0 makes -0 a 0
		}}
	}
	return list
}

// writeColumns writes a CSV file of so many rows.
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
