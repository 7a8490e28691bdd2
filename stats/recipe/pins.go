package recipe

import (
	"fmt"
	"reflect"
	"strings"
)

// Pins contain the default parameters with which each recipe was released. The outer keys are the
// name and version of a recipe, such as "knn/1". The inner keys are names of parameters.
//
// The identity of a recipe lists only the parameters that differ from its pins. The pins never
// change, even if a default does, so an identity always means the same parameters.
type Pins map[string]map[string]string

// MustParsePins parses pins. Each line of text is an identity with all parameters, such as
// knn/1{k=5,rule=}. MustParsePins panics if a line is invalid, because the text is compiled into
// the program.
func MustParsePins(text string) Pins {
	pins, err := parsePins(text)
	if err != nil {
		panic("recipe: pinned defaults: " + err.Error())
	}
	return pins
}

// parsePins parses lines such as name/version{key=value,key=value}. The result maps name/version to
// parameter values.
func parsePins(text string) (Pins, error) {
	pins := Pins{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head, body, ok := strings.Cut(strings.TrimSuffix(line, "}"), "{")
		if !ok || !strings.HasSuffix(line, "}") || pins[head] != nil {
			return nil, fmt.Errorf(
				"the line %q is not NAME/VERSION{KEY=VALUE,...}, or an earlier line has the same NAME/VERSION", line)
		}
		pins[head] = map[string]string{}
		if body == "" {
			continue // a recipe without parameters
		}
		for _, part := range strings.Split(body, ",") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return nil, fmt.Errorf("the line %q contains %q, which is not a parameter", line, part)
			}
			pins[head][key] = value
		}
	}
	return pins, nil
}

// Canonical returns the identity of a recipe: name/version{key=value,...}. The parameters are in
// the order of the struct fields.
//
// It omits parameters that have the values pinned for this version. If no values are pinned, it
// lists all parameters.
func (p Pins) Canonical(name string, version int, recipe any) string {
	head := fmt.Sprintf("%s/%d", name, version)
	v := reflect.ValueOf(recipe).Elem()
	pinned := p[head]
	var parts []string
	for _, f := range Fields(v.Type()) {
		key, value := f.Tag.Get("param"), fmt.Sprint(v.FieldByIndex(f.Index).Interface())
		if usual, ok := pinned[key]; !ok || usual != value {
			parts = append(parts, key+"="+value)
		}
	}
	return fmt.Sprintf("%s{%s}", head, strings.Join(parts, ","))
}
