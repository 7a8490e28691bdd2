package classifiers

import (
	"fmt"

	"copse/stats/kde"
)

// classDensities are the densities of one class, with the numbers of their
// entries in the feature map.
type classDensities struct {
	rows    []int       // training rows of the class
	columns [][]float64 // their values, variable by variable
	rule    kde.Rule

	singles []single
	pairs   []pairEntry
	// hVariable is the bandwidth of each variable in product kernels, 0 where no
	// pair has it.
	hVariable []float64
	sums      kde.PairSums // nil without pairs and for grids
}

// A single is the density of one variable.
type single struct {
	entry, j int
	h        float64
	density  *kde.Density
}

// A pairEntry is the density of two variables.
type pairEntry struct {
	entry int
	kde.Pair
	h kde.H2 // unless the kernel is a product
}

// add chooses the bandwidth of entry number k.
func (c *classDensities) add(k int, e densityEntry) (err error) {
	x, y := c.columns[e.i], c.columns[e.j]
	if e.i == e.j {
		s := single{entry: k, j: e.i}
		s.h, err = c.rule.Bandwidth(x)
		c.singles = append(c.singles, s)
		return err
	}
	p := pairEntry{entry: k, Pair: kde.Pair{I: e.i, J: e.j}}
	if !c.rule.Product() {
		p.h, err = c.rule.Bandwidth2(x, y)
	} else {
		for _, j := range []int{e.i, e.j} {
			if err == nil && c.hVariable[j] == 0 {
				c.hVariable[j], err = c.rule.ProductBandwidth(c.columns[j])
			}
		}
	}
	c.pairs = append(c.pairs, p)
	return err
}

// build prepares the densities of all rows.
func (c *classDensities) build() {
	for k := range c.singles {
		s := &c.singles[k]
		s.density = kde.New(c.columns[s.j], s.h)
	}
	c.sums = c.pairSums(kde.Whole(len(c.rows)))
}

// pairSums prepares the bivariate densities for a partition of the rows.
func (c *classDensities) pairSums(p kde.Partition) kde.PairSums {
	if len(c.pairs) == 0 || c.gridded() {
		return nil
	}
	pairs, h := make([]kde.Pair, len(c.pairs)), make([]kde.H2, len(c.pairs))
	for q, e := range c.pairs {
		pairs[q], h[q] = e.Pair, e.h
	}
	if c.rule.Product() {
		return kde.ProductPairs(c.columns, c.hVariable, pairs, p)
	}
	return kde.FullPairs(c.columns, h, pairs, p)
}

// selected returns the densities of the entries in keep, renumbered.
func (c *classDensities) selected(keep []int) classDensities {
	number := make(map[int]int, len(keep))
	for k, old := range keep {
		number[old] = k
	}
	s := classDensities{rows: c.rows, columns: c.columns, rule: c.rule, hVariable: c.hVariable}
	for _, e := range c.singles {
		if k, ok := number[e.entry]; ok {
			e.entry = k
			s.singles = append(s.singles, e)
		}
	}
	for _, e := range c.pairs {
		if k, ok := number[e.entry]; ok {
			e.entry = k
			s.pairs = append(s.pairs, e)
		}
	}
	s.sums = s.pairSums(kde.Whole(len(c.rows)))
	return s
}

// gridded reports whether the pairs' densities come from grids, which are made
// pair by pair when they are needed.
func (c *classDensities) gridded() bool { return len(c.rows) >= kde.GridRows }

// evaluate writes the class's densities at each point to the row of out.
func (c *classDensities) evaluate(points, out [][]float64) {
	for _, s := range c.singles {
		for r, x := range points {
			out[r][s.entry] = s.density.At(x[s.j])
		}
	}
	if c.sums == nil {
		return
	}
	sums := newSums(len(points), len(c.pairs))
	c.sums.Sums(points, sums)
	n := float64(len(c.rows))
	for q, e := range c.pairs {
		norm := c.sums.Norm(q) / n
		for r := range points {
			out[r][e.entry] = sums[r][q] * norm
		}
	}
}

func newSums(n, length int) [][]float64 {
	flat, rows := make([]float64, n*length), make([][]float64, n)
	for r := range rows {
		rows[r] = flat[r*length : (r+1)*length]
	}
	return rows
}

// foldedDensities are the densities of one class with each fold left out.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // [fold][single]
	sums      kde.PairSums     // parts are folds; nil without pairs and for grids
	share     []float64        // 1 / rows outside each fold
	partition kde.Partition
}

// fold prepares the densities without each of k folds of the training rows.
func (c *classDensities) fold(fold []int, k int) (*foldedDensities, error) {
	part := make([]int, len(c.rows))
	for i, r := range c.rows {
		part[i] = fold[r]
	}
	p := kde.NewPartition(part, k)
	f := &foldedDensities{classDensities: c, partition: p, sums: c.pairSums(p)}
	for g := range k {
		count := len(c.rows) - p.Count(g)
		if count == 0 {
			return nil, fmt.Errorf("no rows outside fold %d: use fewer folds", g+1)
		}
		f.share = append(f.share, 1/float64(count))
		var densities []*kde.Density
		for _, s := range c.singles {
			var x []float64
			for i, v := range c.columns[s.j] {
				if part[i] != g {
					x = append(x, v)
				}
			}
			densities = append(densities, kde.New(x, s.h))
		}
		f.without = append(f.without, densities)
	}
	return f, nil
}

// evaluate writes the class's densities at each point to the rows of out[0], all
// rows in the densities, and of out[1+g], without fold g.
func (f *foldedDensities) evaluate(points [][]float64, out [][][]float64) {
	for k, s := range f.singles {
		for r, x := range points {
			out[0][r][s.entry] = s.density.At(x[s.j])
			for g := range f.without {
				out[1+g][r][s.entry] = f.without[g][k].At(x[s.j])
			}
		}
	}
	if f.sums == nil {
		return
	}
	folds := len(f.share)
	sums := newSums(len(points), len(f.pairs)*folds)
	f.sums.Sums(points, sums)
	after := make([]float64, folds+1)
	for q, e := range f.pairs {
		norm := f.sums.Norm(q)
		for r := range points {
			f.leaveOut(sums[r][q*folds:(q+1)*folds], after, norm, r, e.entry, out)
		}
	}
}

// leaveOut writes the entry of row r: the density of all rows and, for each
// fold, of the others. parts are the folds' kernel sums, after is scratch.
//
// The other folds' parts are added, not the own part subtracted from the whole:
// a row's own kernel would drown what is left.
func (f *foldedDensities) leaveOut(parts, after []float64, norm float64, r, entry int, out [][][]float64) {
	after[len(parts)] = 0 // after[g] is the sum of the folds from g on
	for g := len(parts) - 1; g >= 0; g-- {
		after[g] = parts[g] + after[g+1]
	}
	out[0][r][entry] = after[0] * norm / float64(len(f.rows))
	before := 0.0
	for g, sum := range parts {
		out[1+g][r][entry] = (before + after[g+1]) * norm * f.share[g]
		before += sum
	}
}
