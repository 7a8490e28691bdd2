package generators

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/recipe"
)

// A reading is an interpretation of what a paper leaves open about a generator. The literal reading
// follows the text. The calibrated reading comes nearest to the published errors.
const (
	literal    = "literal"
	calibrated = "calibrated"
)

// byReading is a value of a text parameter; it means that the reading sets the parameter.
const byReading = "by_reading"

// twoClasses returns the number of classes of generators with two classes; see Spec.Classes.
func twoClasses(Generator) int { return 2 }

// sampleRows returns counts[c] rows of d values for each class c, in class order. The function draw
// fills one row.
func sampleRows(counts []int, classes, d int, draw func(class int, row []float64)) *dataset.Set {
	if len(counts) != classes {
		panic(fmt.Sprintf("generators: %d class counts for %d classes", len(counts), classes))
	}
	n := 0
	for c, count := range counts {
		if count < 0 {
			panic(fmt.Sprintf("generators: negative number %d of rows of class %d", count, c))
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

// checkRow panics unless row x has d values.
func checkRow(x []float64, d int) {
	if len(x) != d {
		panic(fmt.Sprintf("generators: a row has %d values, but the problem has %d variables", len(x), d))
	}
}

// A description is what the method Model of a problem returns; it becomes model.json.
type description struct {
	Generator  string         `json:"generator"`
	Parameters map[string]any `json:"parameters"`        // including those that the reading sets
	Drawn      any            `json:"drawn,omitempty"`   // random choices that all classes share
	Classes    []any          `json:"classes,omitempty"` // what is specific to each class
}

// describeParameters returns the parameters of the struct g, keyed by their param tags.
func describeParameters(g any) map[string]any {
	v := reflect.ValueOf(g)
	parameters := make(map[string]any)
	for _, f := range recipe.Fields(v.Type()) {
		parameters[f.Tag.Get("param")] = v.FieldByIndex(f.Index).Interface()
	}
	return parameters
}

// columnName returns the name of column j, counted from 0: x1 for 0, x2 for 1, ...
func columnName(j int) string { return fmt.Sprintf("x%d", j+1) }

// columnNames returns the names of some columns: x1, x2, ...
func columnNames(columns []int) []string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = columnName(j)
	}
	return names
}
