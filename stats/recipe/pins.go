package recipe

import (
	"fmt"
	"reflect"
	"strings"
)

// Pins contain the default parameters with which each version of a recipe was released. The keys
// are name/version and the name of a parameter; values are written as in Full. The identity of a
// recipe lists only the parameters that differ from its pins. So if a default changes in the code,
// the identity changes even if the version stays the same, and stored identities remain correct.
type Pins map[string]map[string]string

// MustParsePins returns ParsePins(text). It panics on an error, because the text is part of the
// program.
func MustParsePins(text string) Pins {
	pins, err := ParsePins(text)
	if err != nil {
		panic("recipe: pinned defaults: " + err.Error())
	}
	return pins
}

// ParsePins reads pins from a text in which each line is a recipe as Full writes it.
func ParsePins(text string) (Pins, error) {
	pins := Pins{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head, body, ok := strings.Cut(strings.TrimSuffix(line, "}"), "{")
		if !ok || !strings.HasSuffix(line, "}") || pins[head] != nil {
			return nil, fmt.Errorf("the line %q is not a recipe, or an earlier line has the same name and version",
				line)
		}
		pins[head] = map[string]string{}
		for _, part := range strings.Split(body, ",") {
			if key, value, ok := strings.Cut(part, "="); ok {
				pins[head][key] = value
			} else if body != "" {
				return nil, fmt.Errorf("the line %q contains %q, which is not a parameter", line, part)
			}
		}
	}
	return pins, nil
}

// Canonical returns the identity of a recipe: name/version{key=value,...} with the parameters that
// differ from the pins, in the order of the fields. If the version has no pins, it lists all
// parameters. Recipes with equal identities are equal.
func (p Pins) Canonical(name string, version int, recipe any) string {
	return write(name, version, recipe, p[head(name, version)])
}

// Full returns the identity of a recipe with all its parameters. Tests use it to compare every
// default with its pin.
func Full(name string, version int, recipe any) string { return write(name, version, recipe, nil) }

// head returns name/version.
func head(name string, version int) string { return fmt.Sprintf("%s/%d", name, version) }

// write returns name/version{key=value,...} with those parameters whose values differ from the
// values in known.
func write(name string, version int, recipe any, known map[string]string) string {
	v := reflect.ValueOf(recipe).Elem()
	var parts []string
	for _, f := range Fields(v.Type()) {
		key, value := f.Tag.Get("param"), literal(v.FieldByIndex(f.Index))
		if pinned, ok := known[key]; !ok || pinned != value {
			parts = append(parts, key+"="+value)
		}
	}
	return fmt.Sprintf("%s{%s}", head(name, version), strings.Join(parts, ","))
}

// Check compares the default parameters of a recipe with the pins of its version. It returns a
// description of the difference, or "" if they are equal.
func (p Pins) Check(name string, version int, defaults any) string {
	full := Full(name, version, defaults)
	known, pinned := p[head(name, version)]
	if !pinned {
		return fmt.Sprintf("has no pins: add the line\n%s", full)
	}
	if p.Canonical(name, version, defaults) != head(name, version)+"{}" {
		return fmt.Sprintf("has other defaults than the pins of %s: raise the version. Or, "+
			"if a new parameter's default keeps the old behaviour, add the parameter to the pins:\n%s",
			head(name, version), full)
	}
	if len(known) != len(Fields(reflect.TypeOf(defaults).Elem())) {
		return fmt.Sprintf("lacks a parameter that the pins of %s contain: raise the version", head(name, version))
	}
	return ""
}
