package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/stats/records"
)

// BlockFactors returns the factors whose combinations of levels are the blocks of a rank test: those that the
// inference names or, by default, those that change the generator or data set of the cells. nil: there are none, so
// that the cells are not independent blocks: a classifier that suits the one problem is ahead in all of them.
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

// changesProblem reports whether two cells that differ in this factor alone have different generators or data sets.
func (v *View) changesProblem(cells []records.Cell, factor string) bool {
	other := func(c records.Cell) bool { return v.Problems[c.ID] != v.Problems[cells[0].ID] }
	if !slices.ContainsFunc(cells, other) {
		return false // all have one
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

// onlyIn reports whether two cells differ in a factor and in no other that both of them have.
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

// Blocks returns what classifiers are ranked over: for each block of the cells the mean losses of the classifiers, in
// excess of those of m.Over where there is one. Blocks are those of BlockFactors or, without such factors, the cells;
// cells on the same data are always one block. Blocks without a result of one of the classifiers are left out; the
// second value names them and what is missing.
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

// blocks groups cells of the same levels of the block factors, and cells on the same data, of one data set or of the
// same draws.
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

// DataName names the data of a cell: its source, its first draw or, if neither is known,
// its place i.
func (v *View) DataName(c *records.Cell, i int) string {
	if source := v.Sampling[c.ID].Source; source != "" {
		return source
	}
	if len(c.Rows) > 0 && c.Rows[0].Data != "" {
		return c.Rows[0].Data
	}
	return fmt.Sprint(i)
}

// block returns the mean losses of the classifiers in a block, and of those without one
// the reasons: "SLB failed".
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

// mostLeft is the share of blocks that may be left out since a classifier fails there.
const mostLeft = 0.2

// Ranked returns the classifiers that are ranked over the blocks of the cells, and those that are not. A block in which
// a ranked classifier is set aside is left out for all (Blocks). Up to a fifth of the blocks in which all run may be:
// classifiers that are set aside in fewer blocks come first, and one that would go beyond is not ranked.
func (v *View) Ranked(cells []records.Cell, ids []string) (ranked, aside []string) {
	groups := slices.DeleteFunc(v.blocks(cells), func(g Group) bool {
		return slices.ContainsFunc(ids, func(id string) bool { tried, _ := g.Attempts(id); return tried == 0 })
	})
	lost := v.lostBlocks(groups)
	byLost := slices.Clone(ids)
	slices.SortStableFunc(byLost, func(a, b string) int { return len(lost[a]) - len(lost[b]) })
	left, out := map[int]bool{}, map[string]bool{}
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

// leftShown is the number of blocks left out that captions list.
const leftShown = 5

// LeftOut names the blocks that are left out and the reasons, as Blocks found; "" without
// any.
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
