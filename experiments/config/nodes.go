package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

func Lookup(n *yaml.Node, key string) *yaml.Node {
	n = Resolve(n)
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

func Keys(n *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	return keys
}

// ParseValue reads a flag's value as YAML without a place in a file.
func ParseValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("%q is not a YAML value: %w", text, err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("the value is empty")
	}
	if e := checkAliases(doc.Content[0]); e != nil {
		return nil, errors.New(e.Msg)
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

// Join appends a key to a dotted path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Describe names a node's kind for error messages.
func Describe(n *yaml.Node) string {
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

func Resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// Parse returns the one document of a YAML text as a node.
func Parse(file string, text []byte) (*yaml.Node, error) {
	var doc, second yaml.Node
	reader := yaml.NewDecoder(bytes.NewReader(text))
	if err := reader.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Error{Origin: file, Msg: "the file is empty"}
		}
		return nil, syntaxError(file, text, err)
	}
	if err := reader.Decode(&second); err != nil && !errors.Is(err, io.EOF) {
		return nil, syntaxError(file, text, err)
	} else if err == nil {
		return nil, &Error{Origin: file, Line: second.Line, Column: 1, Msg: "a second YAML document; a study is one document"}
	}
	if e := checkAliases(doc.Content[0]); e != nil {
		e.Origin = file
		return nil, e
	}
	return doc.Content[0], nil
}
