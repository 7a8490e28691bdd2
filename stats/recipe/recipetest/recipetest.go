// Package recipetest checks the parameters of recipes in tests.
package recipetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/stats/recipe"
)

// CheckParameters checks a struct of parameters. The argument defaults points to such a struct with
// the default values. Each exported field must be a documented parameter, and its tags must allow
// its default. Errors begin with name.
func CheckParameters(t *testing.T, name string, defaults any) {
	t.Helper()
	value := reflect.ValueOf(defaults).Elem()
	for _, f := range reflect.VisibleFields(value.Type()) {
		if f.IsExported() && !f.Anonymous && f.Tag.Get("param") == "" {
			t.Errorf("%s: field %s has no param tag", name, f.Name)
		}
	}
	for _, f := range recipe.Fields(value.Type()) {
		parameter := name + " " + f.Tag.Get("param")
		if recipe.Doc(value.Type(), f) == "" {
			t.Errorf("%s: docs.txt has no line: write a comment above the field and run go generate .", parameter)
		}
		checkDefault(t, parameter, f.Tag, value.FieldByIndex(f.Index))
	}
}

// checkDefault checks that the tag of a parameter allows its default. A number must have a tag
// `range`, and a string a tag `enum`. A list must have one of them, which must allow every item.
func checkDefault(t *testing.T, parameter string, tag reflect.StructTag, value reflect.Value) {
	t.Helper()
	switch value.Kind() {
	case reflect.Bool:
	case reflect.Slice:
		if value.Len() == 0 && tag.Get("range")+tag.Get("enum") == "" {
			t.Errorf("%s: the list has neither range nor enum", parameter)
		}
		for i := range value.Len() {
			checkDefault(t, parameter, tag, value.Index(i))
		}
	case reflect.String:
		if !slices.Contains(strings.Split(tag.Get("enum"), ","), value.String()) {
			t.Errorf("%s: default %q is not one of %q", parameter, value, tag.Get("enum"))
		}
	default:
		number := value.Convert(reflect.TypeFor[float64]()).Float()
		if inside, err := recipe.InRange(tag.Get("range"), number); !inside {
			t.Errorf("%s: default %v is not in the range %q (%v)", parameter, value, tag.Get("range"), err)
		}
	}
}
