package recipe

import (
	"fmt"
	"reflect"
	"strings"
)

// Defaults contains the default parameters of each version of each recipe. The outer keys are the
// name and version of a recipe, such as "knn/1". The inner keys are names of parameters.
//
// The identity of a recipe lists only the parameters that differ from the defaults of its version.
// Because a new default needs a new version, an identity always means the same parameters.
type Defaults map[string]map[string]string

// MustParseDefaults parses defaults. Each line of text is an identity with all parameters, such as
// knn/1{k=5,rule=}. MustParseDefaults panics if a line is invalid, because the text is compiled into
// the program.
func MustParseDefaults(text string) Defaults {
	defaults, err := parseDefaults(text)
	if err != nil {
		panic("recipe: defaults: " + err.Error())
	}
	return defaults
}

// parseDefaults parses lines such as name/version{key=value,key=value}. The result maps name/version to
// parameter values.
func parseDefaults(text string) (Defaults, error) {
	defaults := Defaults{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head, body, ok := strings.Cut(strings.TrimSuffix(line, "}"), "{")
		if !ok || !strings.HasSuffix(line, "}") {
			return nil, fmt.Errorf("the line %q does not have the form NAME/VERSION{KEY=VALUE,...}", line)
		}
		if defaults[head] != nil {
			return nil, fmt.Errorf("%s has two lines; the second is %q; remove one of the two", head, line)
		}
		defaults[head] = map[string]string{}
		if body == "" {
			continue // a recipe without parameters
		}
		for _, part := range strings.Split(body, ",") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return nil, fmt.Errorf("the line %q contains %q, which is not a parameter", line, part)
			}
			defaults[head][key] = value
		}
	}
	return defaults, nil
}

// Canonical returns the identity of a recipe: name/version{key=value,...}. recipe points to a struct
// whose fields are the parameters, in this order.
//
// It omits parameters that have the default values of this version. For an unknown version, it lists
// all parameters.
func (d Defaults) Canonical(name string, version int, recipe any) string {
	head := fmt.Sprintf("%s/%d", name, version)
	v := reflect.ValueOf(recipe).Elem()
	defaults := d[head]
	var parts []string
	for _, f := range Fields(v.Type()) {
		key, value := f.Tag.Get("param"), fmt.Sprint(v.FieldByIndex(f.Index).Interface())
		if usual, hasDefault := defaults[key]; !hasDefault || usual != value {
			parts = append(parts, key+"="+value)
		}
	}
	return fmt.Sprintf("%s{%s}", head, strings.Join(parts, ","))
}
