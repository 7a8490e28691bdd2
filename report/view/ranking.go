package view

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

const resamples = 1000

// FirstOverBlocks returns, for each classifier, the proportion of resamples in which it has the smallest
// average rank over blocks. Independent blocks (see BlockKey) are resampled, and replicates within each block.
//
// FirstOverBlocks returns nil if any of these conditions holds:
//   - There is no random source, or the study is a rehearsal.
//   - No block has results of all classifiers.
//   - A block has a single replicate, and blocks are not resampled.
func (v *View) FirstOverBlocks(cells []records.Cell, m *Measure, ids []string) ([]float64, error) {
	losses, err := v.completeBlocks(v.inStudyOrder(cells), m, ids)
	if err != nil || len(losses) == 0 || v.Random == nil || v.Rehearsal {
		return nil, err
	}
	areIndependent := v.BlockKey(cells) != "" // only independent blocks can be resampled
	blocksVary := areIndependent && len(losses) > 1
	hasOneReplicate := func(block [][]float64) bool { return len(block) == 1 }
	if !blocksVary && slices.ContainsFunc(losses, hasOneReplicate) {
		return nil, nil // resamples of a single replicate are all the same
	}
	ranking := stats.Ranking{Losses: losses, ResampleBlocks: areIndependent}
	return ranking.FirstShares(resamples, v.Random("ranks/"+m.RandomStream)), nil
}

// inStudyOrder returns cells in their order in v.Cells. Resamples of the same cells then use the same random
// numbers everywhere.
func (v *View) inStudyOrder(cells []records.Cell) []records.Cell {
	position := map[string]int{}
	for i := range v.Cells {
		position[v.Cells[i].ID] = i
	}
	sorted := slices.Clone(cells)
	slices.SortStableFunc(sorted, func(a, b records.Cell) int { return position[a.ID] - position[b.ID] })
	return sorted
}

// completeBlocks returns losses[b][r][k], the loss of ids[k] in replicate r of block b, as a mean over the cells of
// the block in which all classifiers ran (see replicateLosses).
//
// It omits a block if some classifier has no mean loss there, or if no replicate has results of all
// classifiers.
func (v *View) completeBlocks(cells []records.Cell, m *Measure, ids []string) (losses [][][]float64, err error) {
	blocks := v.groupIntoBlocks(cells)
	for i := range blocks {
		cellsOfAll, _, missing := v.meanLosses(&blocks[i], m, ids)
		if missing != nil {
			continue // a classifier has no result
		}
		ofBlock, err := v.replicateLosses(&cellsOfAll, m, ids)
		if err != nil {
			return nil, err
		}
		if len(ofBlock) > 0 {
			losses = append(losses, ofBlock)
		}
	}
	return losses, nil
}

// replicateLosses returns losses[r][k], the mean loss of ids[k] in replicate r over the cells of g.
//
// If the replicates of different cells cannot be matched, losses[r][k] is the loss of ids[k] in result r of the
// pooled cell.
func (v *View) replicateLosses(g *Group, m *Measure, ids []string) ([][]float64, error) {
	byCell, err := v.lossesByCell(g, m, ids)
	if err != nil {
		return nil, err
	}
	replicates := len(byCell[0])
	hasOtherNumber := func(losses [][]float64) bool { return len(losses) != replicates }
	if replicates == 0 || slices.ContainsFunc(byCell, hasOtherNumber) { // replicates cannot be matched
		pooled := v.PoolFor(g, m, ids)
		return pooled.Common(m.Metric, ids)
	}
	return meanMatrix(byCell), nil
}

// lossesByCell returns losses[c][r][k], the loss of ids[k] in replicate r of cell c of g. It omits
// replicates that lack a loss of some classifier or do not occur in all cells.
func (v *View) lossesByCell(g *Group, m *Measure, ids []string) (losses [][][]float64, err error) {
	compared := append(slices.Clone(ids), m.Baseline) // Comparable ignores the baseline ""
	var cells []records.Cell
	for _, c := range v.TreatFailures(g) {
		cells = append(cells, c.Comparable(m.Metric, compared))
	}
	for _, c := range sharedReplicates(cells) {
		ofCell, err := c.Common(m.Metric, ids)
		if err != nil {
			return nil, err
		}
		losses = append(losses, ofCell)
	}
	return losses, nil
}

// sharedReplicates returns the cells with only those replicates that occur in all of them.
func sharedReplicates(cells []records.Cell) []records.Cell {
	shared := cells[0].Replicates
	for _, c := range cells[1:] {
		shared = Without(shared, func(replicate int) bool { return !slices.Contains(c.Replicates, replicate) })
	}
	reduced := slices.Clone(cells)
	for i, c := range cells {
		if len(c.Replicates) > len(shared) {
			isOther := func(r records.Record) bool { return !slices.Contains(shared, r.Replicate) }
			reduced[i] = c.With(Without(c.Rows, isOther))
		}
	}
	return reduced
}

