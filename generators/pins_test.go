package generators

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/stats/recipe"
)

var pin = flag.Bool("pin", false, "add the recipes of new versions to defaults.txt")

// The defaults of every version are those that it was made with: who changes one
// raises the version, and stored results keep their meaning.
func TestDefaultsArePinned(t *testing.T) {
	for _, s := range Registry {
		if why := pins.Check(s.Name, s.Version, s.New()); *pin && strings.HasPrefix(why, "is not pinned") {
			defaults += recipe.Full(s.Name, s.Version, s.New()) + "\n"
		} else if why != "" {
			t.Errorf("%s %s", s.Name, why)
		}
	}
	if *pin {
		lines := slices.Sorted(strings.Lines(defaults))
		if err := os.WriteFile("defaults.txt", []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Any other default is another recipe, version or not.
func TestEveryDefaultIsPartOfTheRecipe(t *testing.T) {
	for _, s := range Registry {
		usual := s.Recipe(s.New())
		for _, f := range recipe.Fields(reflect.TypeOf(s.New()).Elem()) {
			changed := s.New()
			v := reflect.ValueOf(changed).Elem().FieldByIndex(f.Index)
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
				t.Fatalf("%s: %s is a %s", s.Name, f.Name, v.Kind())
			}
			if s.Recipe(changed) == usual {
				t.Errorf("%s: another %s is the same recipe, %s", s.Name, f.Tag.Get("param"), usual)
			}
		}
	}
}
