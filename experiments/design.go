package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/classifiers"
	"copse/stats/records"
)

// A Cell is one combination of factor levels, resolved to the data it draws
// and the classifiers it runs.
type Cell struct {
	ID          string   // digest of Key and of the classifier parameters that factors set
	Levels      []string // aligned with Study.Factors; "" where a nested factor is absent
	Key         string   // canonical content of the data: it seeds every random stream
	Data        *Data
	Classifiers []Entry
}

// An Entry is one classifier of a study under its id.
type Entry struct {
	ID         string
	Name       string                 // in the registry, or "oracle"
	Label      string                 // what tables print; "": the id
	Spec       string                 // canonical recipe; a changed Spec reruns the entry's rows
	Classifier classifiers.Classifier // nil for the oracle
}

// String returns the levels as "factor=level, ...".
func (c *Cell) describe(factors []records.Factor) string {
	var parts []string
	for i, level := range c.Levels {
		if level != "" {
			parts = append(parts, factors[i].Name+"="+level)
		}
	}
	return strings.Join(parts, ", ")
}

// Describe names the levels of a cell for people.
func (s *Study) Describe(c *Cell) string { return c.describe(s.Factors) }

// level is one level of a factor: its name and the value that $factor stands
// for.
type level struct {
	name  string
	value *yaml.Node
}

// factor is one varied quantity as the study file defines it.
type factor struct {
	name   string
	node   *yaml.Node
	levels []level
}

// combination is the chosen level of each factor that is present.
type combination map[string]level

// maxCells bounds a design: more are a slip of the pen.
const maxCells = 100_000

// expand crosses the factors, drops the exclusions and resolves every cell.
func (s *Study) expand() {
	d := &s.decoder
	blocks := []struct {
		under   *yaml.Node
		factors []factor
	}{{factors: s.factors(s.DesignNode, "design")}}
	for i, n := range s.Nested {
		blocks = append(blocks, struct {
			under   *yaml.Node
			factors []factor
		}{n.Under, s.factors(n.Design, fmt.Sprintf("nested[%d].design", i))})
	}
	combinations := []combination{{}}
	for i, b := range blocks {
		var next []combination
		for _, c := range combinations {
			if b.under != nil && !s.matches(b.under, c, fmt.Sprintf("nested[%d].under", i-1)) {
				next = append(next, c)
				continue
			}
			if size(b.factors) > maxCells-len(next) {
				d.fail(s.root, "design", "more than %d cells", maxCells)
				return
			}
			next = append(next, cross(c, b.factors)...)
		}
		combinations = next
		s.declare(b.factors)
	}
	combinations = s.exclude(combinations)
	if len(d.errs) > 0 {
		return
	}
	if len(combinations) == 0 {
		d.fail(s.root, "exclude", "no cell is left")
		return
	}
	s.resolve(combinations)
}

// factors reads the factors of one design mapping: a list of levels, or a
// mapping from level names to the values they stand for.
func (s *Study) factors(n *yaml.Node, path string) []factor {
	d := &s.decoder
	if n == nil {
		return nil
	}
	if n = resolveAlias(n); n.Kind != yaml.MappingNode {
		d.fail(n, path, "want factors with their levels, got %s", describe(n))
		return nil
	}
	var list []factor
	for _, e := range d.entries(n, path) {
		f := factor{name: e.key.Value, node: e.key}
		at := join(path, f.name)
		values := resolveAlias(e.value)
		switch {
		case !namePattern.MatchString(f.name) || slices.Contains(records.ReservedColumns(), f.name):
			d.fail(e.key, at, "cannot name a factor: it is not a plain name or the records have a column of that name")
		case values.Kind == yaml.SequenceNode:
			for _, v := range values.Content {
				if v = resolveAlias(v); v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
					d.fail(v, at, "a level is %s; write a scalar, or a mapping from level names to values", describe(v))
					continue
				}
				f.levels = append(f.levels, level{v.Value, v})
			}
		case values.Kind == yaml.MappingNode:
			for _, v := range d.entries(values, at) {
				f.levels = append(f.levels, level{v.key.Value, resolveAlias(v.value)})
			}
		default:
			d.fail(values, at, "want a list of levels, got %s", describe(values))
		}
		for i, l := range f.levels {
			if slices.ContainsFunc(f.levels[:i], func(m level) bool { return m.name == l.name }) {
				d.fail(l.value, at, "level %q is given twice", l.name)
			}
		}
		if len(f.levels) == 0 && (values.Kind == yaml.SequenceNode || values.Kind == yaml.MappingNode) && len(values.Content) == 0 {
			d.fail(values, at, "has no levels")
		}
		list = append(list, f)
	}
	return list
}

