package study

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// levelNames returns the names of a factor's levels.
func levelNames(levels *yaml.Node) []string {
	levels = config.Resolve(levels)
	if levels.Kind == yaml.MappingNode {
		return config.Keys(levels)
	}
	var names []string
	for _, l := range levels.Content {
		names = append(names, l.Value)
	}
	return names
}

// prune takes levels that a flag removed out of the conditions that name them.
// What is under a condition that nothing can meet any more goes with it: an
// exclusion, a nested block, a classifier of other cells, a published table, a table or figure of the report.
func (s *document) prune(factor string, gone []string) {
	prune := func(list *yaml.Node, condition func(item *yaml.Node) *yaml.Node) {
		if list == nil {
			return
		}
		if list = config.Resolve(list); list.Kind != yaml.SequenceNode {
			return // the decoder will say so
		}
		list.Content = slices.DeleteFunc(list.Content, func(item *yaml.Node) bool {
			c := condition(config.Resolve(item))
			return c != nil && !canBeMet(config.Resolve(c), factor, gone)
		})
	}
	under := func(key string) func(*yaml.Node) *yaml.Node {
		return func(item *yaml.Node) *yaml.Node { return config.Lookup(item, key) }
	}
	prune(config.Lookup(s.root, "exclude"), config.Resolve)
	prune(config.Lookup(s.root, "nested"), under("under"))
	prune(config.Lookup(s.root, "classifiers"), under("only"))
	prune(config.Lookup(s.root, "published"), under("where"))
	if report := config.Lookup(s.root, "report"); report != nil {
		prune(config.Lookup(report, "tables"), under("where"))
		prune(config.Lookup(report, "figures"), under("where"))
	}
}

// canBeMet takes the gone levels of a factor out of a condition, a mapping
// {factor: level or levels} or a list of factor=level, and tells whether one of
// the levels that it asked for is left.
func canBeMet(condition *yaml.Node, factor string, gone []string) bool {
	isGone := func(level *yaml.Node) bool { return slices.Contains(gone, level.Value) }
	if condition.Kind == yaml.SequenceNode {
		asks := func(n *yaml.Node) bool { return strings.HasPrefix(n.Value, factor+"=") }
		asked := slices.ContainsFunc(condition.Content, asks)
		condition.Content = slices.DeleteFunc(condition.Content, func(n *yaml.Node) bool {
			return asks(n) && slices.Contains(gone, strings.TrimPrefix(n.Value, factor+"="))
		})
		return !asked || slices.ContainsFunc(condition.Content, asks)
	}
	wanted := config.Lookup(condition, factor)
	if wanted == nil {
		return true
	}
	if wanted = config.Resolve(wanted); wanted.Kind != yaml.SequenceNode {
		return !isGone(wanted)
	}
	wanted.Content = slices.DeleteFunc(wanted.Content, isGone)
	return len(wanted.Content) > 0
}
