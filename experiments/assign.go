package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// assign applies one --set assignment to the study's YAML: design.n=200,3200
// replaces a factor's levels, design.balance=balanced keeps one of its named
// levels, classifiers.slb.c=2 addresses a classifier by its id, and anything
// else names a scalar by its path. Keys that are not in the file yet may be
// added; whether they exist is decided by the strict decoding that follows.
func (s *Study) assign(assignment string) error {
	flag := "--set " + assignment
	path, text, ok := strings.Cut(assignment, "=")
	if !ok || path == "" {
		return &ConfigError{Origin: flag, Msg: "want path=value, such as design.n=200,400"}
	}
	keys := strings.Split(path, ".")
	n := s.root
	for i, key := range keys[:len(keys)-1] {
		child, err := step(n, key)
		if err != nil {
			return &ConfigError{Origin: flag, Path: strings.Join(keys[:i+1], "."), Msg: err.Error()}
		}
		n = child
	}
	last := keys[len(keys)-1]
	inDesign := len(keys) > 1 && keys[len(keys)-2] == "design"
	old, value := lookup(n, last), (*yaml.Node)(nil)
	var err error
	switch {
	case inDesign && old == nil:
		err = fmt.Errorf("the design has no factor %q%s", last, didYouMean(last, keysOf(n)))
	case inDesign && old.Kind == yaml.MappingNode:
		value, err = selectLevels(old, text)
	case inDesign:
		value, err = parseValue("[" + text + "]")
	default:
		value, err = parseValue(text)
	}
	if err != nil {
		return &ConfigError{Origin: flag, Path: path, Msg: err.Error()}
	}
	s.mark(value, flag)
	if err := s.setEntry(n, last, value, flag); err != nil {
		return &ConfigError{Origin: flag, Path: path, Msg: err.Error()}
	}
	if inDesign {
		s.forget(last, slices.DeleteFunc(levelNames(old), func(name string) bool { return slices.Contains(levelNames(value), name) }))
	}
	return nil
}

// mark remembers that a node and all below it came from a flag.
func (s *Study) mark(n *yaml.Node, flag string) {
	if n.Line == 0 { // kept level nodes still know their line in the file
		s.decoder.origin[n] = flag
	}
	for _, c := range n.Content {
		s.mark(c, flag)
	}
}

// step goes one key down; in a list the key is a classifier's id or a position.
func step(n *yaml.Node, key string) (*yaml.Node, error) {
	n = resolveAlias(n)
	if n.Kind == yaml.SequenceNode {
		var ids []string
		for i, item := range n.Content {
			id := classifierID(item)
			if id == key || strconv.Itoa(i) == key {
				if item.Kind == yaml.ScalarNode { // the short form "- nb" grows into {classifier: nb}
					name := *item
					*item = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: name.Line, Column: name.Column,
						Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "classifier", Line: name.Line, Column: name.Column}, &name}}
				}
				return item, nil
			}
			ids = append(ids, id)
		}
		return nil, fmt.Errorf("the study has no entry %q%s", key, didYouMean(key, ids))
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("has no keys below it: it is %s", describe(n))
	}
	if child := lookup(n, key); child != nil {
		return child, nil
	}
	return nil, fmt.Errorf("the study has no key %q here%s", key, didYouMean(key, keysOf(n)))
}

func lookup(n *yaml.Node, key string) *yaml.Node {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func keysOf(n *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	return keys
}

func (s *Study) setEntry(n *yaml.Node, key string, value *yaml.Node, flag string) error {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("has no keys: it is %s", describe(n))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = value
			return nil
		}
	}
	added := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	s.mark(added, flag)
	n.Content = append(n.Content, added, value)
	return nil
}

// selectLevels keeps the named levels of a factor whose levels have values.
func selectLevels(levels *yaml.Node, text string) (*yaml.Node, error) {
	kept := *levels
	kept.Content = nil
	for _, name := range strings.Split(text, ",") {
		found := false
		for i := 0; i+1 < len(levels.Content); i += 2 {
			if levels.Content[i].Value == name {
				kept.Content = append(kept.Content, levels.Content[i], levels.Content[i+1])
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("no level %q%s", name, didYouMean(name, keysOf(levels)))
		}
	}
	return &kept, nil
}

// parseValue reads a flag's value as YAML without a place in a file.
func parseValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("%q is not a YAML value: %w", text, err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("the value is empty")
	}
	forgetPlace(doc.Content[0])
	return doc.Content[0], nil
}

func forgetPlace(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		forgetPlace(c)
	}
}
