package config

import (
	"fmt"
	"iter"
	"slices"

	"gopkg.in/yaml.v3"
)

// A Place is a value of a YAML text together with the path of its key. Mistakes in the
// value are reported there. A key that is missing has a place too: that of the mapping
// which lacks it. The zero Place is of no text and reports nothing.
type Place struct {
	text  *text
	node  *yaml.Node // never an alias; of a missing key the mapping around it
	path  string
	there bool
}

// A text is a YAML text while it is decoded: its name, the values that flags gave and
// the mistakes that were found.
type text struct {
	file     string
	flags    map[*yaml.Node]string
	mistakes Errors
}

func (t *text) at(n *yaml.Node, path string) Place { return Place{t, resolve(n), path, true} }

// There reports whether the text has the value.
func (p Place) There() bool { return p.there }

// Key returns the place of a mapping's key.
func (p Place) Key(name string) Place {
	if value := p.lookup(name); value != nil {
		return p.text.at(value, join(p.path, name))
	}
	return Place{p.text, p.node, join(p.path, name), false}
}

// lookup returns the value of a mapping's key, nil where there is none.
func (p Place) lookup(name string) *yaml.Node {
	if !p.IsMapping() {
		return nil
	}
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		if p.node.Content[i].Value == name {
			return p.node.Content[i+1]
		}
	}
	return nil
}

// Item returns the place of a list's item, counted from 0.
func (p Place) Item(i int) Place {
	path := fmt.Sprintf("%s[%d]", p.path, i)
	if p.IsList() && i < len(p.node.Content) {
		return p.text.at(p.node.Content[i], path)
	}
	return Place{p.text, p.node, path, false}
}

// Items returns the items of a list under the list's own path. A value that is no list
// stands for the list of it alone.
func (p Place) Items() []Place {
	if !p.there {
		return nil
	}
	if !p.IsList() {
		return []Place{p}
	}
	var list []Place
	for _, n := range p.node.Content {
		list = append(list, p.text.at(n, p.path))
	}
	return list
}

// Find returns the plain value, p or an item of p, that reads as the given text; p itself
// where none does.
func (p Place) Find(value string) Place {
	items := p.Items()
	if i := slices.IndexFunc(items, func(item Place) bool { return item.Text() == value }); i >= 0 {
		return items[i]
	}
	return p
}

// Entries yields the keys of a mapping with their values and reports repeated keys. A
// key's own place is that of its name.
func (p Place) Entries() iter.Seq2[Place, Place] {
	return func(yield func(key, value Place) bool) {
		first := map[string]int{} // line of a name
		for i := 0; p.IsMapping() && i+1 < len(p.node.Content); i += 2 {
			name := p.node.Content[i]
			path := join(p.path, name.Value)
			key := p.text.at(name, path)
			if line, again := first[name.Value]; again {
				key.Fail("given twice; first on line %d", line)
				continue
			}
			first[name.Value] = name.Line
			if !yield(key, p.text.at(p.node.Content[i+1], path)) {
				return
			}
		}
	}
}

// Names returns the names of a mapping's keys.
func (p Place) Names() []string {
	var names []string
	for i := 0; p.IsMapping() && i+1 < len(p.node.Content); i += 2 {
		names = append(names, p.node.Content[i].Value)
	}
	return names
}

// Text returns a plain value as it is written, "" of anything else.
func (p Place) Text() string {
	if !p.IsPlain() {
		return ""
	}
	return p.node.Value
}

// IsMapping reports whether the value is a mapping.
func (p Place) IsMapping() bool { return p.there && p.node.Kind == yaml.MappingNode }

// IsList reports whether the value is a list.
func (p Place) IsList() bool { return p.there && p.node.Kind == yaml.SequenceNode }

// IsEmpty reports whether the value is a mapping or a list of nothing.
func (p Place) IsEmpty() bool { return (p.IsMapping() || p.IsList()) && len(p.node.Content) == 0 }

// IsPlain reports whether the value is a text, a number, a truth value, a date or nothing.
func (p Place) IsPlain() bool { return p.there && p.node.Kind == yaml.ScalarNode }

// IsNull reports whether a key is there without a value.
func (p Place) IsNull() bool { return p.IsPlain() && p.node.Tag == "!!null" }

// FromFlag reports whether a flag gave the value.
func (p Place) FromFlag() bool { return p.there && p.text.flags[p.node] != "" }

// Path returns the path of the key, such as data.generator.edge_prob.
func (p Place) Path() string { return p.path }

// Under returns the place under another path: that of a key which refers to the value.
func (p Place) Under(path string) Place {
	p.path = path
	return p
}

// Describe names the value for error messages: the number 3, a list.
func (p Place) Describe() string { return describe(p.node) }

// Fail reports a mistake.
func (p Place) Fail(format string, args ...any) {
	if p.text == nil {
		return
	}
	e := &Error{Origin: p.text.file, Path: p.path, Msg: fmt.Sprintf(format, args...)}
	if flag, ok := p.text.flags[p.node]; ok {
		e.Origin = flag
	} else {
		e.Line, e.Column = p.node.Line, p.node.Column
	}
	p.text.mistakes = append(p.text.mistakes, e)
}

// Mistakes returns the number of mistakes that were reported anywhere in the text.
func (p Place) Mistakes() int {
	if p.text == nil {
		return 0
	}
	return len(p.text.mistakes)
}

// Failed reports whether there are mistakes anywhere in the text.
func (p Place) Failed() bool { return p.Mistakes() > 0 }

// Err returns the mistakes of the whole text, each once, in the order of their lines;
// nil where there are none.
func (p Place) Err() error {
	if p.text == nil {
		return nil
	}
	return p.text.mistakes.sorted()
}

// Fresh returns the place without the mistakes that were reported so far.
func (p Place) Fresh() Place {
	if p.text != nil {
		p.text = &text{file: p.text.file, flags: p.text.flags}
	}
	return p
}

// join appends a key to a dotted path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// describe names a node's kind for error messages.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return "the truth value " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	}
	const most = 60 // characters: a whole file may be one text
	if text := []rune(n.Value); len(text) > most {
		return fmt.Sprintf("the text %q...", string(text[:most]))
	}
	return fmt.Sprintf("the text %q", n.Value)
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
