package study

import (
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// NewCell returns a cell of one generator with parameters given as k=v texts,
// for drawing outside a study.
func NewCell(generator string, params []string, train, test []int) (*Cell, error) {
	r := resolver{Decoder: config.NewDecoder("--generator " + generator)}
	n, err := r.fromFlags("name", generator, params)
	if err != nil {
		return nil, err
	}
	data := &Data{GeneratorNode: n, Train: Size{Counts: train}, TestSize: Size{Counts: test}}
	r.generator(n, data)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return &Cell{Key: data.key(), SplitKey: data.splitKey(), Data: data}, nil
}

// NewClassifier returns the entry of the given name with parameters given as
// k=v texts.
func NewClassifier(name string, params []string) (Entry, error) {
	r := resolver{Decoder: config.NewDecoder("--classifier " + name)}
	n, err := r.fromFlags("classifier", name, params)
	if err != nil {
		return Entry{}, err
	}
	e, _ := r.entry(n, name)
	if err := r.Err(); err != nil {
		return Entry{}, err
	}
	if e.Oracle() {
		return Entry{}, &config.Error{Origin: "--classifier " + name, Msg: "the oracle decides by a generator's densities; it has no place outside a study"}
	}
	if e.Classifier == nil {
		return Entry{}, &config.Error{Origin: "--classifier " + name, Msg: "an external classifier runs in a study; copse try FILE tries one alone"}
	}
	return e, nil
}

// fromFlags builds the mapping {key: name, k: v, ...} of a recipe.
func (r *resolver) fromFlags(key, name string, params []string) (*yaml.Node, error) {
	text := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text(key), text(name)}}
	for _, p := range params {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			return nil, &config.Error{Origin: "--param " + p, Msg: "want k=v"}
		}
		value, err := config.ParseValue(v)
		if err != nil {
			return nil, &config.Error{Origin: "--param " + p, Msg: err.Error()}
		}
		k2 := text(k)
		r.Mark(k2, "--param "+p)
		r.Mark(value, "--param "+p)
		n.Content = append(n.Content, k2, value)
	}
	return n, nil
}
