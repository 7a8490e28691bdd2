// Package recipe decodes and identifies the parameters of recipes (generators or classifiers). A
// parameter is an exported struct field with the tag `param`. Its tags `range` and `enum` and the
// comment above the field document the parameter.
package recipe

import (
	"fmt"
	"reflect"
)

// An Error reports an invalid parameter value, or a value that contradicts another parameter.
type Error struct {
	Key string // name of the parameter in its param tag
	Msg string
}

func (e *Error) Error() string { return e.Key + ": " + e.Msg }

// Errorf returns an Error about the parameter with the given key. The arguments format and args
// give the message.
func Errorf(key, format string, args ...any) error { return &Error{key, fmt.Sprintf(format, args...)} }

// An Entry describes a registered classifier or generator. T is the interface that it implements.
// Registries embed it in structs with additional fields.
type Entry[T any] struct {
	Name    string   // as written in study files
	Label   string   // as printed in tables; "" for generators, which do not appear in tables
	Summary string   // one line
	Source  string   // paper, section, algorithm or equations
	Version int      // increased when the same parameters, data and seed give a different result
	New     func() T // returns a pointer to a struct with the default parameters
}

func (e Entry[T]) name() string { return e.Name }

func (e Entry[T]) defaults() any { return e.New() }

// A Registry lists all classifiers or all generators. E is a struct that embeds an Entry.
type Registry[E interface {
	name() string
	defaults() any
}] []E

// Lookup returns the entry with the given name.
func (r Registry[E]) Lookup(name string) (entry E, ok bool) {
	for _, e := range r {
		if e.name() == name {
			return e, true
		}
	}
	return entry, false
}

// EntryOf returns the entry with the same struct type as recipe.
func (r Registry[E]) EntryOf(recipe any) (entry E, ok bool) {
	for _, e := range r {
		if reflect.TypeOf(e.defaults()) == reflect.TypeOf(recipe) {
			return e, true
		}
	}
	return entry, false
}

// Names returns the names of all entries in the order of the registry.
func (r Registry[E]) Names() []string {
	names := make([]string, len(r))
	for i, e := range r {
		names[i] = e.name()
	}
	return names
}
