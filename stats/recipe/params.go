// Package recipe is the contract between generators or classifiers and the code that configures them.
// Hyper-parameters are exported fields with a param tag, and may have the tags doc, range and enum.
package recipe

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// literal returns a value in full precision, for the identities of recipes.
func literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = literal(v.Index(i))
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	return fmt.Sprint(v.Interface())
}
