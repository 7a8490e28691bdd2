package generators

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/recipe"
)

// byReading is the value of a text parameter that the reading decides.
const byReading = "by_reading"

const (
	literal    = "literal"
	calibrated = "calibrated"
)

// twoClasses is the Classes of generators of binary problems.
func twoClasses(Generator) int { return 2 }

// sampleRows returns counts[c] rows of each class c, in class order; draw fills
// one row.
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

func checkRow(x []float64, d int) {
	if len(x) != d {
		panic(fmt.Sprintf("generators: a row of %d values for %d variables", len(x), d))
	}
}

// A description is what Model returns: the parameters as they were resolved
// and, per class, what was drawn.
type description struct {
	Generator  string         `json:"generator"`
	Parameters map[string]any `json:"parameters"`
	Drawn      any            `json:"drawn,omitempty"` // what the classes have in common
	Classes    []any          `json:"classes,omitempty"`
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

func columnName(j int) string { return fmt.Sprintf("x%d", j+1) }

func columnNames(columns []int) []string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = columnName(j)
	}
	return names
}
