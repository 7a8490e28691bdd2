package generators

import (
	_ "embed"

	"copse/stats/recipe"
)

//go:embed defaults.txt
var defaults string

// pins are the defaults of each version.
var pins = func() recipe.Pins {
	p, err := recipe.ParsePins(defaults)
	if err != nil {
		panic("generators: defaults.txt: " + err.Error())
	}
	return p
}()

// Recipe is the identity of a generator of this entry: equal texts mean the same
// recipe. Parameters that are as defaults.txt has them for the version are left out.
func (s Spec) Recipe(made Generator) string { return pins.Canonical(s.Name, s.Version, made) }
