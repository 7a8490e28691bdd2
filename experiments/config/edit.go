package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// NewMapping returns an empty mapping for the values of flags. file stands for the name of a
// file in messages.
func NewMapping(file string) Place {
	t := &text{file: file, flags: map[*yaml.Node]string{}}
	return t.at(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, "")
}

// Pairs reads texts key=value, as flags give them, as a mapping. file stands for the name
// of a file in messages; flag is the one that the texts belong to.
func Pairs(file, flag string, pairs []string) (Place, error) {
	p := NewMapping(file)
	for _, pair := range pairs {
		origin := flag + " " + pair
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return p, &Error{Origin: origin, Msg: "want k=v"}
		}
		if err := p.SetYAML(key, value, origin); err != nil {
			return p, &Error{Origin: origin, Msg: err.Error()}
		}
	}
	return p, nil
}

// SetYAML gives a mapping's key the value that a flag has, in YAML.
func (p Place) SetYAML(key, value, flag string) error {
	n, err := parseValue(value)
	if err != nil {
		return err
	}
	p.set(key, n, flag)
	return nil
}

// SetText gives a mapping's key a text, whatever it looks like.
func (p Place) SetText(key, value, flag string) { p.set(key, textNode(value), flag) }

// SetSome replaces the mapping under a key by those of its entries that are named. The
// entries keep their places.
func (p Place) SetSome(key string, names []string) error {
	old := p.Key(key)
	kept := *old.node
	kept.Content = nil
	for _, name := range names {
		i := slices.Index(old.Names(), name)
		if i < 0 {
			return fmt.Errorf("no level %q%s", name, DidYouMean(name, old.Names()))
		}
		kept.Content = append(kept.Content, old.node.Content[2*i], old.node.Content[2*i+1])
	}
	p.replace(key, &kept)
	return nil
}

// set gives a key a value that a flag has.
func (p Place) set(key string, value *yaml.Node, flag string) {
	p.mark(value, flag)
	if !p.replace(key, value) {
		name := textNode(key)
		p.mark(name, flag)
		p.node.Content = append(p.node.Content, name, value)
	}
}

// replace gives a key of a mapping another value and reports whether the key is there.
func (p Place) replace(key string, value *yaml.Node) bool {
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		if p.node.Content[i].Value == key {
			p.node.Content[i+1] = value
			return true
		}
	}
	return false
}

// mark remembers that a node and all below it came from a flag.
func (p Place) mark(n *yaml.Node, flag string) {
	if flag != "" {
		p.text.flags[n] = flag
	}
	for _, c := range n.Content {
		p.mark(c, flag)
	}
}

// Remove takes a key out of a mapping that may have it.
func (p Place) Remove(key string) {
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		if p.node.Content[i].Value == key {
			p.node.Content = slices.Delete(p.node.Content, i, i+2)
			return
		}
	}
}

// RemoveItems takes the items out of a list for which gone returns true.
func (p Place) RemoveItems(gone func(item Place) bool) {
	if p.IsList() {
		p.node.Content = slices.DeleteFunc(
			p.node.Content,
			func(n *yaml.Node) bool { return gone(p.text.at(n, p.path)) },
		)
	}
}

// Widen replaces a plain item of a list by a mapping that has it under a key, so that
// further keys can be set. Other items stay.
func (p Place) Widen(i int, key string) Place {
	if n := p.node.Content[i]; resolve(n).Kind == yaml.ScalarNode {
		p.node.Content[i] = mappingOf(key, n)
	}
	return p.Item(i)
}

// mappingOf returns a mapping of one key, at the place of its value.
func mappingOf(key string, value *yaml.Node) *yaml.Node {
	name := textNode(key)
	name.Line, name.Column = value.Line, value.Column
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{name, value},
		Line: value.Line, Column: value.Column}
}

func textNode(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// With returns a copy of a mapping in which a key has another value. The copy of a place
// without a value is a mapping of this key alone.
func (p Place) With(key string, value Place) Place {
	copied := yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.node.Line, Column: value.node.Column}
	if p.IsMapping() {
		copied = *p.node
		copied.Content = slices.Clone(p.node.Content)
	}
	changed := p.text.at(&copied, p.path)
	if !changed.replace(key, value.node) {
		copied.Content = append(copied.Content, mappingOf(key, value.node).Content...)
	}
	return changed
}

// Without returns a copy of a mapping that lacks some keys.
func (p Place) Without(keys ...string) Place {
	copied := *p.node
	copied.Content = slices.Clone(p.node.Content)
	changed := p.text.at(&copied, p.path)
	for _, key := range keys {
		changed.Remove(key)
	}
	return changed
}

// Number returns a number, as YAML writes it, that stands for the value of p.
func (p Place) Number(text string) Place {
	kind := "!!float"
	if decimal.MatchString(text) {
		kind = "!!int"
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: kind, Value: text, Line: p.node.Line, Column: p.node.Column}
	return p.text.at(n, p.path)
}

// IsReference reports whether the value is a text $name, which stands for another value.
func (p Place) IsReference() bool {
	return p.IsPlain() && p.node.Tag == "!!str" && strings.HasPrefix(p.node.Value, "$")
}

// HasReference reports whether the value is a reference or has one below it.
func (p Place) HasReference() bool {
	if !p.there {
		return false
	}
	below := func(n *yaml.Node) bool { return p.text.at(n, p.path).HasReference() }
	return p.IsReference() || slices.ContainsFunc(p.node.Content, below)
}

// Substitute returns a copy of the value in which each reference is replaced by what value
// returns for it. Everything keeps its place in the text, and the path of the reference.
func (p Place) Substitute(value func(reference Place) Place) Place {
	if p.IsReference() {
		return value(p)
	}
	copied := *p.node
	copied.Content = make([]*yaml.Node, len(p.node.Content))
	for i, n := range p.node.Content {
		path := p.path
		if p.IsMapping() && i%2 == 1 {
			path = join(path, p.node.Content[i-1].Value)
		}
		copied.Content[i] = p.text.at(n, path).Substitute(value).node
	}
	if flag, ok := p.text.flags[p.node]; ok {
		p.text.flags[&copied] = flag
	}
	return p.text.at(&copied, p.path)
}

// Value reads YAML as a value beside p, without a place of its own.
func (p Place) Value(value string) (Place, error) {
	n, err := parseValue(value)
	if err != nil {
		return Place{}, err
	}
	return p.text.at(n, p.path), nil
}
