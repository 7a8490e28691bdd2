package study

import (
	"slices"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/stats/records"
)

// At returns the cell that the study would have at other levels of its factors,
// everything else being as it is. What a level stands for is asked of the study
// and then of earlier ones, the latest first. It is nil where that is not known.
func (s *Study) At(levels records.Levels, earlier []*Study) *Cell {
	chosen := combination{}
	for factor, name := range levels.Map() {
		value := s.document.level(factor, name)
		for _, e := range earlier {
			if value == nil {
				value = e.document.level(factor, name)
			}
		}
		if value == nil {
			value = s.document.newLevel(factor, name)
		}
		if value == nil {
			return nil
		}
		chosen[factor] = level{name, value}
	}
	doc := *s.document
	doc.decoder, doc.cells = *s.Decoder(), nil
	doc.Design, doc.Nested = nil, nil // this one cell need not show what each factor varies
	doc.resolve([]combination{chosen})
	if doc.decoder.Failed() || len(doc.cells) != 1 {
		return nil
	}
	return doc.cells[0]
}

// factor lists the definitions of a factor: several when it is nested.
func (s *document) factor(name string) []*yaml.Node {
	var list []*yaml.Node
	for _, design := range append([]*yaml.Node{s.Design}, nestedDesigns(s.Nested)...) {
		if design == nil {
			continue
		}
		if values := config.Lookup(design, name); values != nil {
			list = append(list, config.Resolve(values))
		}
	}
	return list
}

// level is what a level of a factor stands for, nil where the study has none such.
func (s *document) level(factor, name string) *yaml.Node {
	for _, values := range s.factor(factor) {
		switch values.Kind {
		case yaml.MappingNode:
			if value := config.Lookup(values, name); value != nil {
				return config.Resolve(value)
			}
		case yaml.SequenceNode:
			if i := slices.IndexFunc(values.Content, func(v *yaml.Node) bool { return config.Resolve(v).Value == name }); i >= 0 {
				return config.Resolve(values.Content[i])
			}
		}
	}
	return nil
}

// newLevel is what one more level would stand for in a list, whose levels stand
// for themselves.
func (s *document) newLevel(factor, name string) *yaml.Node {
	for _, values := range s.factor(factor) {
		if values.Kind == yaml.SequenceNode {
			if value, err := config.ParseValue(name); err == nil {
				return value
			}
		}
	}
	return nil
}
