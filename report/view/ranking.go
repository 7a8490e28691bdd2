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

// resamples is the number of resamples that measure how stable a ranking is.
const resamples = 1000

// FirstOverBlocks returns, for each classifier, the share of resamples in which it has the
// smallest average rank over the blocks of some cells. It resamples the replicates of each block
// and, if blocks are independent, also the blocks. It leaves out blocks in which any classifier
// has no result. It returns nil without a random source or without blocks.
func (v *View) FirstOverBlocks(cells []records.Cell, m *Measure, ids []string) ([]float64, error) {
	ranking := stats.Ranking{Drawn: v.BlockFactors(cells) != nil}
	blocks := v.blocks(cells)
	for i := range blocks {
		if _, missing := v.block(&blocks[i], m, ids); missing != nil {
			continue // as in Blocks
		}
		losses, err := v.blockLosses(&blocks[i], m, ids)
		if err != nil {
			return nil, err
		}
		if len(losses) > 0 {
			ranking.Losses = append(ranking.Losses, losses)
		}
	}
	if v.Random == nil || len(ranking.Losses) == 0 {
		return nil, nil
	}
	return ranking.FirstShares(resamples, v.Random("ranks/"+m.Stream))
}

// blockLosses returns the losses of a block: losses[r][k] is the mean loss of classifier ids[k] in
// replicate r over the cells of the block. The cells of one data set have the same rows in fold r,
// so replicates with the same number belong together. If cells have different numbers of
// replicates, it returns the losses of the pooled cell instead.
func (v *View) blockLosses(g *Group, m *Measure, ids []string) ([][]float64, error) {
	cells := v.On(g)
	var means [][]float64
	for i := range cells {
		losses, err := cells[i].Common(m.Metric, ids)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			means = zeros(len(losses), len(ids))
		}
		if len(losses) == 0 || len(losses) != len(means) {
			pooled := v.Pool(g)
			return pooled.Common(m.Metric, ids)
		}
		for r := range losses {
			floats.AddScaled(means[r], 1/float64(len(cells)), losses[r])
		}
	}
	return means, nil
}

// zeros returns a matrix of zeros.
func zeros(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

// FirstIn returns, for each classifier, the share of resamples in which it has the smallest mean
// loss in a pooled cell. It resamples the units that the tests compare: test rows if fits has the
// predictions for one test set, otherwise results. It returns nil without a random source or with
// too few results.
func (v *View) FirstIn(pooled *records.Cell, m *Measure, ids []string, fits verdicts.Fits) ([]float64, error) {
	if v.Random == nil || len(pooled.Rows) == 0 {
		return nil, nil
	}
	rng := v.Random("first/" + fmt.Sprint(pooled.Rows[0].Levels))
	if fits != nil {
		if slices.ContainsFunc(ids, func(id string) bool { return fits[id] == nil }) {
			return nil, nil // a classifier has no result
		}
		return fits.FirstShares(m.Metric, pooled.Rows[0].Confusion.Classes(), ids, resamples, rng)
	}
	losses, err := pooled.Common(m.Metric, ids)
	if err != nil || len(losses) < 2 || v.Sampling[pooled.ID].FixedTest {
		return nil, err
	}
	ranking := stats.Ranking{Losses: [][][]float64{losses}}
	return ranking.FirstShares(resamples, rng)
}

// Stability returns the sentence on how often each classifier has the best average rank in
// resamples: "When the blocks and their replicates are resampled, the best average rank belongs to
// RF in 61%, SLB in 39% of 1000 resamples." It returns "" without a random source.
func (v *View) Stability(cells []records.Cell, m *Measure, ids []string) (string, error) {
	shares, err := v.FirstOverBlocks(cells, m, ids)
	if err != nil || shares == nil {
		return "", err
	}
	resampled := "replicates of each cell"
	if v.BlockFactors(cells) != nil {
		resampled = "blocks and their replicates"
	}
	var first []string
	for k, id := range ids {
		if shares[k] > 0 {
			first = append(first, fmt.Sprintf("%s in %.0f%%", v.Label(id), 100*shares[k]))
		}
	}
	return fmt.Sprintf("When the %s are resampled, the best average rank belongs to %s of %d resamples.",
		resampled, strings.Join(first, ", "), resamples), nil
}

// RankedOver describes the blocks behind average ranks: "Average ranks are over 16 blocks, the
// levels of data set."
func (v *View) RankedOver(cells []records.Cell, blocks int) string {
	var labels []string
	for _, name := range v.BlockFactors(cells) {
		labels = append(labels, v.FactorLabel(name))
	}
	if labels == nil {
		return fmt.Sprintf("Average ranks are over %s, which are not independent blocks: no factor changes "+
			"the generator or data set.", Plural(blocks, "cell", "cells"))
	}
	return fmt.Sprintf("Average ranks are over %s, the levels of %s.", Plural(blocks, "block", "blocks"), And(labels))
}
