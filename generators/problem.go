package generators

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/recipe"
)

// A reading settles what a paper leaves open about a generator. The literal reading is the text; the
// calibrated one comes nearest to the published errors.
const (
	literal    = "literal"
	calibrated = "calibrated"
)

// byReading is the value of a text parameter whose value depends on the reading.
const byReading = "by_reading"

// twoClasses is Spec.Classes of generators of binary problems.
func twoClasses(Generator) int { return 2 }

// sampleRows returns counts[c] rows of d values for each class c, in class order; draw fills one row.
func sampleRows(counts []int, classes, d int, draw func(class int, row []float64)) *dataset.Set {
	if len(counts) != classes {
		panic(fmt.Sprintf("generators: %d class counts for %d classes", len(counts), classes))
	}
	n := 0
	for c, count := range counts {
		if count < 0 {
			panic(fmt.Sprintf("generators: %d rows of class %d", count, c))
		}
		n += count
	}
	if n == 0 {
		panic("generators: a sample of no rows")
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

// checkRow panics unless x has d values.
func checkRow(x []float64, d int) {
	if len(x) != d {
		panic(fmt.Sprintf("generators: a row of %d values for %d variables", len(x), d))
	}
}

// A description is the model that Model returns.
type description struct {
	Generator  string         `json:"generator"`
	Parameters map[string]any `json:"parameters"`        // with the values that the reading decides
	Drawn      any            `json:"drawn,omitempty"`   // common to all classes
	Classes    []any          `json:"classes,omitempty"` // by class
}

// describeParameters returns the parameters of g, a struct, under the names of
// their param tags.
func describeParameters(g any) map[string]any {
	v := reflect.ValueOf(g)
	parameters := make(map[string]any)
	for _, f := range recipe.Fields(v.Type()) {
		parameters[f.Tag.Get("param")] = v.FieldByIndex(f.Index).Interface()
	}
	return parameters
}

// columnName returns the name of column j, counted from 0: x1, x2, ...
func columnName(j int) string { return fmt.Sprintf("x%d", j+1) }

// columnNames returns the names of columns.
func columnNames(columns []int) []string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = columnName(j)
	}
	return names
}