// declare appends factors to the study's, merging the levels of a factor that
// is nested in several places.
func (s *Study) declare(list []factor) {
	for _, f := range list {
		i := slices.IndexFunc(s.Factors, func(g records.Factor) bool { return g.Name == f.name })
		if i < 0 {
			i = len(s.Factors)
			s.Factors = append(s.Factors, records.Factor{Name: f.name})
		}
		for _, l := range f.levels {
			if !slices.Contains(s.Factors[i].Levels, l.name) {
				s.Factors[i].Levels = append(s.Factors[i].Levels, l.name)
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
func (s *Study) matches(want *yaml.Node, c combination, path string) bool {
	d := &s.decoder
	if want = resolveAlias(want); want.Kind != yaml.MappingNode || len(want.Content) == 0 {
		d.fail(want, path, "want factor: level pairs, got %s", describe(want))
		return false
	}
	all := true
	for _, e := range d.entries(want, path) {
		i := slices.IndexFunc(s.Factors, func(f records.Factor) bool { return f.Name == e.key.Value })
		if i < 0 {
			var names []string
			for _, f := range s.Factors {
				names = append(names, f.Name)
			}
			d.fail(e.key, join(path, e.key.Value), "unknown factor%s", didYouMean(e.key.Value, names))
			return false
		}
		options := []*yaml.Node{e.value}
		if v := resolveAlias(e.value); v.Kind == yaml.SequenceNode {
			options = v.Content
		}
		hit := false
		for _, o := range options {
			if !slices.Contains(s.Factors[i].Levels, o.Value) {
				d.fail(o, join(path, e.key.Value), "unknown level %q%s", o.Value, didYouMean(o.Value, s.Factors[i].Levels))
				return false
			}
			chosen, present := c[e.key.Value]
			hit = hit || present && chosen.name == o.Value
		}
		all = all && hit
	}
	return all
}

func (s *Study) exclude(list []combination) []combination {
	for i, rule := range s.ExcludeNodes {
		path := fmt.Sprintf("exclude[%d]", i)
		kept := slices.DeleteFunc(slices.Clone(list), func(c combination) bool { return s.matches(rule, c, path) })
		if len(kept) == len(list) && len(s.decoder.errs) == 0 {
			s.decoder.fail(rule, path, "excludes no cell")
		}
		list = kept
	}
	return list
}

// resolve turns combinations into cells and reports factors that vary nothing
// and duplicates.
func (s *Study) resolve(list []combination) {
	used, files := map[string]bool{}, map[string]csvFile{}
	for _, c := range list {
		cell := &Cell{}
		for _, f := range s.Factors {
			cell.Levels = append(cell.Levels, c[f.Name].name)
		}
		r := resolver{decoder: &s.decoder, chosen: c, used: used, files: files, recorded: s.recorded != nil}
		data := r.substitute(s.DataNode, "data")
		if len(s.decoder.errs) > 0 {
			continue // a reference that leads nowhere would be reported again as a wrong value
		}
		cell.Data = r.data(data)
		var bound string
		cell.Classifiers, bound = r.classifiers(s.ClassifierNodes, cell.Data)
		if len(s.decoder.errs) > 0 {
			continue
		}
		cell.Key = cell.Data.key()
		sum := sha256.Sum256([]byte(cell.Key + bound))
		cell.ID = hex.EncodeToString(sum[:5])
		if cell.Data.absent {
			s.recall(cell)
		}
		s.Cells = append(s.Cells, cell)
	}
	if len(s.decoder.errs) == 0 {
		s.reportUnused(used)
	}
	if len(s.decoder.errs) == 0 {
		s.reportTwins()
	}
}

// recall takes a cell's identity from the manifest, since its data are not here
// to compute it from.
func (s *Study) recall(cell *Cell) {
	levels := s.levelMap(cell)
	for _, c := range s.recorded.Cells {
		if maps.Equal(c.Levels, levels) {
			cell.ID, cell.Key = c.ID, c.Data
			return
		}
	}
	s.decoder.fail(s.DataNode, "data.csv", "%s is not here and the manifest has no cell %s", cell.Data.CSV, s.Describe(cell))
}

func (s *Study) reportUnused(used map[string]bool) {
	for _, n := range append([]*yaml.Node{s.DesignNode}, nestedDesigns(s.Nested)...) {
		if n == nil {
			continue
		}
		for _, e := range s.decoder.entries(resolveAlias(n), "design") {
			if !used[e.key.Value] {
				s.decoder.fail(e.key, join("design", e.key.Value), "varies nothing: write $%s where its level belongs, in data or classifiers", e.key.Value)
			}
		}
	}
}

func (s *Study) reportTwins() {
	seen := map[string]*Cell{}
	for _, c := range s.Cells {
		if twin := seen[c.ID]; twin != nil {
			s.decoder.fail(s.DataNode, "design", "two cells are the same: %s and %s", s.Describe(twin), s.Describe(c))
			return
		}
		seen[c.ID] = c
	}
}

func nestedDesigns(list []nesting) []*yaml.Node {
	var nodes []*yaml.Node
	for _, n := range list {
		nodes = append(nodes, n.Design)
	}
	return nodes
}
