package generators

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/recipe"
)

// Values of the parameter Reading, which interprets the details that a paper leaves open. The
// literal reading follows the text. The calibrated reading gives the error rates closest to the
// published ones.
const (
	literal    = "literal"
	calibrated = "calibrated"
)

// byReading is the value of TypeLevel or EdgeRule that leaves the choice to the parameter Reading.
const byReading = "by_reading"

func invalid(key, format string, arguments ...any) error {
	return recipe.Errorf(key, format, arguments...)
}

// sampleRows draws counts[c] rows of d values from each class c, in class order. draw fills in a
// row. sampleRows panics if the number of counts is wrong, a count is negative or all are zero.
func sampleRows(counts []int, classes, d int, draw func(class int, row []float64)) *dataset.Set {
	if len(counts) != classes {
		panic(fmt.Sprintf("generators: %d class counts for %d classes", len(counts), classes))
	}
	n := 0
	for c, count := range counts {
		if count < 0 {
			panic(fmt.Sprintf("generators: the number of rows of class %d is negative: %d", c, count))
		}
		n += count
	}
	if n == 0 {
		panic("generators: a sample needs at least one row")
	}
	x := mat.NewDense(n, d, nil)
	y := make([]int, 0, n)
	for c, count := range counts {
		for range count {
			draw(c, x.RawRowView(len(y)))
			y = append(y, c)
		}
	}
	return dataset.New(x, y, classes)
}

func checkRow(x []float64, d int) {
	if len(x) != d {
		panic(fmt.Sprintf("generators: a row has %d values, but the problem has %d variables", len(x), d))
	}
}

// A description is the result of Modeler.Model.
type description struct {
	Generator  string         `json:"generator"`
	Parameters map[string]any `json:"parameters"`        // including the parameters that the reading sets
	Drawn      any            `json:"drawn,omitempty"`   // random choices that all classes share
	Classes    []any          `json:"classes,omitempty"` // properties of each class
}

func describeParameters(g any) map[string]any {
	v := reflect.ValueOf(g)
	parameters := make(map[string]any)
	for _, f := range recipe.Fields(v.Type()) {
		parameters[f.Tag.Get("param")] = v.FieldByIndex(f.Index).Interface()
	}
	return parameters
}

// columnName returns the name of column j: x1 for 0.
func columnName(j int) string { return fmt.Sprintf("x%d", j+1) }

func columnNames(columns []int) []string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = columnName(j)
	}
	return names
}
