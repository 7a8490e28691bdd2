package study

import (
	"fmt"
	"slices"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/generators"
)

// Keys lists the keys of a study. sections has, by name, the sections that other packages
// decode: a pointer to a struct with their defaults or, for a list, to one element.
func Keys(sections map[string]any) []config.Key {
	list := config.KeysOf(&keys{})
	at := func(list []config.Key, name string) *config.Key {
		return &list[slices.IndexFunc(list, func(k config.Key) bool { return k.Name == name })]
	}
	data := at(list, "data")
	data.Kind, data.Keys = config.Mapping, config.KeysOf(newData())
	at(data.Keys, "generator").Keys = generatorKeys()
	entries := at(list, "classifiers")
	entries.List, entries.Keys = true, classifierKeys()
	for name, target := range sections {
		k := at(list, name)
		k.Kind, k.Keys = config.Mapping, config.KeysOf(target)
		k.List = name == "published"
	}
	return list
}

// generatorKeys returns one key for each generator, with its parameters.
func generatorKeys() []config.Key {
	var list []config.Key
	for _, s := range generators.Registry {
		list = append(
			list,
			config.Key{
				Name: s.Name,
				Type: "generator",
				Kind: config.Mapping,
				Doc:  s.Summary,
				Keys: config.KeysOf(s.New()),
			},
		)
	}
	own := config.KeysOf(&generatorCommand{command: command{Threads: 1}, Classes: 2})
	return append(
		list,
		config.Key{
			Name: externalName,
			Type: "generator",
			Kind: config.Mapping,
			Doc:  "a command of your own that speaks copse's protocol (copse new generator)",
			Keys: own,
		},
		config.Key{
			Name: externalCSVName,
			Type: "generator",
			Kind: config.Mapping,
			Doc:  "a command of your own that writes one CSV file per call",
			Keys: own,
		},
	)
}

// classifierKeys returns one key for each classifier, with its parameters and the keys that
// all entries have.
func classifierKeys() []config.Key {
	common, names := config.KeysOf(&entryKeys{}), config.KeysOf(&naming{})
	list := []config.Key{
		{
			Name: oracleName,
			Type: "classifier",
			Kind: config.Mapping,
			Doc:  "the Bayes rule of the drawn problem: the floor; of test rows that lack no values",
			Keys: names,
		},
	}
	program := slices.DeleteFunc(slices.Clone(common), func(k config.Key) bool {
		return slices.Contains([]string{"probabilities", "multiclass", "threshold", "weights"}, k.Name) // a program chooses its labels itself
	})
	add := func(name, doc string, keys any) {
		list = append(list, config.Key{Name: name, Type: "classifier", Kind: config.Mapping, Doc: doc,
			Keys: slices.Concat(program, config.KeysOf(keys))})
	}
	add(externalName, "a command of your own that speaks copse's protocol (copse new method)", &command{Threads: 1})
	for _, a := range adapters {
		target := a.keys()
		target.common().Threads = 1
		add(a.name, a.doc, target)
	}
	for _, s := range classifiers.Registry {
		pin := config.KeysOf(&pinning{})
		pin[0].Range = fmt.Sprintf("[%d,%d]", s.First(), s.Version)
		list = append(
			list,
			config.Key{
				Name: s.Name,
				Type: "classifier",
				Kind: config.Mapping,
				Doc:  s.Summary,
				Keys: slices.Concat(common, pin, config.KeysOf(s.New())),
			},
		)
	}
	return list
}
