package study

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/stats/records"
)

// level is one level of a factor: its name and the value that $factor stands
// for.
type level struct {
	name  string
	value *yaml.Node
}

// factor is one varied quantity as the study file defines it.
type factor struct {
	name   string
	levels []level
}

// combination is the chosen level of each factor that is present.
type combination map[string]level

func (c combination) levels() records.Levels {
	names := map[string]string{}
	for factor, chosen := range c {
		names[factor] = chosen.name
	}
	return records.LevelsOf(names)
}

// maxCells bounds a design: more are a slip of the pen.
const maxCells = 100_000

// readFactors reads the factors of one design mapping: a list of levels, or a
// mapping from level names to the values they stand for.
func (s *document) readFactors(n *yaml.Node, path string) []factor {
	d := &s.decoder
	if n == nil {
		return nil
	}
	if n = config.Resolve(n); n.Kind != yaml.MappingNode {
		d.Fail(n, path, "want factors with their levels, got %s", config.Describe(n))
		return nil
	}
	var list []factor
	for _, e := range d.Entries(n, path) {
		f := factor{name: e.Key.Value}
		at := config.Join(path, f.name)
		values := config.Resolve(e.Value)
		switch {
		case !config.ValidName(f.name):
			d.Fail(e.Key, at, "cannot name a factor; use letters, digits, '.', '_' and '-' (report.labels has the words that readers see)")
		case slices.Contains(records.ReservedColumns(), f.name):
			d.Fail(e.Key, at, "cannot name a factor: the records have a column of that name; rename it")
		case values.Kind == yaml.SequenceNode:
			for _, v := range values.Content {
				if v = config.Resolve(v); v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
					d.Fail(v, at, "a level is %s; write a scalar, or a mapping from level names to values", config.Describe(v))
					continue
				}
				f.levels = append(f.levels, level{v.Value, v})
			}
		case values.Kind == yaml.MappingNode:
			for _, v := range d.Entries(values, at) {
				f.levels = append(f.levels, level{v.Key.Value, config.Resolve(v.Value)})
			}
		default:
			d.Fail(values, at, "want a list of levels, got %s", config.Describe(values))
		}
		given := map[string]bool{}
		for _, l := range f.levels {
			if strings.Contains(l.name, "\r") {
				d.Fail(l.value, at, "level %q: a carriage return, which records cannot keep", l.name)
			}
			if given[l.name] {
				d.Fail(l.value, at, "level %q is given twice", l.name)
			}
			given[l.name] = true
		}
		if len(f.levels) == 0 && (values.Kind == yaml.SequenceNode || values.Kind == yaml.MappingNode) && len(values.Content) == 0 {
			d.Fail(values, at, "has no levels")
		}
		list = append(list, f)
	}
	return list
}

// declare appends factors to the study's, merging the levels of a factor that
// is nested in several places.
func (s *document) declare(list []factor) {
	for _, f := range list {
		i := slices.IndexFunc(s.factors, func(g records.Factor) bool { return g.Name == f.name })
		if i < 0 {
			i = len(s.factors)
			s.factors = append(s.factors, records.Factor{Name: f.name})
		}
		known := map[string]bool{}
		for _, name := range s.factors[i].Levels {
			known[name] = true
		}
		for _, l := range f.levels {
			if !known[l.name] {
				known[l.name] = true
				s.factors[i].Levels = append(s.factors[i].Levels, l.name)
			}
		}
	}
}

// size is the number of combinations of some factors, at most maxCells+1.
func size(factors []factor) int {
	n := 1
	for _, f := range factors {
		n = min(n*max(1, len(f.levels)), maxCells+1)
	}
	return n
}

// cross extends a combination by all combinations of further factors, the last
// one varying fastest.
func cross(c combination, factors []factor) []combination {
	list := []combination{c}
	for _, f := range factors {
		var next []combination
		for _, c := range list {
			for _, l := range f.levels {
				wider := combination{f.name: l}
				for name, chosen := range c {
					if name != f.name {
						wider[name] = chosen
					}
				}
				next = append(next, wider)
			}
		}
		list = next
	}
	return list
}

// matches tells whether a combination has the levels that a mapping such as
// {family: bayesnet, n: [200, 400]} asks for.
func (s *document) matches(want *yaml.Node, c combination, path string) bool {
	d := &s.decoder
	if want = config.Resolve(want); want.Kind != yaml.MappingNode || len(want.Content) == 0 {
		d.Fail(want, path, "want factor: level pairs, got %s", config.Describe(want))
		return false
	}
	all := true
	for _, e := range d.Entries(want, path) {
		i := slices.IndexFunc(s.factors, func(f records.Factor) bool { return f.Name == e.Key.Value })
		if i < 0 {
			var names []string
			for _, f := range s.factors {
				names = append(names, f.Name)
			}
			d.Fail(e.Key, config.Join(path, e.Key.Value), "unknown factor%s", config.DidYouMean(e.Key.Value, names))
			return false
		}
		options := []*yaml.Node{e.Value}
		if v := config.Resolve(e.Value); v.Kind == yaml.SequenceNode {
			options = v.Content
		}
		hit := false
		for _, o := range options {
			if !slices.Contains(s.factors[i].Levels, o.Value) {
				d.Fail(o, config.Join(path, e.Key.Value), "unknown level %q%s", o.Value, config.DidYouMean(o.Value, s.factors[i].Levels))
				return false
			}
			chosen, present := c[e.Key.Value]
			hit = hit || present && chosen.name == o.Value
		}
		all = all && hit
	}
	return all
}

func (s *document) exclude(list []combination) []combination {
	for i, rule := range s.Exclude {
		path := fmt.Sprintf("exclude[%d]", i)
		kept := slices.DeleteFunc(slices.Clone(list), func(c combination) bool { return s.matches(rule, c, path) })
		if len(kept) == len(list) && !s.decoder.Failed() {
			s.decoder.Fail(rule, path, "excludes no cell")
		}
		list = kept
	}
	return list
}
