package recipe

import (
	"fmt"
	"reflect"
	"strings"
)

// Pins hold the defaults of recipes as they were when their versions were made: for
// each name/version the values of the parameters, as Full writes them. The identity of
// a recipe lists only parameters that differ from its pins. So a default that changes
// in the code changes the identity even if nobody raises the version, and stored
// identities keep their meaning.
type Pins map[string]map[string]string

// MustParsePins returns ParsePins(text) of an embedded file and panics at its mistakes.
func MustParsePins(text string) Pins {
	pins, err := ParsePins(text)
	if err != nil {
		panic("recipe: pinned defaults: " + err.Error())
	}
	return pins
}

// ParsePins reads one recipe a line, as Full writes it.
func ParsePins(text string) (Pins, error) {
	pins := Pins{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head, body, ok := strings.Cut(strings.TrimSuffix(line, "}"), "{")
		if !ok || !strings.HasSuffix(line, "}") || pins[head] != nil {
			return nil, fmt.Errorf("%q is not one more recipe", line)
		}
		pins[head] = map[string]string{}
		for _, part := range strings.Split(body, ",") {
			if key, value, ok := strings.Cut(part, "="); ok {
				pins[head][key] = value
			} else if body != "" {
				return nil, fmt.Errorf("%q: %q is no parameter", line, part)
			}
		}
	}
	return pins, nil
}

// Canonical writes a recipe as name/version{key=value,...} with the parameters
// that are not as pinned, in the order of their fields; all of them where the
// version is not pinned. Equal texts mean the same recipe.
func (p Pins) Canonical(name string, version int, recipe any) string {
	return write(name, version, recipe, p[head(name, version)])
}

// Full writes a recipe with all its parameters. It and Check are for the tests of
// the registries, which hold every default to its pin.
func Full(name string, version int, recipe any) string { return write(name, version, recipe, nil) }

func head(name string, version int) string { return fmt.Sprintf("%s/%d", name, version) }

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

// Check returns why a recipe's defaults are not those that its version is pinned with,
// or "" when they are.
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
