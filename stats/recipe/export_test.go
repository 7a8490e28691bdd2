package recipe

import (
	"fmt"
	"reflect"
)

// Full returns the identity of a recipe with all its parameters.
func Full(name string, version int, recipe any) string {
	return Defaults(nil).Canonical(name, version, recipe)
}

// Check compares the default parameters of a recipe with the stored defaults of its version. It returns a
// description of the difference, or "" if they are equal.
func (d Defaults) Check(name string, version int, defaults any) string {
	head := fmt.Sprintf("%s/%d", name, version)
	parameters := len(Fields(reflect.TypeOf(defaults).Elem()))
	switch known, isStored := d[head]; {
	case !isStored:
		return fmt.Sprintf("has no stored defaults: go test ./stats/recipe -run Pinned -pin adds the line\n%s",
			Full(name, version, defaults))
	case d.Canonical(name, version, defaults) != head+"{}":
		return fmt.Sprintf("has other defaults than defaults.txt lists for %s: raise the version. Or, "+
			"if a new parameter's default keeps the old behaviour, add the parameter to defaults.txt:\n%s",
			head, Full(name, version, defaults))
	case len(known) != parameters:
		return fmt.Sprintf("lacks a parameter that defaults.txt lists for %s: raise the version", head)
	}
	return ""
}
