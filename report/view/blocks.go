package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// BlockFactors returns the factors whose combinations of levels are the blocks of a rank
// test: the ones that the inference names or, by default, the ones that change the generator
// or data set. nil: the cells are not independent blocks, since a classifier that suits
// their one problem leads in all of them.
func (v *View) BlockFactors(cells []records.Cell) (factors []string) {
	if len(v.Inference.Blocks) > 0 {
		return v.Inference.Blocks
	}
	for _, name := range v.Varying(cells) {
		if v.changesProblem(cells, name) {
			factors = append(factors, name)
		}
	}
	return factors
}

// changesProblem reports whether some two cells that differ in this factor alone have
// different generators or data sets.
func (v *View) changesProblem(cells []records.Cell, factor string) bool {
	other := func(c records.Cell) bool { return v.Problems[c.ID] != v.Problems[cells[0].ID] }
	if !slices.ContainsFunc(cells, other) {
		return false // all cells have the same problem
	}
	for i := range cells {
		for k := range cells[:i] {
			a, b := &cells[i], &cells[k]
			if v.Problems[a.ID] != v.Problems[b.ID] && v.onlyIn(factor, a.Levels, b.Levels) {
				return true
			}
		}
	}
	return false
}

// onlyIn reports whether two cells differ in a factor and agree in all others that both have.
func (v *View) onlyIn(factor string, a, b records.Levels) bool {
	for _, name := range v.FactorNames() {
		of, other := a.Of(name), b.Of(name)
		both := of != "" && other != ""
		if name == factor && of == other || name != factor && both && of != other {
			return false
		}
	}
	return true
}

// Blocks returns the mean losses of the classifiers in each block, in excess of m.Over's if
// it is set. Blocks are the combinations of levels of BlockFactors or, without such factors,
// the cells; cells on the same data are always one block. Blocks that lack a result of any
// classifier are left out; left names them and what is missing.
func (v *View) Blocks(cells []records.Cell, m *Measure, ids []string) (values [][]float64, left []string) {
	names := v.BlockFactors(cells)
	if names == nil {
		names = v.FactorNames()
	}
	groups := v.blocks(cells)
	for i := range groups {
		row, missing := v.block(&groups[i], m, ids)
		if missing == nil {
			values = append(values, row)
			continue
		}
		where := v.InWords(names, groups[i].Cells[0].Levels)
		left = append(left, strings.TrimSpace(fmt.Sprintf("%s (%s)", where, strings.Join(missing, ", "))))
	}
	return values, left
}

// blocks groups cells that have the same levels of the block factors, or the same data: one
// data set or the same draws.
func (v *View) blocks(cells []records.Cell) []Group {
	factors := v.BlockFactors(cells)
	var groups []Group
	at := map[string]int{}
	for i, c := range cells {
		names := []string{v.DataName(&c, i)}
		if factors != nil {
			names = append(names, "levels "+c.Levels.On(factors).String())
		}
		k := len(groups)
		for _, name := range names {
			if known, ok := at[name]; ok {
				k = known
			}
		}
		for _, name := range names {
			at[name] = k
		}
		if k == len(groups) {
			groups = append(groups, Group{})
		}
		groups[k].Cells = append(groups[k].Cells, c)
	}
	return groups
}

// DataName returns the name of the data of a cell: its source, its first draw or, if neither
// is known, its place i.
func (v *View) DataName(c *records.Cell, i int) string {
	if source := v.Sampling[c.ID].Source; source != "" {
		return source
	}
	if len(c.Rows) > 0 && c.Rows[0].Data != "" {
		return c.Rows[0].Data
	}
	return fmt.Sprint(i)
}

// block returns the mean losses of the classifiers in a block. missing gives a reason for
// each one without: "SLB failed"; nil: none is missing.
func (v *View) block(g *Group, m *Measure, ids []string) (row []float64, missing []string) {
	pooled := v.Pool(g)
	over := 0.0
	if m.Over != "" {
		over = pooled.Summary(m.Metric, m.Over).Mean
	}
	if math.IsNaN(over) {
		missing = append(missing, v.Label(m.Over)+" "+v.whyNone(g, m, m.Over))
	}
	for _, id := range ids {
		loss := pooled.Summary(m.Metric, id).Mean
		if math.IsNaN(loss) {
			missing = append(missing, v.Label(id)+" "+v.whyNone(g, m, id))
		}
		row = append(row, loss-over)
	}
	return row, missing
}

// whyNone returns the reason why a classifier has no value of a measure in a group.
func (v *View) whyNone(g *Group, m *Measure, id string) string {
	switch tried, failed := g.Attempts(id); {
	case tried == 0:
		return "did not run"
	case failed > 0:
		return "failed"
	}
	return "has no " + m.Name
}

// mostLeft is the largest share of blocks that may be left out because of failed fits.
const mostLeft = 0.2

// Ranked splits the classifiers into those that are ranked over the blocks of the cells and
// the rest. A ranked classifier that is set aside in a block removes it for all (Blocks). Up
// to mostLeft of the blocks in which all run may be removed: classifiers are admitted by the
// number of blocks that they remove, fewest first, unless they exceed this share.
func (v *View) Ranked(cells []records.Cell, ids []string) (ranked, aside []string) {
	groups := slices.DeleteFunc(v.blocks(cells), func(g Group) bool {
		return slices.ContainsFunc(ids, func(id string) bool { tried, _ := g.Attempts(id); return tried == 0 })
	})
	lost := v.lostBlocks(groups)
	byLost := slices.Clone(ids)
	slices.SortStableFunc(byLost, func(a, b string) int { return len(lost[a]) - len(lost[b]) })
	left, out := map[int]bool{}, map[string]bool{} // removed blocks, and classifiers not ranked
	for _, id := range byLost {
		with := maps.Clone(left)
		for _, block := range lost[id] {
			with[block] = true
		}
		if float64(len(with)) > mostLeft*float64(len(groups)) {
			out[id] = true
		} else {
			left = with
		}
	}
	for _, id := range ids {
		if out[id] {
			aside = append(aside, id)
		} else {
			ranked = append(ranked, id)
		}
	}
	return ranked, aside
}

// lostBlocks returns the blocks in which each classifier is set aside.
func (v *View) lostBlocks(groups []Group) map[string][]int {
	lost := map[string][]int{}
	for i := range groups {
		for _, a := range v.Aside(&groups[i]) {
			lost[a.ID] = append(lost[a.ID], i)
		}
	}
	return lost
}

// leftShown is the largest number of left-out blocks that captions list.
const leftShown = 5

// LeftOut returns the sentence on the left-out blocks that Blocks returned; "": none.
func LeftOut(left []string) string {
	if len(left) == 0 {
		return ""
	}
	count, more := Plural(len(left), "block is", "blocks are"), ""
	if n := len(left) - leftShown; n > 0 {
		left, more = left[:leftShown], fmt.Sprintf("; and %d more", n)
	}
	return fmt.Sprintf(" %s left out, where not all have a result: %s%s.", count, strings.Join(left, "; "), more)
}
