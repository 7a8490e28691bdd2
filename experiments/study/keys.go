package study

import (
	"fmt"
	"slices"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/generators"
)

// Keys returns the documentation of all keys of a study file. sections maps the name of a section
// that another package decodes to a pointer to a struct with the default values.
func Keys(sections map[string]any) []config.Key {
	list := config.KeysOf(&keys{}) // without the keys inside sections
	data := keyNamed(list, "data")
	data.Kind = config.Mapping
	data.Keys = config.KeysOf(newData())
	keyNamed(data.Keys, "generator").Keys = generatorKeys()
	entries := keyNamed(list, "classifiers")
	entries.List = true // not of kind Mapping, since an item may be only a name
	entries.Keys = classifierKeys()
	for name, target := range sections {
		section := keyNamed(list, name)
		section.Kind = config.Mapping
		section.Keys = config.KeysOf(target)
		section.List = name == "published" // target describes one item of this list
	}
	return list
}

// keyNamed returns a pointer to the key with the given name in list. It panics if there is no such
// key.
func keyNamed(list []config.Key, name string) *config.Key {
	return &list[slices.Index(config.Names(list), name)]
}

func generatorKeys() (list []config.Key) {
	add := func(name, doc string, keys []config.Key) {
		list = append(list, config.Key{Name: name, Type: "generator", Kind: config.Mapping, Doc: doc, Keys: keys})
	}
	for _, s := range generators.Registry {
		add(s.Name, s.Summary, config.KeysOf(s.New()))
	}
	own := config.KeysOf(&generatorCommand{command: command{Threads: 1}, Classes: 2})
	add(externalName, "a command of your own that uses copse's protocol (see `copse new generator`)", own)
	add(externalCSVName, "a command of your own that writes one CSV file per call", own)
	return list
}

// keysNotForPrograms lists the keys that do not apply to external programs, which compute labels and
// probabilities themselves.
var keysNotForPrograms = []string{"probabilities", "multiclass", "threshold", "weights"}

// SharedClassifierKeys returns the documentation of the keys that all built-in classifiers share.
// No parameter of a classifier may have the name of one of these keys.
func SharedClassifierKeys() []config.Key {
	return slices.Concat(config.KeysOf(&sharedKeys{}), config.KeysOf(&pinning{}))
}

// classifierKeys returns the documentation of each classifier. Its Keys are the shared keys,
// followed by its parameters.
func classifierKeys() (list []config.Key) {
	add := func(name, doc string, keys ...[]config.Key) {
		list = append(list, config.Key{Name: name, Type: "classifier", Kind: config.Mapping, Doc: doc,
			Keys: slices.Concat(keys...)})
	}
	add(oracleName, "the Bayes rule for the distribution of the data, with the lowest possible error; its class "+
		"priors are the class proportions of the test rows, which must have no missing values",
		config.KeysOf(&naming{})) // no shared keys except the name, id, label and only
	shared := config.KeysOf(&sharedKeys{})
	sharedByPrograms := slices.DeleteFunc(slices.Clone(shared), func(k config.Key) bool {
		return slices.Contains(keysNotForPrograms, k.Name)
	})
	defaultCommand := &command{Threads: 1}
	add(externalName, "a command of your own that uses copse's protocol (see `copse new method`)", sharedByPrograms,
		config.KeysOf(defaultCommand))
	for _, a := range adapters {
		add(a.name, a.doc, sharedByPrograms, config.KeysOf(a.ownKeys()), config.KeysOf(newAdapterKeys()))
	}
	for _, s := range classifiers.Registry {
		// All built-in classifiers have the key "version", but with different ranges.
		version := config.KeysOf(&pinning{})
		version[0].Range = fmt.Sprintf("[%d,%d]", s.First(), s.Version)
		add(s.Name, s.Summary, shared, version, config.KeysOf(s.New()))
	}
	return list
}
