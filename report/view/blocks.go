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
// or data set. nil: there are none. Such cells are not independent blocks, since a classifier
// that suits their one problem leads in all of them.
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
		if name == factor {
			if of == other {
				return false
			}
			continue
		}
		bothHave := of != "" && other != ""
		if bothHave && of != other {
			return false
		}
	}
	return true
}

// Blocks returns the mean losses of the classifiers in each block, one row per block; in excess
// of the losses of m.Over if it is set. Blocks are the combinations of levels of BlockFactors
// or, without such factors, the cells; cells on the same data are always one block. Blocks that
// lack a result of any classifier are left out: left lists them with what they lack.
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
	at := map[string]int{} // index in groups by the name of data or by levels
	for i, c := range cells {
		data := v.DataName(&c, i)
		levels := data // without block factors, data alone make a block
		if factors != nil {
			levels = "levels " + c.Levels.On(factors).String()
		}
		k, known := at[levels]
		if !known {
			k, known = at[data]
		}
		if !known {
			k = len(groups)
			groups = append(groups, Group{})
		}
		at[data], at[levels] = k, k
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
// each classifier without a loss: "SLB failed"; nil: none is missing.
func (v *View) block(g *Group, m *Measure, ids []string) (losses []float64, missing []string) {
	pooled := v.Pool(g)
	reference := 0.0
	if m.Over != "" {
		reference = pooled.Summary(m.Metric, m.Over).Mean
		if math.IsNaN(reference) {
			missing = append(missing, v.whyNone(g, m, m.Over))
		}
	}
	for _, id := range ids {
		loss := pooled.Summary(m.Metric, id).Mean
		if math.IsNaN(loss) {
			missing = append(missing, v.whyNone(g, m, id))
		}
		losses = append(losses, loss-reference)
	}
	return losses, missing
}

// whyNone returns why a classifier has no value of a measure in a group: "SLB did not run".
func (v *View) whyNone(g *Group, m *Measure, id string) string {
	tried, failed := g.Attempts(id)
	switch {
	case tried == 0:
		return v.Label(id) + " did not run"
	case failed > 0:
		return v.Label(id) + " failed"
	}
	return v.Label(id) + " has no " + m.Name
}

// mostLeft is the largest share of blocks that may be left out because of failed fits.
const mostLeft = 0.2

// Ranked splits classifiers into those that are ranked over the blocks of the cells and the
// rest, aside. To rank a classifier removes, for all classifiers, the blocks in which it is set
// aside because of failed fits. Ranked admits classifiers by the number of blocks that they
// remove, fewest first, as long as at most mostLeft of the blocks are removed.
func (v *View) Ranked(cells []records.Cell, ids []string) (ranked, aside []string) {
	blocks := v.completeBlocks(cells, ids)
	lost := v.lostBlocks(blocks)
	byLost := slices.Clone(ids)
	slices.SortStableFunc(byLost, func(a, b string) int { return len(lost[a]) - len(lost[b]) })
	removed := map[int]bool{} // blocks that the admitted classifiers remove
	admitted := map[string]bool{}
	for _, id := range byLost {
		together := maps.Clone(removed)
		for _, block := range lost[id] {
			together[block] = true
		}
		if float64(len(together)) <= mostLeft*float64(len(blocks)) {
			removed, admitted[id] = together, true
		}
	}
	for _, id := range ids {
		if admitted[id] {
			ranked = append(ranked, id)
		} else {
			aside = append(aside, id)
		}
	}
	return ranked, aside
}

// completeBlocks returns the blocks of the cells in which all classifiers ran.
func (v *View) completeBlocks(cells []records.Cell, ids []string) []Group {
	return slices.DeleteFunc(v.blocks(cells), func(block Group) bool {
		for _, id := range ids {
			if tried, _ := block.Attempts(id); tried == 0 {
				return true
			}
		}
		return false
	})
}

// lostBlocks returns, for each classifier, the indices of the blocks in which it is set aside.
func (v *View) lostBlocks(blocks []Group) map[string][]int {
	lost := map[string][]int{}
	for i := range blocks {
		for _, a := range v.Aside(&blocks[i]) {
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
	blocks := Plural(len(left), "block is", "blocks are")
	if more := len(left) - leftShown; more > 0 {
		left = append(slices.Clone(left[:leftShown]), fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf(" %s left out, where not all have a result: %s.", blocks, strings.Join(left, "; "))
}
