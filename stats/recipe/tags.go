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

// InRange reports whether f lies in an interval, written as [a,b], (a,b], [a,b) or (a,b). An end
// that is inf or missing has no limit.
func InRange(interval string, f float64) (bool, error) {
	low, high, ok := strings.Cut(strings.Trim(interval, "[]()"), ",")
	if !ok {
		return false, fmt.Errorf("the range tag %q is not an interval such as [0,1)", interval)
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

// known caches the parameters of each struct type, because a study needs them for every cell.
var known sync.Map // reflect.Type to *fields

type fields struct {
	list  []reflect.StructField // in the order of the struct
	named map[string]reflect.StructField
}

func fieldsOf(t reflect.Type) *fields {
	if f, ok := known.Load(t); ok {
		return f.(*fields)
	}
	f := &fields{named: map[string]reflect.StructField{}}
	for _, field := range reflect.VisibleFields(t) {
		if name := field.Tag.Get("param"); name != "" {
			f.list = append(f.list, field)
			f.named[name] = field
		}
	}
	known.Store(t, f)
	return f
}

// Fields returns the parameters of a struct type in field order, including the parameters of embedded structs.
// Callers must not modify the result.
func Fields(t reflect.Type) []reflect.StructField { return slices.Clip(fieldsOf(t).list) }

// ParamFields returns the parameters of a struct type by name. Callers must not modify the result.
func ParamFields(t reflect.Type) map[string]reflect.StructField { return fieldsOf(t).named }
