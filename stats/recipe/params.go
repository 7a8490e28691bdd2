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

// A Param is one documented parameter of a generator or classifier.
type Param struct {
	Name    string
	Type    string // text, number, whole number, true or false, list of ...
	Default string
	Allowed string // interval or options; "" when anything goes
	Doc     string
}

// Params lists the parameters of the recipe that the pointer points to, in the
// order of its fields, with their present values as defaults.
func Params(recipe any) []Param {
	v := reflect.ValueOf(recipe).Elem()
	var list []Param
	for _, f := range Fields(v.Type()) {
		allowed := f.Tag.Get("range")
		if enum := f.Tag.Get("enum"); enum != "" {
			allowed = strings.ReplaceAll(enum, ",", " | ")
		}
		kind := f.Tag.Get("node")
		if kind == "" {
			kind = typeName(f.Type)
		}
		list = append(list, Param{f.Tag.Get("param"), kind, literal(v.FieldByIndex(f.Index)), allowed, f.Tag.Get("doc")})
	}
	return list
}

// literal writes a value without loss.
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

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list of " + typeName(t.Elem())
	}
	panic("recipe: parameter of type " + t.String())
}
