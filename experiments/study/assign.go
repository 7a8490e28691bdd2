package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// assign applies one --set assignment to the study's YAML: design.n=200,3200
// replaces a factor's levels, design.balance=balanced keeps one of its named
// levels, classifiers.slb.c=2 addresses a classifier by its id, and anything
// else names a scalar by its path, in which a key with dots is quoted:
// classifiers.ranger.params."num.trees"=200. Keys that are not in the file yet may be
// added; whether they exist is decided by the strict decoding that follows.
func (s *document) assign(assignment string) error {
	flag := "--set " + assignment
	keys, text, ok := splitAssignment(assignment)
	if !ok {
		return &config.Error{Origin: flag, Msg: `want path=value, such as design.n=200,400; a key with dots is quoted, classifiers.ranger.params."num.trees"=200`}
	}
	if design := config.Lookup(s.root, "design"); design != nil && len(keys) == 1 && !isKey(keys[0]) && config.Lookup(design, keys[0]) != nil {
		return &config.Error{Origin: flag, Path: keys[0], Msg: "unknown key; the factor of the design is design." + keys[0]}
	}
	path, n := strings.Join(keys, "."), s.root
	for i, key := range keys[:len(keys)-1] {
		child, err := step(n, key, strings.Join(keys[i:], "."))
		if err != nil {
			return &config.Error{Origin: flag, Path: strings.Join(keys[:i+1], "."), Msg: err.Error()}
		}
		n = child
	}
	last := keys[len(keys)-1]
	inDesign := len(keys) > 1 && keys[len(keys)-2] == "design"
	old, value := config.Lookup(n, last), (*yaml.Node)(nil)
	var err error
	switch {
	case inDesign && old == nil:
		err = fmt.Errorf("the design has no factor %q%s", last, config.DidYouMean(last, config.Keys(n)))
	case inDesign && old.Kind == yaml.MappingNode:
		value, err = selectLevels(old, text)
	case inDesign:
		value, err = config.ParseValue("[" + text + "]")
	default:
		value, err = config.ParseValue(text)
	}
	if err != nil {
		return &config.Error{Origin: flag, Path: path, Msg: err.Error()}
	}
	s.mark(value, flag)
	if err := s.setEntry(n, last, value, flag); err != nil {
		return &config.Error{Origin: flag, Path: path, Msg: err.Error()}
	}
	if inDesign {
		s.prune(last, slices.DeleteFunc(levelNames(old), func(name string) bool { return slices.Contains(levelNames(value), name) }))
	}
	return nil
}

// isKey tells whether a study has this key at its top level.
func isKey(name string) bool {
	return slices.ContainsFunc(config.KeysOf(&document{}), func(k config.Key) bool { return k.Name == name })
}

// splitAssignment divides path=value at the first = and its path at the dots,
// where neither is within double or single quotes around a whole key.
func splitAssignment(assignment string) (keys []string, value string, ok bool) {
	for rest := assignment; rest != ""; {
		var key string
		if quote := rest[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(rest[1:], quote)
			if end < 0 {
				return nil, "", false
			}
			key, rest = rest[1:1+end], rest[end+2:]
		} else {
			end := max(0, strings.IndexAny(rest, ".="))
			key, rest = rest[:end], rest[end:]
		}
		keys = append(keys, key)
		if key == "" || rest == "" {
			return nil, "", false
		}
		if rest[0] == '=' {
			return keys, rest[1:], true
		}
		if rest[0] != '.' {
			return nil, "", false
		}
		rest = rest[1:]
	}
	return nil, "", false
}

// mark remembers that a node and all below it came from a flag.
func (s *document) mark(n *yaml.Node, flag string) {
	if n.Line == 0 { // kept level nodes still know their line in the file
		s.decoder.Mark(n, flag)
	}
	for _, c := range n.Content {
		s.mark(c, flag)
	}
}

// step goes one key down; in a list the key is a classifier's id or a position.
// rest is what is left of the path, key and all.
func step(n *yaml.Node, key, rest string) (*yaml.Node, error) {
	n = config.Resolve(n)
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
		return nil, fmt.Errorf("the study has no entry %q%s", key, suggest(key, rest, ids))
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("has no keys below it: it is %s", config.Describe(n))
	}
	if child := config.Lookup(n, key); child != nil {
		return child, nil
	}
	return nil, fmt.Errorf("the study has no key %q here%s", key, suggest(key, rest, config.Keys(n)))
}

// suggest names the key that was meant: one with dots, which has to be quoted, or
// the nearest.
func suggest(key, rest string, known []string) string {
	for _, name := range known {
		if strings.Contains(name, ".") && (rest == name || strings.HasPrefix(rest, name+".")) {
			return fmt.Sprintf("; a key with dots is quoted: \"%s\"", name)
		}
	}
	return config.DidYouMean(key, known)
}

func (s *document) setEntry(n *yaml.Node, key string, value *yaml.Node, flag string) error {
	n = config.Resolve(n)
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("has no keys: it is %s", config.Describe(n))
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

// removeEntry takes a key out of a mapping that may have it.
func removeEntry(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
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
			return nil, fmt.Errorf("no level %q%s", name, config.DidYouMean(name, config.Keys(levels)))
		}
	}
	return &kept, nil
}
