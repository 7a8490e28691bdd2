package view

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/records"
)

// BlockKey describes what the cells of a block in a rank test share: the factors in Inference.Blocks, as in
// "family and d", or, without factors, a phrase such as "generator or data set".
//
// Without factors, BlockKey returns "" if the same generators or data connect all cells, so that there are no
// independent blocks.
func (v *View) BlockKey(cells []records.Cell) string {
	if factors := v.FactorLabels(v.Inference.Blocks); len(factors) > 0 {
		return And(factors)
	}
	blocks := connectedCells(cells, v.blockKeys(cells), v.dataNames(cells))
	if len(blocks) < 2 {
		return ""
	}
	return DistinctWords(cells, func(c records.Cell) string {
		if v.Sampling[c.ID].isDataSet() {
			return "data set"
		}
		return "generator"
	})
}

// CheckBlocks returns a Misfit if Inference.Blocks names a factor that the records lack, if the cells of a block
// cannot be pooled, or if several blocks have the same generator and are therefore not independent.
func (v *View) CheckBlocks() error {
	if len(v.Inference.Blocks) == 0 {
		return nil // each block has one generator or data set
	}
	groups, err := v.Groups(v.Cells, v.Inference.Blocks)
	if err == nil {
		err = v.CheckPooling(groups, &Measure{}, "blocks")
	}
	if err == nil {
		err = v.checkBlocksDiffer()
	}
	if bad, ok := errors.AsType[*BadOption](err); ok {
		return &Misfit{Key: "blocks", Value: bad.Value, Cause: bad}
	}
	return err
}

// checkBlocksDiffer returns a BadOption if Inference.Blocks puts one generator into several blocks, even if these
// are then joined because their cells share data. Cells of data sets need no check, because cells that share rows
// are in one block.
func (v *View) checkBlocksDiffer() error {
	first := map[string]*Group{} // first block with each generator
	// Blocks that share data are joined later, but a key that separates cells of one generator is a mistake.
	blocks := connectedCells(v.Cells, v.blockKeys(v.Cells))
	for i := range blocks {
		block := &blocks[i]
		for _, c := range block.Cells {
			problem := v.Problems[c.ID]
			if problem == "" || v.Sampling[c.ID].isDataSet() { // "" if the generator is unknown
				continue
			}
			if first[problem] == nil {
				first[problem] = block
			}
			if other := first[problem]; other != block {
				return OptionError("blocks", "several blocks contain %s, so they are not independent (%s; %s); name "+
					"only factors that separate generators, or remove `blocks`", problem,
					v.sharedLevels(other), v.sharedLevels(block))
			}
		}
	}
	return nil
}

// BlockLosses returns the mean losses in each block of a rank test. values[b][k] is the mean loss of ids[k] in
// block b. If m.Baseline is set, the loss of the baseline is subtracted.
//
// omittedBlocks describes blocks, as in "n = 200 (SLB failed)". omittedCells describes cells of the other blocks
// that the means omit, because some classifier did not run there.
func (v *View) BlockLosses(cells []records.Cell, m *Measure, ids []string) (
	values [][]float64, omittedBlocks, omittedCells []string) {
	groups := v.groupIntoBlocks(cells)
	for i := range groups {
		shared, losses, missing := v.meanLosses(&groups[i], m, ids)
		if missing != nil {
			block := fmt.Sprintf("%s (%s)", v.sharedLevels(&groups[i]), strings.Join(missing, ", "))
			omittedBlocks = append(omittedBlocks, block)
			continue
		}
		values = append(values, losses)
		for _, c := range groups[i].Cells {
			isShared := slices.ContainsFunc(shared.Cells, func(other records.Cell) bool { return other.ID == c.ID })
			if !isShared {
				omittedCells = append(omittedCells, v.InWords(v.FactorNames(), c.Levels))
			}
		}
	}
	return values, omittedBlocks, omittedCells
}

