// Package recipe is the contract of generators and classifiers with those who
// configure them: hyper-parameters are exported fields with a param tag, beside
// it doc, range or enum.
package recipe

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// literal writes a value without loss, as identities of recipes have it.
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
