package recipe

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// InRange tells whether f lies in an interval written as [a,b], (a,b], [a,b)
// or (a,b), where a missing or inf end is unbounded.
func InRange(interval string, f float64) (bool, error) {
	low, high, ok := strings.Cut(strings.Trim(interval, "[]()"), ",")
	if !ok {
		return false, fmt.Errorf("range tag %q is not an interval", interval)
	}
	ends := [2]float64{math.Inf(-1), math.Inf(1)}
	for i, text := range []string{strings.TrimSpace(low), strings.TrimSpace(high)} {
		if text == "" || strings.HasSuffix(text, "inf") {
			continue
		}
		end, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false, fmt.Errorf("range tag %q: %w", interval, err)
		}
		ends[i] = end
	}
	above := f > ends[0] || f == ends[0] && interval[0] == '['
	below := f < ends[1] || f == ends[1] && strings.HasSuffix(interval, "]")
	return above && below, nil
}

// Fields returns a struct's parameters in the order of its fields, those
// of embedded structs included.
func Fields(t reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		return f.Tag.Get("param") == ""
	})
}

// ParamNames returns the names of a struct's parameters in the order of its
// fields.
func ParamNames(t reflect.Type) []string {
	var names []string
	for _, f := range Fields(t) {
		names = append(names, f.Tag.Get("param"))
	}
	return names
}

func ParamFields(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range Fields(t) {
		fields[f.Tag.Get("param")] = f
	}
	return fields
}