// sharedLevels names a group by the levels that its cells share. If they share none, it returns
// their generator or data set.
func (v *View) sharedLevels(g *Group) string {
	shared := Except(v.FactorNames(), v.Varying(g.Cells)...)
	first := &g.Cells[0]
	return cmp.Or(v.InWords(shared, first.Levels), v.Problems[first.ID])
}

// groupIntoBlocks groups cells into the blocks of a rank test. A block contains the cells with the
// same levels of the factors in Inference.Blocks or, without factors, with the same generator or
// data set. If this would be a single block (see BlockKey), each cell is a block instead.
//
// Blocks that contain cells with the same data are joined, because their results are dependent.
func (v *View) groupIntoBlocks(cells []records.Cell) []Group {
	if v.BlockKey(cells) == "" {
		return connectedCells(cells, v.dataNames(cells))
	}
	return connectedCells(cells, v.blockKeys(cells), v.dataNames(cells))
}

// joinsBlocks reports whether cells with different block keys are in one block because they share
// data.
func (v *View) joinsBlocks(cells []records.Cell) bool {
	keys := v.blockKeys(cells)
	return len(connectedCells(cells, keys, v.dataNames(cells))) < len(connectedCells(cells, keys))
}

func (v *View) blockKeys(cells []records.Cell) (keys []string) {
	for _, c := range cells {
		key := v.Problems[c.ID]
		if len(v.Inference.Blocks) > 0 {
			key = fmt.Sprint(c.Levels.Restrict(v.Inference.Blocks))
		}
		keys = append(keys, key)
	}
	return keys
}

func (v *View) dataNames(cells []records.Cell) (names []string) {
	for i := range cells {
		names = append(names, v.DataName(&cells[i], i))
	}
	return names
}

// connectedCells groups cells that share a name. Each list in namings contains a name for each cell. Cells with
// the same name in any of the lists are in one group, as are cells that are connected only through other cells.
func connectedCells(cells []records.Cell, namings ...[]string) []Group {
	names := make([][]string, len(cells))
	for k, list := range namings {
		for i, name := range list {
			names[i] = append(names[i], fmt.Sprint(k, " ", name)) // different lists have no common names
		}
	}
	group := func(indices []int) Group { return Group{Cells: dataset.At(cells, indices)} }
	return stats.Map(stats.Connected(stats.Indices(len(cells)), names), group)
}

// DataName returns the name of a cell's data. This is the source, the fingerprint of the first draw or, if both
// are unknown, the number i.
func (v *View) DataName(c *records.Cell, i int) string {
	if source := v.Sampling[c.ID].Source; source != "" {
		return source
	}
	if len(c.Rows) > 0 && c.Rows[0].Data != "" {
		return c.Rows[0].Data
	}
	return fmt.Sprint(i)
}

// meanLosses returns losses[k], the mean loss of ids[k] in a block. The mean is over the cells in which all
// classifiers ran.
//
// If a loss is missing, the list missing states why, as in "SLB failed".
func (v *View) meanLosses(block *Group, m *Measure, ids []string) (shared Group, losses []float64, missing []string) {
	if m.Baseline != "" {
		ids = slices.Concat([]string{m.Baseline}, ids)
	}
	shared = sharedCells(block, ids)
	if len(shared.Cells) == 0 {
		return shared, nil, v.reasonsNotShared(block, ids)
	}
	pooled := v.PoolFor(&shared, m, ids)
	pooled = pooled.Comparable(m.Metric, ids)
	for _, id := range ids {
		loss := pooled.Summary(m.Metric, id).Mean
		if math.IsNaN(loss) {
			missing = append(missing, v.reasonMissing(&shared, m, id))
		}
		losses = append(losses, loss)
	}
	if m.Baseline != "" {
		baseline := losses[0]
		losses = losses[1:]
		floats.AddConst(-baseline, losses)
	}
	return shared, losses, missing
}

