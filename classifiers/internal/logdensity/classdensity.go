package logdensity

import (
	"context"
	"slices"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// classDensities are the densities of one class, with the numbers of their
// entries in the feature map.
type classDensities struct {
	train   *dataset.Set  // which keeps what is derived from it; nil: another sample's
	rows    []int         // training rows of the class
	whole   kde.Partition // of them
	columns [][]float64   // their values, variable by variable
	rule    kde.Rule

	// widths are those of point masses, by variable; 0: not known yet, infinite: none.
	widths  []float64
	singles []single
	pairs   []pairEntry
	// hVariable is the bandwidth of each variable in product kernels, 0 where no
	// pair has it.
	hVariable []float64
	sums      *kde.ProductSums // nil without pairs and where they are summed one by one
	leftOut   int              // where sums has several parts: the fold that is not among them
}

// A single is the density of one variable.
type single struct {
	entry, j int
	density  *kde.Density
}

// A pairEntry is the density of two variables.
type pairEntry struct {
	entry int
	kde.Pair
	key bandwidthKey
	h   kde.H2 // unless the kernel is a product
}

// add chooses the bandwidth of entry number k.
func (c *classDensities) add(ctx context.Context, k int, e Entry) (err error) {
	key := bandwidthKey{c.rule, e}
	if e.I == e.J {
		width := c.pointMass(e.I)
		density, err := Derived(ctx, c.train, key, func() (*kde.Density, error) {
			if width > 0 {
				return kde.New(c.columns[e.I], width), nil
			}
			return c.rule.Density(c.columns[e.I])
		})
		c.singles = append(c.singles, single{k, e.I, density})
		return err
	}
	p := pairEntry{entry: k, Pair: kde.Pair{I: e.I, J: e.J}, key: key}
	if !c.rule.Product() {
		hi, hj := c.pointMass(e.I), c.pointMass(e.J)
		p.h, err = Derived(ctx, c.train, key, func() (kde.H2, error) { return c.bandwidth2(e, hi, hj) })
	} else {
		for _, j := range []int{e.I, e.J} {
			if err == nil && c.hVariable[j] == 0 {
				if c.hVariable[j] = c.pointMass(j); c.hVariable[j] == 0 {
					c.hVariable[j], err = c.rule.ProductBandwidth(c.columns[j])
				}
			}
		}
	}
	c.pairs = append(c.pairs, p)
	return err
}

// bandwidth2 returns the bandwidth matrix of a pair whose kernel is no product. hi and hj
// are the widths of point masses, 0 for none. With a point mass the variables are
// independent, so the other has its univariate bandwidth.
func (c *classDensities) bandwidth2(e Entry, hi, hj float64) (kde.H2, error) {
	if hi == 0 && hj == 0 {
		return c.rule.Bandwidth2(c.columns[e.I], c.columns[e.J])
	}
	var err error
	if hi == 0 {
		hi, err = c.rule.Bandwidth(c.columns[e.I])
	}
	if hj == 0 {
		hj, err = c.rule.Bandwidth(c.columns[e.J])
	}
	return kde.H2{XX: hi * hi, YY: hj * hj}, err
}

// productSums prepares the bivariate densities for a partition of the rows,
// unless they are summed pair by pair.
func (c *classDensities) productSums(p kde.Partition) *kde.ProductSums {
	if len(c.pairs) == 0 || c.pairwise() {
		return nil
	}
	pairs := make([]kde.Pair, len(c.pairs))
	for q, e := range c.pairs {
		pairs[q] = e.Pair
	}
	return kde.ProductPairs(c.columns, c.hVariable, pairs, p)
}

// selected returns the densities of the entries that have a number, renumbered;
// others have -1.
func (c *classDensities) selected(number []int) classDensities {
	s := classDensities{
		train:     c.train,
		rows:      c.rows,
		whole:     c.whole,
		columns:   c.columns,
		rule:      c.rule,
		widths:    c.widths,
		hVariable: c.hVariable,
	}
	for _, e := range c.singles {
		if k := number[e.entry]; k >= 0 {
			e.entry = k
			s.singles = append(s.singles, e)
		}
	}
	for _, e := range c.pairs {
		if k := number[e.entry]; k >= 0 {
			e.entry = k
			s.pairs = append(s.pairs, e)
		}
	}
	s.sums = s.productSums(s.whole)
	return s
}

// evaluate writes the class's densities at point r to out[r], in the columns of their
// entries. It leaves out pairs that are summed one by one (pairwise).
func (c *classDensities) evaluate(points, out [][]float64, m *scratch) {
	for _, e := range c.singles {
		e.density.AtAll(m.densities(e.j, points))
		m.scatter(e.entry, out)
	}
	if c.sums == nil {
		return
	}
	m.places = m.places[:0]
	for q, e := range c.pairs {
		m.places = append(m.places, place{e.entry, c.sums.Place(q), c.sums.Norm(q) / float64(len(c.rows))})
	}
	for r, x := range points { // one by one, so that the sums stay in the second-level cache
		sums, row := c.kernelSums(x, m), out[r]
		for _, p := range m.places {
			row[p.entry] = sums[p.at] * p.norm
		}
	}
}

// kernelSums returns the pairs' kernel sums over all parts at a point, valid until m is
// used again.
func (c *classDensities) kernelSums(x []float64, m *scratch) []float64 {
	parts := c.sums.SumsAt(&m.product, x)
	if len(parts) == 1 {
		return parts[0]
	}
	return addFolds(parts, c.leftOut)
}

// A place is where the density of a pair goes, where its kernel sum is, and what that
// is multiplied with.
type place struct {
	entry, at int
	norm      float64
}

// peaks calls f with each entry's largest kernel value and the product of its
// variables' standard deviations in the class. A point mass counts with its width, any
// other constant variable with 1.
func (c *classDensities) peaks(f func(entry int, peak, scale float64)) {
	scale := make([]float64, len(c.columns))
	sd := func(j int) float64 {
		if scale[j] == 0 {
			if scale[j] = kde.StdDev(c.columns[j]); scale[j] == 0 {
				if scale[j] = c.pointMass(j); scale[j] == 0 {
					scale[j] = 1
				}
			}
		}
		return scale[j]
	}
	for _, s := range c.singles {
		f(s.entry, s.density.Peak(), sd(s.j))
	}
	for _, p := range c.pairs {
		f(p.entry, c.bandwidth(p).Peak(), sd(p.I)*sd(p.J))
	}
}

// tail returns the log density of an entry at x, right however far x is from the
// class.
func (c *classDensities) tail(entry int, x []float64) float64 {
	for _, s := range c.singles {
		if s.entry == entry {
			return s.density.Tail(x[s.j])
		}
	}
	p := c.pair(entry)
	return kde.Tail2(c.columns[p.I], c.columns[p.J], c.bandwidth(p), x[p.I], x[p.J])
}

// pair returns the pair of an entry.
func (c *classDensities) pair(entry int) pairEntry {
	return c.pairs[slices.IndexFunc(c.pairs, func(p pairEntry) bool { return p.entry == entry })]
}

// bandwidth returns the bandwidth matrix of a pair.
func (c *classDensities) bandwidth(p pairEntry) kde.H2 {
	if !c.rule.Product() {
		return p.h
	}
	hi, hj := c.hVariable[p.I], c.hVariable[p.J]
	return kde.H2{XX: hi * hi, YY: hj * hj}
}

// scratch is memory that one batch of points leaves to the next.
type scratch struct {
	values  []float64 // of one variable at the points
	density []float64 // at the values
	product kde.ProductMemory
	places  []place
	low     []int // entries below their bound
}

// densities returns room for the densities at the values of variable j, and these.
func (m *scratch) densities(j int, points [][]float64) (density, values []float64) {
	m.values = m.values[:0]
	for _, x := range points {
		m.values = append(m.values, x[j])
	}
	m.density = slices.Grow(m.density[:0], len(points))[:len(points)]
	return m.density, m.values
}

// scatter writes them to an entry of rows.
func (m *scratch) scatter(entry int, rows [][]float64) {
	for r, v := range m.density {
		rows[r][entry] = v
	}
}
