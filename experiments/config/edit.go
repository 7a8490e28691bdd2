package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// NewMapping returns an empty mapping, to which SetYAML and SetText add values. If a flag gave a
// value, error messages quote the flag. Otherwise, they contain the file name.
func NewMapping(file string) Place {
	d := &document{file: file, flags: map[*yaml.Node]string{}}
	return d.place(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, "")
}

// Pairs returns a mapping with values of the flag --param, which have the form key=value. Error
// messages about a value quote its flag, as in "--param k=5". Other error messages begin with the
// argument file, such as "--param".
func Pairs(file string, pairs []string) (Place, error) {
	p := NewMapping(file)
	for _, pair := range pairs {
		origin := "--param " + pair
		err := errors.New("want `key=value`")
		if key, value, ok := strings.Cut(pair, "="); ok {
			err = p.setOnce(key, value, origin)
		}
		if err != nil {
			return p, &Error{Origin: origin, Msg: err.Error()}
		}
	}
	return p, nil
}

// setOnce sets a key of the mapping to a value in YAML. It returns an error if the key has a value.
func (p Place) setOnce(key, value, flag string) error {
	if p.Key(key).Exists() {
		return errors.New("an earlier flag sets the same key; give each key once")
	}
	return p.SetYAML(key, value, flag)
}

// SetYAML sets a key of the mapping to a value in YAML. flag is the flag that gave it, or "".
func (p Place) SetYAML(key, value, flag string) error {
	n, err := parseValue(value)
	if err != nil {
		return err
	}
	p.set(key, n, flag)
	return nil
}

// SetText sets a key of the mapping to a string, even if the string looks like a number.
func (p Place) SetText(key, value, flag string) { p.set(key, textNode(value, &yaml.Node{}), flag) }

// SetSome removes entries of the mapping under key. It keeps the entries with the given names, in
// this order. They keep their lines for error messages.
func (p Place) SetSome(key string, names []string) error {
	old := p.Key(key)
	kept := *old.node
	kept.Content = nil
	for _, name := range names {
		i := old.index(name)
		if i < 0 {
			return fmt.Errorf("no level %q%s", name, DidYouMean(name, old.Names()))
		}
		kept.Content = append(kept.Content, old.node.Content[i-1], old.node.Content[i])
	}
	p.put(textNode(key, &kept), &kept)
	return nil
}

// TextsIn returns the items of a YAML list of strings, such as [even, "a, b"].
func TextsIn(list string) (texts []string, err error) {
	value, err := parseValue(list)
	if err != nil {
		return nil, err
	}
	for _, item := range value.Content {
		texts = append(texts, item.Value)
	}
	return texts, nil
}

func (p Place) set(key string, value *yaml.Node, flag string) {
	keyNode := textNode(key, &yaml.Node{})
	p.mark(keyNode, flag)
	p.mark(value, flag)
	p.put(keyNode, value)
}

// put sets a key of a mapping. If the key exists, put changes only its value.
func (p Place) put(key, value *yaml.Node) {
	if i := p.index(key.Value); i >= 0 {
		p.node.Content[i] = value
	} else {
		p.node.Content = append(p.node.Content, key, value)
	}
}

// mark records that a flag of the command line, such as "--set", has set a node and all nodes below
// it. If flag is "", mark does nothing.
func (p Place) mark(n *yaml.Node, flag string) {
	if flag != "" {
		p.document.flags[n] = flag
	}
	for _, c := range n.Content {
		p.mark(c, flag)
	}
}

// Remove removes a key from a mapping, if the key is present.
func (p Place) Remove(key string) {
	if i := p.index(key); i >= 0 {
		p.node.Content = slices.Delete(p.node.Content, i-1, i+1)
	}
}

// RemoveItems removes the items of a list for which gone returns true.
func (p Place) RemoveItems(gone func(item Place) bool) {
	if p.IsList() {
		isGone := func(n *yaml.Node) bool { return gone(p.document.place(n, p.path)) }
		p.node.Content = slices.DeleteFunc(p.node.Content, isGone)
	}
}

// Widen returns item i of a list as a mapping, to which keys can be added. A plain item becomes the
// value of the given key.
func (p Place) Widen(i int, key string) Place {
	if n := p.node.Content[i]; resolve(n).Kind == yaml.ScalarNode {
		p.node.Content[i] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{textNode(key, n), n},
			Line: n.Line, Column: n.Column}
	}
	return p.Item(i)
}

func textNode(value string, at *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.Line, Column: at.Column}
}

// With returns a copy of the mapping p in which the key has the given value. If p is missing, the
// copy contains only this key.
//
// Error messages about a new key give the line of the argument near.
func (p Place) With(key string, value, near Place) Place {
	copied := yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: near.node.Line, Column: near.node.Column}
	if p.IsMapping() {
		copied = *p.node
		copied.Content = slices.Clone(p.node.Content)
	}
	changed := p.document.place(&copied, p.path)
	changed.put(textNode(key, near.node), value.node)
	return changed
}

// Without returns a copy of a mapping without the given keys.
func (p Place) Without(keys ...string) Place {
	copied := *p.node
	copied.Content = slices.Clone(p.node.Content)
	changed := p.document.place(&copied, p.path)
	for _, key := range keys {
		changed.Remove(key)
	}
	return changed
}

// Number returns a number as a YAML value at the line of p.
func (p Place) Number(text string) Place {
	kind := "!!float"
	if wholeDecimal.MatchString(text) {
		kind = "!!int"
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: kind, Value: text, Line: p.node.Line, Column: p.node.Column}
	return p.document.place(n, p.path)
}

// IsReference reports whether the value is a string such as $n, which refers to the level of a factor.
func (p Place) IsReference() bool {
	return p.IsPlain() && p.node.Tag == "!!str" && strings.HasPrefix(p.node.Value, "$")
}

// HasReference reports whether the value is a reference or contains one.
func (p Place) HasReference() bool {
	if !p.exists {
		return false
	}
	below := func(n *yaml.Node) bool { return p.document.place(n, p.path).HasReference() }
	return p.IsReference() || slices.ContainsFunc(p.node.Content, below)
}

// Substitute returns a copy of p in which references such as $n are replaced. It calls the function
// replacement with each reference to get the new value. Error messages still contain the original
// lines and flags.
//
// The copy and the original share lists and mappings that contain no references.
func (p Place) Substitute(replacement func(reference Place) Place) Place {
	if p.IsReference() {
		return replacement(p)
	}
	if !p.HasReference() {
		return p
	}
	copied := *p.node
	copied.Content = make([]*yaml.Node, len(p.node.Content))
	for i, n := range p.node.Content {
		path := p.path
		if p.IsMapping() && i%2 == 1 { // keys and values alternate, and n is the value of the preceding key
			path = join(path, p.node.Content[i-1].Value)
		}
		copied.Content[i] = p.document.place(n, path).Substitute(replacement).node
	}
	if flag, ok := p.document.flags[p.node]; ok { // a flag such as --set gave the value
		p.document.flags[&copied] = flag
	}
	return p.document.place(&copied, p.path)
}
