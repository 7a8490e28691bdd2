package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// NewMapping returns an empty mapping, to which SetYAML and SetText add values. Error messages
// quote the flag that gave a value, or otherwise the argument file.
func NewMapping(file string) Place {
	d := &document{file: file, flags: map[*yaml.Node]string{}}
	return d.place(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, "")
}

// Pairs returns a mapping with values of the flag --param, which have the form key=value. Error
// messages about a value quote its flag, as in "--param k=5". Other error messages begin with the
// given origin, such as "--param".
func Pairs(origin string, pairs []string) (Place, error) {
	p := NewMapping(origin)
	for _, pair := range pairs {
		flag := "--param " + pair
		key, value, ok := strings.Cut(pair, "=")
		var err error
		switch {
		case !ok:
			err = errors.New("want `key=value`")
		case p.Key(key).Exists():
			err = errors.New("an earlier flag sets the same key; give each key once")
		default:
			err = p.SetYAML(key, value, flag)
		}
		if err != nil {
			return p, &Error{Origin: flag, Msg: err.Error()}
		}
	}
	return p, nil
}

// SetYAML sets a key of the mapping to a value in YAML. flag is the command-line flag with this
// value, or "".
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

// SetSome keeps only the entries with the given names in the mapping under key, in this order. They
// keep their lines for error messages.
func (p Place) SetSome(key string, names []string) error {
	old := p.Key(key)
	var kept []*yaml.Node
	for _, name := range names {
		i := old.index(name)
		if i < 0 {
			return fmt.Errorf("no level %q%s", name, DidYouMean(name, old.Names()))
		}
		kept = append(kept, old.node.Content[i-1], old.node.Content[i])
	}
	changed := old.copied(kept).node
	p.put(textNode(key, changed), changed)
	return nil
}

// copied returns a copy of p with other content: the items of a list, or the alternating keys and
// values of a mapping.
func (p Place) copied(content []*yaml.Node) Place {
	n := *p.node
	n.Content = content
	return p.document.place(&n, p.path)
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

func (p Place) put(key, value *yaml.Node) {
	if i := p.index(key.Value); i >= 0 {
		p.node.Content[i] = value
	} else {
		p.node.Content = append(p.node.Content, key, value)
	}
}

// mark records that a flag such as "--set" has set a node and all nodes below it. It does nothing
// if flag is "".
func (p Place) mark(n *yaml.Node, flag string) {
	if flag != "" {
		p.document.flags[n] = flag
	}
	for _, c := range n.Content {
		p.mark(c, flag)
	}
}

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

// Widen returns item i of a list as a mapping. A plain item becomes the value of the given key.
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
// copy contains only this key. Errors about a new key name the line of neighbour.
func (p Place) With(key string, value, neighbour Place) Place {
	changed := p.document.place(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: neighbour.node.Line,
		Column: neighbour.node.Column}, p.path)
	if p.IsMapping() {
		changed = p.copied(slices.Clone(p.node.Content))
	}
	changed.put(textNode(key, neighbour.node), value.node)
	return changed
}

// Without returns a copy of a mapping without the given keys.
func (p Place) Without(keys ...string) Place {
	changed := p.copied(slices.Clone(p.node.Content))
	for _, key := range keys {
		changed.Remove(key)
	}
	return changed
}

func (p Place) Number(text string) Place {
	kind := "!!float"
	if wholeDecimal.MatchString(text) {
		kind = "!!int"
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: kind, Value: text, Line: p.node.Line, Column: p.node.Column}
	return p.document.place(n, p.path)
}

// IsReference reports whether the value is a string such as $n, which refers to the level of a
// factor.
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

// Substitute returns a copy of p in which the function replacement gives the values of references
// such as $n. Error messages still contain the original lines and flags. The copy shares lists and
// mappings without references with p.
func (p Place) Substitute(replacement func(reference Place) Place) Place {
	if p.IsReference() {
		return replacement(p)
	}
	if !p.HasReference() {
		return p
	}
	content := make([]*yaml.Node, len(p.node.Content))
	for i, n := range p.node.Content {
		path := p.path
		if p.IsMapping() && i%2 == 1 { // the value n follows its key
			path = join(path, p.node.Content[i-1].Value)
		}
		content[i] = p.document.place(n, path).Substitute(replacement).node
	}
	substituted := p.copied(content)
	if flag, ok := p.document.flags[p.node]; ok { // a flag such as --set gave the value
		p.document.flags[substituted.node] = flag
	}
	return substituted
}