// meanMatrix returns the elementwise mean of matrices of the same size.
func meanMatrix(matrices [][][]float64) [][]float64 {
	mean := make([][]float64, len(matrices[0]))
	for r := range mean {
		mean[r] = make([]float64, len(matrices[0][r]))
		for _, matrix := range matrices {
			floats.AddScaled(mean[r], 1/float64(len(matrices)), matrix[r])
		}
	}
	return mean
}

// FirstIn returns, for each classifier, the proportion of resamples in which it has the smallest mean loss. If
// fits is nil, it resamples the results of a pooled cell. Otherwise, fits contains the predictions by classifier,
// and FirstIn resamples the rows of their single test set.
//
// FirstIn returns nil if any of these conditions holds:
//   - There is no random source, or the study is a rehearsal.
//   - A classifier has no result, or fewer than two results are common to all classifiers.
//   - The results share a test set whose predictions are not stored.
func (v *View) FirstIn(pooled *records.Cell, m *Measure, ids []string, fits verdicts.Fits) ([]float64, error) {
	if v.Random == nil || v.Rehearsal || len(pooled.Rows) == 0 {
		return nil, nil
	}
	rng := v.Random("first/" + fmt.Sprint(pooled.Rows[0].Levels))
	if fits != nil {
		if slices.ContainsFunc(ids, func(id string) bool { return fits[id] == nil }) {
			return nil, nil // a classifier has no result
		}
		return fits.FirstShares(m.Metric, pooled.Rows[0].Confusion.Classes(), ids, resamples, rng), nil
	}
	losses, err := pooled.Common(m.Metric, ids) // losses[r][k]: loss of ids[k] in common result r
	if err != nil {
		return nil, err
	}
	lacksPredictions := v.Sampling[pooled.ID].OneTestSet // fits is nil
	if len(losses) < 2 || lacksPredictions {
		return nil, nil
	}
	ranking := stats.Ranking{Losses: [][][]float64{losses}} // a single block
	return ranking.FirstShares(resamples, rng), nil
}

// StabilitySentence returns a sentence on how often each classifier ranks first, or "" if
// FirstOverBlocks returns nil:
//
//	"Share of 1000 resamples of the blocks and their replicates in which a classifier has the
//	best average rank: RF (61%), SLB (39%)."
func (v *View) StabilitySentence(cells []records.Cell, m *Measure, ids []string) (string, error) {
	shares, err := v.FirstOverBlocks(cells, m, ids)
	if err != nil || shares == nil {
		return "", err
	}
	var first []string
	for k, id := range ids {
		if shares[k] == 0 {
			continue
		}
		share := fmt.Sprintf("%.0f%%", 100*shares[k])
		if share == "0%" {
			share = "<1%"
		}
		first = append(first, fmt.Sprintf("%s (%s)", v.Label(id), share))
	}
	resampled, remark := v.resampledWords(cells)
	return fmt.Sprintf("Share of %d resamples of the %s in which a classifier has the best average rank: %s.%s",
		resamples, resampled, strings.Join(first, ", "), remark), nil
}

// resampledWords names the results that FirstOverBlocks resamples, such as "replicates of each cell". The
// remark warns of dependent replicates, if any.
func (v *View) resampledWords(cells []records.Cell) (resampled, remark string) {
	if v.BlockKey(cells) != "" {
		return "blocks and their replicates", ""
	}
	resampled = "replicates of each cell"
	hasOneTestSet := func(c records.Cell) bool { return v.Sampling[c.ID].OneTestSet }
	sharesRows := func(c records.Cell) bool { return v.Sampling[c.ID].TestRatio > 0 }
	switch {
	case slices.ContainsFunc(cells, hasOneTestSet):
		remark = " Fits on one test set are dependent, so these percentages are too close to 0 or 100%."
	case slices.ContainsFunc(cells, sharesRows):
		remark = " Folds share rows and are dependent, so these percentages are too close to 0 or 100%."
	}
	return resampled, remark
}

// BlocksSentence describes the blocks of average ranks: "Average ranks are over 16 blocks; a block contains the
// cells with the same generator or data set."
func (v *View) BlocksSentence(cells []records.Cell, blocks int) string {
	text := "Average ranks are over " + v.BlockWords(cells, blocks)
	key := v.BlockKey(cells)
	if key == "" {
		return text + ". All cells have the same generator or data set, so they are not independent blocks."
	}
	text += "; a block contains the cells with the same " + key + "."
	if v.joinsBlocks(cells) {
		text += " Cells on the same data count as one."
	}
	return text
}

// BlockWords returns the number of blocks with a noun, such as "9 blocks". If the blocks are not
// independent, the noun is "data set", "groups of paired cells" or "cells" instead.
func (v *View) BlockWords(cells []records.Cell, blocks int) string {
	switch {
	case v.BlockKey(cells) != "":
		return Plural(blocks, "block", "blocks")
	case blocks == 1 && v.PoolsOneDataSet(Group{Cells: cells}):
		return "1 data set"
	case len(v.groupIntoBlocks(cells)) < len(cells):
		return Plural(blocks, "group", "groups") + " of paired cells"
	}
	return Plural(blocks, "cell", "cells")
}
