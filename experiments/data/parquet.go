package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	parquet "github.com/parquet-go/parquet-go"

	"copse/stats/dataset/csvfile"
)

// parseParquet reads a Parquet file of flat columns. Texts and truth values are
// levels; nulls and NaN are missing values.
func parseParquet(text []byte) (*table, error) {
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	t := &table{}
	for _, field := range file.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("column %q holds lists or records", field.Name())
		}
		kind := "number"
		switch field.Type().Kind() {
		case parquet.ByteArray, parquet.FixedLenByteArray, parquet.Boolean:
			kind = "string"
		}
		t.fields = append(t.fields, csvfile.Field{Name: field.Name(), Type: kind})
	}
	rows := parquet.NewReader(file)
	defer rows.Close()
	batch := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(batch)
		for _, row := range batch[:n] {
			cells := make([]string, len(t.fields))
			for _, v := range row {
				cells[v.Column()] = parquetCell(v)
			}
			t.rows = append(t.rows, cells)
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func parquetCell(v parquet.Value) string {
	if v.IsNull() {
		return ""
	}
	switch v.Kind() {
	case parquet.Float, parquet.Double:
		number, bits := v.Double(), 64
		if v.Kind() == parquet.Float {
			number, bits = float64(v.Float()), 32
		}
		if math.IsNaN(number) {
			return ""
		}
		return strconv.FormatFloat(number, 'g', -1, bits)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return string(v.ByteArray())
	}
	return v.String()
}
