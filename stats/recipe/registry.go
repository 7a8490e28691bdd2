package recipe

import "reflect"

// An Entry describes a classifier or generator, a recipe of interface type T, in a registry. Registries
// embed it in entries with further fields.
type Entry[T any] struct {
	Name    string   // as study files write it
	Label   string   // as tables print it; "" for generators, which tables do not name
	Summary string   // one line
	Source  string   // paper, section, algorithm or equations
	Version int      // raised if the same parameters, data and seed give another result
	New     func() T // returns a pointer to a struct that holds the defaults
}

func (e Entry[T]) name() string { return e.Name }

func (e Entry[T]) defaults() any { return e.New() }

// A Registry lists entries, which embed Entry, in the order of the papers.
type Registry[E interface {
	name() string
	defaults() any
}] []E

// Lookup returns the entry of the given name.
func (r Registry[E]) Lookup(name string) (entry E, ok bool) {
	for _, e := range r {
		if e.name() == name {
			return e, true
		}
	}
	return entry, false
}

// EntryOf returns the entry of a recipe, found by its type.
func (r Registry[E]) EntryOf(recipe any) (entry E, ok bool) {
	for _, e := range r {
		if reflect.TypeOf(e.defaults()) == reflect.TypeOf(recipe) {
			return e, true
		}
	}
	return entry, false
}

// Names returns the names of the entries.
func (r Registry[E]) Names() []string {
	names := make([]string, len(r))
	for i, e := range r {
		names[i] = e.name()
	}
	return names
}
