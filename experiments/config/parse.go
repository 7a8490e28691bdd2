package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// Parse parses a text with a single YAML document and returns the root. file is the name of the
// text in error messages.
func Parse(file string, content []byte) (Place, error) {
	doc, second, err := readDocuments(content)
	switch {
	case errors.Is(err, io.EOF):
		return Place{}, &Error{Origin: file, Msg: "the file is empty"}
	case err != nil:
		return Place{}, syntaxError(file, content, err)
	case second != nil:
		return Place{}, &Error{Origin: file, Line: second.Line, Column: 1,
			Msg: "a second YAML document begins here, but a study file must have only one"}
	}
	if e := checkAliases(doc.Content[0]); e != nil {
		e.Origin = file
		return Place{}, e
	}
	d := &document{file: file, flags: map[*yaml.Node]string{}}
	return d.place(doc.Content[0], ""), nil
}

// readDocuments reads the first YAML document of a text, and the second, which is nil if there is
// none. The error is io.EOF for an empty text. After an error in the second document, doc is not nil.
func readDocuments(text []byte) (doc, second *yaml.Node, err error) {
	reader := yaml.NewDecoder(bytes.NewReader(text))
	doc, second = &yaml.Node{}, &yaml.Node{}
	if err := reader.Decode(doc); err != nil {
		return nil, nil, err
	}
	switch err := reader.Decode(second); {
	case errors.Is(err, io.EOF):
		return doc, nil, nil
	case err != nil:
		return doc, nil, err
	}
	return doc, second, nil
}

// parseValue parses the value of a flag as YAML. The nodes have line 0, because they are not in a
// file.
func parseValue(value string) (*yaml.Node, error) {
	doc, second, err := readDocuments([]byte(value))
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the value is empty")
	case doc == nil:
		return nil, fmt.Errorf("%q is not a YAML value: %w", value, err)
	case err != nil || second != nil: // for [20],[40], doc contains only [20]
		return nil, fmt.Errorf("%q is not a single YAML value", value)
	}
	if e := checkAliases(doc.Content[0]); e != nil {
		return nil, errors.New(e.Msg)
	}
	const noLine, noColumn = 0, 0
	setPosition(doc.Content[0], noLine, noColumn)
	return doc.Content[0], nil
}

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
