package recipe

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// InRange reports whether f lies in an interval written as [a,b], (a,b], [a,b)
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

// known holds what was found of each struct type: designs of many cells ask for each
// of them.
var known sync.Map // reflect.Type to *fields

type fields struct {
	list  []reflect.StructField
	names []string
	named map[string]reflect.StructField
}

func fieldsOf(t reflect.Type) *fields {
	if f, ok := known.Load(t); ok {
		return f.(*fields)
	}
	f := &fields{named: map[string]reflect.StructField{}}
	for _, field := range reflect.VisibleFields(t) {
		if name := field.Tag.Get("param"); name != "" {
			f.list, f.names, f.named[name] = append(f.list, field), append(f.names, name), field
		}
	}
	known.Store(t, f)
	return f
}

// Fields returns a struct's parameters in the order of its fields, those
// of embedded structs included. Nobody may change what it returns.
func Fields(t reflect.Type) []reflect.StructField { return slices.Clip(fieldsOf(t).list) }

// ParamNames returns the names of a struct's parameters in the order of its
// fields. Nobody may change them.
func ParamNames(t reflect.Type) []string { return slices.Clip(fieldsOf(t).names) }

// ParamFields returns a struct's parameters by their names. Nobody may change them.
func ParamFields(t reflect.Type) map[string]reflect.StructField { return fieldsOf(t).named }
