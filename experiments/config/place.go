package config

import (
	"fmt"
	"iter"

	"gopkg.in/yaml.v3"
)

// A Place is a value in a YAML text, with the path of its key. It can also represent a missing key,
// whose errors give the line of the mapping that lacks it. Fail does nothing for the zero Place.
type Place struct {
	document *document
	node     *yaml.Node // never an alias; for a missing key, the mapping that lacks it
	path     string     // such as data.generator.d
	exists   bool       // whether the value is present
}

// A document is a parsed YAML text.
type document struct {
	file   string                // name in error messages
	flags  map[*yaml.Node]string // the flag that set each value, if any
	errors Errors                // errors reported so far
}

func (d *document) place(n *yaml.Node, path string) Place {
	return Place{document: d, node: resolve(n), path: path, exists: true}
}

func (p Place) Exists() bool { return p.exists }

// Key returns the value of a key in a mapping.
func (p Place) Key(name string) Place {
	path := join(p.path, name)
	if i := p.index(name); i >= 0 {
		return p.document.place(p.node.Content[i], path)
	}
	p.path, p.exists = path, false
	return p
}

// index returns the index of a key's value in the content of a mapping, in which keys and values
// alternate, or -1.
func (p Place) index(key string) int {
	if !p.IsMapping() {
		return -1
	}
	for i := 1; i < len(p.node.Content); i += 2 {
		if p.node.Content[i-1].Value == key {
			return i
		}
	}
	return -1
}

// Item returns item i of a list, counted from 0.
func (p Place) Item(i int) Place {
	path := fmt.Sprintf("%s[%d]", p.path, i)
	if p.IsList() && i < len(p.node.Content) {
		return p.document.place(p.node.Content[i], path)
	}
	p.path, p.exists = path, false
	return p
}

// Items returns the items of a list, or p itself if p is not a list. For a missing key, it returns
// nil. Unlike Item, Items gives each item the path of the list, without the position.
func (p Place) Items() (list []Place) {
	if !p.exists {
		return nil
	}
	if !p.IsList() {
		return []Place{p}
	}
	for _, n := range p.node.Content {
		list = append(list, p.document.place(n, p.path))
	}
	return list
}

// Find returns the first item of p with the given text or, if there is none, p itself.
func (p Place) Find(text string) Place {
	for _, item := range p.Items() {
		if item.Text() == text {
			return item
		}
	}
	return p
}

// Entries yields the keys and values of a mapping. It reports and skips repeated keys and the merge
// key <<.
func (p Place) Entries() iter.Seq2[Place, Place] {
	return func(yield func(key, value Place) bool) {
		if !p.IsMapping() {
			return
		}
		lines := map[string]int{} // the line of each key so far
		// Content alternates keys and values.
		for i := 1; i < len(p.node.Content); i += 2 {
			name, value := p.node.Content[i-1], p.node.Content[i]
			path := join(p.path, name.Value)
			key := p.document.place(name, path)
			if name.Tag == "!!merge" {
				key.Fail("copse does not merge mappings; write out the keys, or use an alias as the whole value of " +
					"a key")
				continue
			}
			if line, repeated := lines[name.Value]; repeated {
				key.Fail("given twice; first on line %d", line)
				continue
			}
			lines[name.Value] = name.Line
			if !yield(key, p.document.place(value, path)) {
				return
			}
		}
	}
}

func (p Place) Names() (names []string) {
	if p.IsMapping() {
		for i := 0; i < len(p.node.Content); i += 2 {
			names = append(names, p.node.Content[i].Value)
		}
	}
	return names
}

// Text returns a plain value as it is written, or "" for a list or a mapping.
func (p Place) Text() string {
	if !p.IsPlain() {
		return ""
	}
	return p.node.Value
}

func (p Place) IsMapping() bool { return p.exists && p.node.Kind == yaml.MappingNode }

func (p Place) IsList() bool { return p.exists && p.node.Kind == yaml.SequenceNode }

// IsEmpty reports whether the value is an empty mapping or list.
func (p Place) IsEmpty() bool { return (p.IsMapping() || p.IsList()) && len(p.node.Content) == 0 }

// IsPlain reports whether the value is neither a list nor a mapping, but a string, number, Boolean,
// date or null.
func (p Place) IsPlain() bool { return p.exists && p.node.Kind == yaml.ScalarNode }

// IsNull reports whether the key has no value or the value null.
func (p Place) IsNull() bool { return p.IsPlain() && p.node.Tag == "!!null" }

// FromFlag reports whether the value comes from a command-line flag.
func (p Place) FromFlag() bool { return p.exists && p.document.flags[p.node] != "" }

// Path returns the path of the key, such as data.generator.edge_prob.
func (p Place) Path() string { return p.path }

// WithPath returns the same value with another path for error messages.
func (p Place) WithPath(path string) Place {
	p.path = path
	return p
}

// Where returns the path and the line of the value, such as "design.n (line 5)". For a value from a
// flag, it returns only the path.
func (p Place) Where() string {
	if p.FromFlag() {
		return p.path
	}
	return fmt.Sprintf("%s (line %d)", p.path, p.node.Line)
}

// Fail records an error at the line and path of p, or at the flag that gave the value.
func (p Place) Fail(format string, args ...any) {
	if p.document == nil {
		return
	}
	e := &Error{Origin: p.document.file, Path: p.path, Msg: fmt.Sprintf(format, args...)}
	if flag, ok := p.document.flags[p.node]; ok {
		e.Origin = flag
	} else {
		e.Line, e.Column = p.node.Line, p.node.Column
	}
	p.document.errors = append(p.document.errors, e)
}

// ErrorCount returns the number of errors recorded so far in the whole document.
func (p Place) ErrorCount() int {
	if p.document == nil {
		return 0
	}
	return len(p.document.errors)
}

func (p Place) Failed() bool { return p.ErrorCount() > 0 }

// Err returns the errors recorded in the document, sorted by line and without duplicates, or nil.
func (p Place) Err() error {
	if p.document == nil {
		return nil
	}
	return p.document.errors.sorted()
}

// WithoutErrors returns a copy of p with an empty list of errors of its own.
func (p Place) WithoutErrors() Place {
	if p.document != nil {
		p.document = &document{file: p.document.file, flags: p.document.flags}
	}
	return p
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Describe returns a description for error messages, such as "the number 3" or "a list".
func (p Place) Describe() string {
	n := p.node
	switch n.Kind {
	case yaml.MappingNode:
		if len(n.Content) == 0 {
			return "an empty mapping"
		}
		return "a mapping"
	case yaml.SequenceNode:
		if len(n.Content) == 0 {
			return "an empty list"
		}
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		if n.Value != "" {
			return "the null value " + n.Value
		}
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return "the truth value " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	}
	const maxShown = 60 // limit in characters; the text may be a whole file
	if text := []rune(n.Value); len(text) > maxShown {
		return fmt.Sprintf("the text %q...", string(text[:maxShown]))
	}
	return fmt.Sprintf("the text %q", n.Value)
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