// reasonsNotShared explains why no cell of a block has results of all classifiers in ids.
func (v *View) reasonsNotShared(block *Group, ids []string) (reasons []string) {
	if failed, all := countReplicates(block.Cells, drawFailed); failed == all {
		return []string{"all draws of data failed"}
	}
	for _, id := range ids {
		if tried, _ := block.Attempts(id); tried == 0 {
			reasons = append(reasons, v.Label(id)+" did not run")
		}
	}
	if reasons == nil {
		return []string{"the classifiers ran on different data"}
	}
	return reasons
}

func (v *View) reasonMissing(g *Group, m *Measure, id string) string {
	if _, failed := g.Attempts(id); failed > 0 {
		return v.Label(id) + " failed"
	}
	return v.Label(id) + " has no " + m.Name
}

// maxRemoved is the largest proportion of blocks that ranks may omit because of failed or undefined
// results. Blocks in which no cell has all classifiers are ignored.
const maxRemoved = 0.2

// SelectRanked divides classifiers into three lists:
//   - partial: classifiers that ran on only part of the data of some cell. If fewer than two others would remain,
//     partial is nil, and all classifiers are ranked or unranked.
//   - unranked: classifiers whose failed or undefined results would remove too many blocks (see admit).
//   - ranked: all others.
func (v *View) SelectRanked(cells []records.Cell, m *Measure, ids []string) (ranked, unranked, partial []string) {
	partial = ranOnPartOfCells(cells, ids)
	if len(ids)-len(partial) < 2 {
		partial = nil
	}
	others := Except(ids, partial...)
	blocks := 0
	lost := map[string][]int{} // lost[id]: numbers of the blocks in which id fails or lacks m too often
	for _, block := range v.groupIntoBlocks(cells) {
		shared := sharedCells(&block, others)
		if len(shared.Cells) == 0 {
			continue // no cell has all classifiers
		}
		for _, id := range slices.Concat(v.ExcludedFrom(&shared), v.UndefinedIn(&shared, m, others)) {
			lost[id] = append(lost[id], blocks)
		}
		blocks++
	}
	ranked = admit(others, lost, maxRemoved*float64(blocks))
	return ranked, Except(others, ranked...), partial
}

// admit returns the classifiers to rank. It considers classifiers that remove few blocks first, and admits each one
// unless the admitted ones would together remove more than mostRemoved blocks.
//
// lost[id] lists the blocks that the ranks must omit if they include the classifier id.
func admit(ids []string, lost map[string][]int, mostRemoved float64) []string {
	fewestFirst := slices.Clone(ids)
	slices.SortStableFunc(fewestFirst, func(a, b string) int { return len(lost[a]) - len(lost[b]) })
	removed := map[int]bool{}
	var rejected []string
	for _, id := range fewestFirst {
		together := maps.Clone(removed)
		for _, block := range lost[id] {
			together[block] = true
		}
		if float64(len(together)) <= mostRemoved {
			removed = together
		} else {
			rejected = append(rejected, id)
		}
	}
	return Except(ids, rejected...)
}

// LeftOutSentence returns a sentence on the blocks or cells that BlockLosses omitted. Each element of omitted
// describes one of them, and noun is "block" or "cell".
func LeftOutSentence(omitted []string, noun string) string {
	if len(omitted) == 0 {
		return ""
	}
	blocks := Plural(len(omitted), noun+" is", noun+"s are")
	return fmt.Sprintf(" %s left out, since a result is missing: %s.", blocks, shortList(omitted))
}

// NotRankedSentences returns sentences on the classifiers that SelectRanked does not rank.
func (v *View) NotRankedSentences(unranked, partial []string) (sentences []string) {
	if len(unranked) > 0 {
		sentences = append(sentences, fmt.Sprintf("Not ranked, because their failed or undefined results would remove "+
			"more than a fifth of the blocks: %s.", v.Labels(unranked)))
	}
	if len(partial) > 0 {
		sentences = append(sentences, fmt.Sprintf("Not ranked, since they were not run on all data: %s.",
			v.Labels(partial)))
	}
	return sentences
}
