package recipe_test

import (
	"flag"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/generators"
	"copse/internal/filetest"
	"copse/stats/recipe"
)

var pin = flag.Bool("pin", false, "add the recipes of new versions to defaults.txt")

// A pinned entry is one of either registry, with its identities.
type pinned struct {
	name     string
	version  int
	defaults func() any
	identity func(made any) string
}

// registries lists the entries of each registry by its folder.
func registries() map[string][]pinned {
	all := map[string][]pinned{}
	for _, s := range classifiers.Registry {
		all["classifiers"] = append(all["classifiers"], pinned{s.Name, s.Version,
			func() any { return s.New() },
			func(made any) string { return s.Recipe(made.(classifiers.Classifier)) }})
	}
	for _, s := range generators.Registry {
		all["generators"] = append(all["generators"], pinned{s.Name, s.Version,
			func() any { return s.New() },
			func(made any) string { return s.Recipe(made.(generators.Generator)) }})
	}
	return all
}

// The defaults of a version never change. A new default needs a new version, so that stored results keep
// their meaning.
func TestDefaultsArePinned(t *testing.T) {
	for folder, entries := range registries() {
		file := "../../" + folder + "/defaults.txt"
		text := filetest.Read(t, file)
		if *pin {
			writeDefaults(t, file, text, entries)
			continue
		}
		stored := recipe.MustParseDefaults(text)
		for _, e := range entries {
			if why := stored.Check(e.name, e.version, e.defaults()); why != "" {
				t.Errorf("%s %s", e.name, why)
			}
		}
	}
}

// writeDefaults adds the versions that the file lacks.
func writeDefaults(t *testing.T, file, text string, entries []pinned) {
	t.Helper()
	stored := recipe.MustParseDefaults(text)
	for _, e := range entries {
		if why := stored.Check(e.name, e.version, e.defaults()); strings.HasPrefix(why, "has no stored defaults") {
			text += recipe.Full(e.name, e.version, e.defaults()) + "\n"
		}
	}
	lines := slices.Sorted(strings.Lines(text))
	filetest.Write(t, file, strings.Join(lines, ""))
}

// Any other default is another recipe, version or not.
func TestEveryDefaultIsPartOfTheRecipe(t *testing.T) {
	for _, entries := range registries() {
		for _, e := range entries {
			usual := e.identity(e.defaults())
			for _, f := range recipe.Fields(reflect.TypeOf(e.defaults()).Elem()) {
				changed := e.defaults()
				change(t, reflect.ValueOf(changed).Elem().FieldByIndex(f.Index))
				if e.identity(changed) == usual {
					t.Errorf("%s: another %s is the same recipe, %s", e.name, f.Tag.Get("param"), usual)
				}
			}
		}
	}
}

// change sets a parameter to another value.
func change(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	default:
		t.Fatalf("a parameter of kind %s", v.Kind())
	}
}
