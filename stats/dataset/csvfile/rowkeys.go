package csvfile

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"copse/stats"
	"copse/stats/dataset"
)

// A column with more than manyValues distinct values can identify the rows. Other columns, such as
// folds or months, can be equal in unrelated tables.
const manyValues = 20

// RowKeys returns a key for each column with many distinct values, such as a name, a date or a
// measurement. A key is a digest of this column and the class column, in the order of the rows. Two
// tables with a common key thus very probably describe the same units, even if their other columns
// differ.
//
// The names of columns and classes do not matter, nor does the notation of numbers and missing
// values. Columns that number the rows have no key, because they are equal in unrelated tables.
func (t *Table) RowKeys(class string) (keys []string) {
	classes := fmt.Append(nil, dataset.NumberDistinct(t.cells(t.column[class])))
	for j, name := range t.header {
		cells := t.cells(j)
		if name == class || !haveManyDistinct(cells) || t.numberRows(cells) {
			continue
		}
		content := classes[:len(classes):len(classes)] // appending copies it
		for _, cell := range cells {
			content = t.appendValue(content, cell)
		}
		digest := sha256.Sum256(content)
		keys = append(keys, hex.EncodeToString(digest[:]))
	}
	return keys
}

// cells returns the cells of column j.
func (t *Table) cells(j int) []string {
	return stats.Map(t.rows, func(row tableRow) string { return row.cell(j) })
}

// appendValue appends the value of a cell to a text. Equal values have equal texts.
func (t *Table) appendValue(text []byte, cell string) []byte {
	const numberMark, end = 'n', 0xFF // UTF-8 has no byte 0xFF
	if v, isNumber := t.number(cell); isNumber {
		return binary.LittleEndian.AppendUint64(append(text, numberMark), math.Float64bits(v))
	}
	if t.isMissing(cell) {
		cell = ""
	}
	return append(append(text, cell...), end)
}

func haveManyDistinct(cells []string) bool {
	distinct := map[string]bool{}
	for _, cell := range cells {
		if distinct[cell] = true; len(distinct) > manyValues { // one of them may be missing
			return true
		}
	}
	return false
}

// numberRows reports whether the cells are numbers that increase by one from row to row.
func (t *Table) numberRows(cells []string) bool {
	previous := 0.0
	for i, cell := range cells {
		v, isNumber := t.number(cell)
		if !isNumber || i > 0 && v != previous+1 {
			return false
		}
		previous = v
	}
	return true
}
