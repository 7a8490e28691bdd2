package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// readLines reads all lines of a CSV file, including any header.
func readLines(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}

func readNumbers(path string) ([][]float64, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	rows := make([][]float64, len(lines))
	for i, line := range lines {
		for _, cell := range line {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil || math.IsNaN(v) {
				return nil, fmt.Errorf("%s: line %d: %q is not a number", path, i+1, cell)
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows, nil
}

func writeNumbers(w io.Writer, m mat.Matrix) error {
	c := csv.NewWriter(w)
	n, columns := m.Dims()
	cells := make([]string, columns)
	for i := range n {
		for k := range cells {
			cells[k] = strconv.FormatFloat(m.At(i, k), 'g', -1, 64)
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
