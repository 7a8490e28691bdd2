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

// resamples is the number of resamples behind the stability of a ranking.
const resamples = 1000

// FirstOverBlocks returns for each classifier the share of resamples in which its average
// rank over the blocks of some cells is the smallest. It resamples the replicates of each
// block and, if blocks are independent, the blocks. Blocks that lack a result of any
// classifier are left out. nil: there is no random source, or nothing to resample.
func (v *View) FirstOverBlocks(cells []records.Cell, m *Measure, ids []string) ([]float64, error) {
	ranking := stats.Ranking{Drawn: v.BlockFactors(cells) != nil}
	groups := v.blocks(cells)
	for i := range groups {
		if _, missing := v.block(&groups[i], m, ids); missing != nil {
			continue
		}
		losses, err := v.blockLosses(&groups[i], m, ids)
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
	return ranking.FirstShares(resamples, v.Random("ranks/"+m.Name))
}

// blockLosses returns the losses of a block, a row for each replicate and a column for each
// classifier. Row r is the mean of replicate r over the cells of the block: cells of one data
// set have the same rows in fold r. Cells with different numbers of replicates cannot be
// matched in this way; they are pooled as for means.
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

// FirstIn returns for each classifier the share of resamples in which its mean loss in a
// pooled cell is the smallest. It resamples what the tests compare: the test rows if there are
// fits on one test set, else the results. nil: there is no random source, or too few results.
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

// Stability states how often each classifier has the best average rank in resamples: "When
// the blocks and their replicates are resampled, the best average rank is that of RF in 61%,
// SLB in 39% of 1000 resamples."; "" without a random source.
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
	return fmt.Sprintf("When the %s are resampled, the best average rank is that of %s of %d resamples.",
		resampled, strings.Join(first, ", "), resamples), nil
}

// RankedOver describes the blocks behind average ranks: "Average ranks are over 16 blocks,
// the levels of data set."
func (v *View) RankedOver(cells []records.Cell, blocks int) string {
	var labels []string
	for _, name := range v.BlockFactors(cells) {
		labels = append(labels, v.FactorLabel(name))
	}
	if labels == nil {
		return fmt.Sprintf("Average ranks are over %s, which are not independent blocks: no factor chooses "+
			"among generators or data sets.", Plural(blocks, "cell", "cells"))
	}
	return fmt.Sprintf("Average ranks are over %s, the levels of %s.", Plural(blocks, "block", "blocks"), And(labels))
}
