package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/stats/dataset"
)

// expand crosses the factors, drops the exclusions and resolves every cell.
func (s *document) expand() {
	d := &s.decoder
	type block struct {
		under   *yaml.Node // nil: every cell
		factors []factor
	}
	blocks := []block{{nil, s.readFactors(s.Design, "design")}}
	for i, n := range s.Nested {
		blocks = append(blocks, block{n.Under, s.readFactors(n.Design, fmt.Sprintf("nested[%d].design", i))})
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
				d.Fail(s.root, "design", "more than %d cells", maxCells)
				return
			}
			next = append(next, cross(c, b.factors)...)
		}
		combinations = next
		s.declare(b.factors)
	}
	combinations = s.exclude(combinations)
	if d.Failed() {
		return
	}
	if len(combinations) == 0 {
		d.Fail(s.root, "exclude", "no cell is left")
		return
	}
	s.resolve(combinations)
	if !d.Failed() {
		s.preparesSomething()
	}
}

// preparesSomething refuses attributes to take as discrete that no data of the study
// have: over several data sets a name need be in one of them alone.
func (s *document) preparesSomething() {
	type name struct{ id, attribute string }
	found, order := map[name]bool{}, []name(nil)
	for _, c := range s.cells {
		if c.Data.File == nil {
			return // drawn, or not here: the attributes are not known
		}
		for _, e := range c.Classifiers {
			for _, a := range e.Preparation.Discrete {
				n := name{e.ID, a}
				if _, listed := found[n]; !listed {
					order = append(order, n)
				}
				found[n] = found[n] || slices.ContainsFunc(c.Data.File.Rows.Attributes, func(has dataset.Attribute) bool { return has.Name == a })
			}
		}
	}
	for _, n := range order {
		if !found[n] {
			s.decoder.Fail(s.Classifiers, "classifiers."+n.id+".discrete", "no data of the study have an attribute %q", n.attribute)
		}
	}
}

// resolve turns combinations into cells and reports factors that vary nothing
// and duplicates.
func (s *document) resolve(list []combination) {
	used, files, digests, levels := map[string]bool{}, map[string]*File{}, map[string]string{}, map[string][]string{}
	var sources []*yaml.Node
	for _, f := range s.factors {
		levels[f.Name] = f.Levels
	}
	for _, c := range list {
		cell := &Cell{Levels: c.levels()}
		r := resolver{Decoder: &s.decoder, chosen: c, levels: levels, used: used, files: files, recorded: s.recall != nil,
			folder: s.folder, digests: digests, memoryLimit: s.memoryLimit}
		data := r.substitute(s.Data, "data")
		sources = append(sources, r.source)
		if s.decoder.Failed() {
			continue // a reference that leads nowhere would be reported again as a wrong value
		}
		cell.Data = r.data(data)
		var bound string
		cell.Classifiers, bound = r.classifiers(s.Classifiers, cell.Data)
		if s.decoder.Failed() {
			continue
		}
		cell.Key, cell.SplitKey = cell.Data.key(), cell.Data.splitKey()
		sum := sha256.Sum256([]byte(cell.Key + bound))
		cell.ID = hex.EncodeToString(sum[:5])
		if cell.Data.Absent {
			s.recollect(cell)
		}
		s.cells = append(s.cells, cell)
	}
	if !s.decoder.Failed() {
		s.reportUnused(used)
	}
	if !s.decoder.Failed() {
		s.reportTwins()
	}
	if !s.decoder.Failed() {
		s.countReplicates(sources)
	}
	if !s.decoder.Failed() {
		s.checkFolds()
		s.checkTrials()
	}
}

// countReplicates takes the number of replicates from folds and repeats, which
// must be that of the study if its file gives one. A flag may ask for others; repeats
// then go out of sources, where the file gives each cell's data, so that the study
// which is kept beside the results can be read again.
func (s *document) countReplicates(sources []*yaml.Node) {
	at := config.Lookup(s.root, "replicates")
	flagged := at != nil && s.decoder.FromFlag(at)
	for i, c := range s.cells {
		n := c.Data.Folds * c.Data.Repeats
		switch {
		case n == 0 || n == s.Replicates:
		case flagged:
			removeEntry(sources[i], "repeats")
		case s.Replicates == 0:
			s.Replicates = n
		default:
			s.decoder.Fail(entryOr(config.Resolve(s.Data), "repeats"), "data.repeats", "%d folds x %d repeats are %d replicates, the study or another cell has %d", c.Data.Folds, c.Data.Repeats, n, s.Replicates)
			return
		}
	}
	if s.Replicates == 0 {
		s.decoder.Fail(s.root, "replicates", "missing; the number of independent draws per cell (of an official split, of fits), or repeats beside folds: repeats: 1 holds out each fold once")
	}
}

// checkFolds refuses a number of replicates that leaves the last repeat, or the last
// task of a drawn problem, without some of its folds: rows would be tested unequally
// often, and a part of a task counts for nothing. Results that are there are read as
// they are.
func (s *document) checkFolds() {
	if s.recall != nil {
		return
	}
	complete := 1 // of all cells
	for _, c := range s.cells {
		if k := c.Data.Folds; k > 0 {
			complete *= k / gcd(complete, k)
		}
	}
	at, path := config.Lookup(s.root, "replicates"), "replicates"
	if at == nil {
		at, path = s.Data, "data.repeats"
	}
	for _, c := range s.cells {
		k := c.Data.Folds
		if k == 0 || s.Replicates%k == 0 {
			continue
		}
		of, give := "task", fmt.Sprint(complete)
		if c.Data.FromFiles() {
			of = "repeat"
		}
		if below := s.Replicates / complete * complete; below > 0 {
			give = fmt.Sprintf("%d or %d", below, below+complete)
		}
		s.decoder.Fail(at, path, "%d leave a %s of %d folds incomplete: give %s", s.Replicates, of, k, give)
		return
	}
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// recollect takes a cell's identity from what was stored, since its data are not
// here to compute it from.
func (s *document) recollect(cell *Cell) {
	id, key, ok := s.recall(cell.Levels)
	if !ok {
		s.decoder.Fail(s.Data, "data."+cell.Data.sourceKey(), "%s: not here, and the manifest has no cell %s", cell.Data.Source(), cell.Levels.Describe(s.factors))
		return
	}
	cell.ID, cell.Key = id, key
}

func (s *document) reportUnused(used map[string]bool) {
	for _, n := range append([]*yaml.Node{s.Design}, nestedDesigns(s.Nested)...) {
		if n == nil {
			continue
		}
		for _, e := range s.decoder.Entries(config.Resolve(n), "design") {
			if !used[e.Key.Value] {
				s.decoder.Fail(e.Key, config.Join("design", e.Key.Value), "varies nothing: write $%s where its level belongs, in data or classifiers", e.Key.Value)
			}
		}
	}
}

func (s *document) reportTwins() {
	seen := map[string]*Cell{}
	for _, c := range s.cells {
		if twin := seen[c.ID]; twin != nil {
			s.decoder.Fail(s.Data, "design", "two cells are the same: %s and %s", twin.Levels.Describe(s.factors), c.Levels.Describe(s.factors))
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
