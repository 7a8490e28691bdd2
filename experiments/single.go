package experiments

import (
	"strings"

	"golang.org/x/exp/rand" //lint:ignore SA1019 see stream.go
	"gopkg.in/yaml.v3"

	"copse/classifiers"
)

// NewCell returns a cell of one generator with parameters given as k=v texts,
// for drawing outside a study.
func NewCell(generator string, params []string, train, test []int) (*Cell, error) {
	r := resolver{decoder: &decoder{file: "--generator " + generator, origin: map[*yaml.Node]string{}}}
	n, err := r.fromFlags("name", generator, params)
	if err != nil {
		return nil, err
	}
	data := &Data{GeneratorNode: n, Train: Size{Counts: train}, Test: Size{Counts: test}}
	r.generator(n, data)
	if err := r.errs.sorted(); err != nil {
		return nil, err
	}
	return &Cell{Key: data.key(), Data: data}, nil
}

// NewClassifier returns the recipe of the given name with parameters given as
// k=v texts.
func NewClassifier(name string, params []string) (classifiers.Classifier, error) {
	r := resolver{decoder: &decoder{file: "--classifier " + name, origin: map[*yaml.Node]string{}}}
	n, err := r.fromFlags("classifier", name, params)
	if err != nil {
		return nil, err
	}
	e, _ := r.entry(n, name)
	if err := r.errs.sorted(); err != nil {
		return nil, err
	}
	if e.Classifier == nil {
		return nil, &ConfigError{Origin: "--classifier " + name, Msg: "the oracle decides by a generator's densities; it has no place outside a study"}
	}
	return e.Classifier, nil
}

// ClassifierStream is the random source of a fit outside a study.
func ClassifierStream(seed uint64) *rand.Rand { return stream(seed, "", 1, "classifier:") }

// fromFlags builds the mapping {key: name, k: v, ...} of a recipe.
func (r *resolver) fromFlags(key, name string, params []string) (*yaml.Node, error) {
	text := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text(key), text(name)}}
	for _, p := range params {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			return nil, &ConfigError{Origin: "--param " + p, Msg: "want k=v"}
		}
		value, err := parseValue(v)
		if err != nil {
			return nil, &ConfigError{Origin: "--param " + p, Msg: err.Error()}
		}
		k2 := text(k)
		r.origin[k2], r.origin[value] = "--param "+p, "--param "+p
		n.Content = append(n.Content, k2, value)
	}
	return n, nil
}
