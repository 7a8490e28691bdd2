package recipe

import (
	"fmt"
	"reflect"
)

// Full returns the identity of a recipe with all its parameters.
func Full(name string, version int, recipe any) string {
	return Pins(nil).Canonical(name, version, recipe)
}

// Check compares the default parameters of a recipe with the pins of its version. It returns a
// description of the difference, or "" if they are equal.
func (p Pins) Check(name string, version int, defaults any) string {
	head := fmt.Sprintf("%s/%d", name, version)
	parameters := len(Fields(reflect.TypeOf(defaults).Elem()))
	switch known, pinned := p[head]; {
	case !pinned:
		return fmt.Sprintf("has no pins: go test ./stats/recipe -run Pinned -pin adds the line\n%s",
			Full(name, version, defaults))
	case p.Canonical(name, version, defaults) != head+"{}":
		return fmt.Sprintf("has other defaults than the pins of %s: raise the version. Or, "+
			"if a new parameter's default keeps the old behaviour, add the parameter to the pins:\n%s",
			head, Full(name, version, defaults))
	case len(known) != parameters:
		return fmt.Sprintf("lacks a parameter that the pins of %s contain: raise the version", head)
	}
	return ""
}
