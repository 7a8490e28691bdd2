package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse parses a text with a single YAML document and returns the root. file is the name of the
// text in error messages.
func Parse(file string, content []byte) (Place, error) {
	var doc, second yaml.Node
	reader := yaml.NewDecoder(bytes.NewReader(content))
	if err := reader.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return Place{}, &Error{Origin: file, Msg: "the file is empty"}
		}
		return Place{}, syntaxError(file, content, err)
	}
	switch err := reader.Decode(&second); {
	case err == nil:
		return Place{}, &Error{Origin: file, Line: second.Line, Column: 1,
			Msg: "a second YAML document begins here, but a study file must have only one"}
	case !errors.Is(err, io.EOF):
		return Place{}, syntaxError(file, content, err)
	}
	if e := checkAliases(doc.Content[0]); e != nil {
		e.Origin = file
		return Place{}, e
	}
	d := &document{file: file, flags: map[*yaml.Node]string{}}
	return d.place(doc.Content[0], ""), nil
}

// parseValue parses the value of a flag as YAML. The nodes have line 0, because they are not in a file.
func parseValue(value string) (*yaml.Node, error) {
	var doc yaml.Node
	reader := yaml.NewDecoder(strings.NewReader(value))
	switch err := reader.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the value is empty")
	case err != nil:
		return nil, fmt.Errorf("%q is not a YAML value: %w", value, err)
	}
	// Reject further values: in [20],[40], the decoder has read only [20].
	if err := reader.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%q is not a single YAML value", value)
	}
	// Reject aliases inside their own value, and aliases that expand to too many values.
	if e := checkAliases(doc.Content[0]); e != nil {
		return nil, errors.New(e.Msg) // without the line of e, because the value is not in a file
	}
	const noLine, noColumn = 0, 0
	setPosition(doc.Content[0], noLine, noColumn)
	return doc.Content[0], nil
}

// setPosition sets the position of a node and of all nodes below it, for error messages.
func setPosition(n *yaml.Node, line, column int) {
	n.Line, n.Column = line, column
	for _, c := range n.Content {
		setPosition(c, line, column)
	}
}

// YAML returns the value as YAML text, including comments and aliases.
func (p Place) YAML() ([]byte, error) {
	expandDangling(p.node)
	var b bytes.Buffer
	w := yaml.NewEncoder(&b)
	w.SetIndent(2)
	if err := w.Encode(p.node); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}
