// Package recipe reads and identifies the parameters of generators and classifiers, which it calls
// recipes. A parameter is an exported field with the tag param; it may also have the tags doc,
// range and enum.
package recipe

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// literal formats a parameter value in full precision, for the identity of a recipe.
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
