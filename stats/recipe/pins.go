package recipe

import (
	"fmt"
	"reflect"
	"strings"
)

// Pins are the defaults that each version of a recipe was released with: for each name/version, the
// values of the parameters as Full writes them. The identity of a recipe lists only the parameters that
// differ from its pins. So a default that changes in the code changes the identity, even if the version
// is not raised, and stored identities keep their meaning.
type Pins map[string]map[string]string

// MustParsePins returns ParsePins(text) and panics on an error, which is a mistake in an embedded file.
func MustParsePins(text string) Pins {
	pins, err := ParsePins(text)
	if err != nil {
		panic("recipe: pinned defaults: " + err.Error())
	}
	return pins
}

// ParsePins reads a recipe from each line, as Full writes it.
func ParsePins(text string) (Pins, error) {
	pins := Pins{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head, body, ok := strings.Cut(strings.TrimSuffix(line, "}"), "{")
		if !ok || !strings.HasSuffix(line, "}") || pins[head] != nil {
			return nil, fmt.Errorf("%q is not a recipe, or the second one of its version", line)
		}
		pins[head] = map[string]string{}
		for _, part := range strings.Split(body, ",") {
			if key, value, ok := strings.Cut(part, "="); ok {
				pins[head][key] = value
			} else if body != "" {
				return nil, fmt.Errorf("%q: %q is not a parameter", line, part)
			}
		}
	}
	return pins, nil
}

// Canonical returns the identity of a recipe, name/version{key=value,...}, with the parameters that
// differ from the pins, in the order of their fields. If the version is not pinned, it lists all
// parameters. Equal identities mean equal recipes.
func (p Pins) Canonical(name string, version int, recipe any) string {
	return write(name, version, recipe, p[head(name, version)])
}

// Full returns the identity of a recipe with all its parameters. The tests of the registries use it and
// Check to compare every default with its pin.
func Full(name string, version int, recipe any) string { return write(name, version, recipe, nil) }

// head returns name/version.
func head(name string, version int) string { return fmt.Sprintf("%s/%d", name, version) }

// write returns name/version{key=value,...} with the parameters whose values are not the known ones.
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

// Check returns how the defaults of a recipe differ from the pins of its version, or "" if they are equal.
func (p Pins) Check(name string, version int, defaults any) string {
	full := Full(name, version, defaults)
	known, pinned := p[head(name, version)]
	if !pinned {
		return fmt.Sprintf("is not pinned: add the line\n%s", full)
	}
	if p.Canonical(name, version, defaults) != head(name, version)+"{}" {
		return fmt.Sprintf("has other defaults than %s was made with: raise the version, or, "+
			"for a new parameter whose default is what was done before, add it to the line\n%s",
			head(name, version), full)
	}
	if len(known) != len(Fields(reflect.TypeOf(defaults).Elem())) {
		return fmt.Sprintf("has lost a parameter that %s has: raise the version", head(name, version))
	}
	return ""
}
