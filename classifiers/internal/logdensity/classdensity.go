package logdensity

import (
	"context"
	"slices"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// classDensities contains the densities of variables and pairs in one class. Each density has a
// field named entry: its index in Map.Entries, which is also its column in the feature map.
type classDensities struct {
	train   *dataset.Set  // the training set and its cache; nil if a fold of the rows is left out
	rows    []int         // the rows of the class in the training set
	onePart kde.Partition // the partition with all rows of the class in one part
	columns [][]float64   // columns[j][i] is variable j at rows[i]
	rule    estimator     // selects the bandwidths

	// widths contains the results of constantWidth so far.
	widths  map[int]float64
	singles []single
	pairs   []pairEntry
	// hVariable[j] is the bandwidth of variable j in product kernels. It is 0 if no pair contains
	// the variable.
	hVariable []float64
	// kernelSums evaluates all pairs together. It is nil if there are no pairs or if
	// worksPairByPair() is true.
	kernelSums *kde.ProductSums
	leftOut    int // if kernelSums has several parts: the fold that is left out
}

// A single is the density of one variable.
type single struct {
	entry, j int
	density  *kde.Density
}

// A pairEntry is the density of two variables.
type pairEntry struct {
	entry int
	stats.Pair
	key bandwidthKey
	h   kde.H2 // bandwidth matrix; unused for product kernels
}

// addSingle estimates the density of one variable, or takes it from the cache, and appends it to
// c.singles.
func (c *classDensities) addSingle(ctx context.Context, k int, e Entry) error {
	width := c.constantWidth(e.I)
	density, err := Derived(ctx, c.train, bandwidthKey{c.rule, e}, func() (*kde.Density, error) {
		if width > 0 {
			return kde.New(c.columns[e.I], width), nil
		}
		return c.rule.Density(c.columns[e.I])
	})
	c.singles = append(c.singles, single{k, e.I, density})
	return err
}

// addPair selects the bandwidth of a pair and appends the pair to c.pairs.
func (c *classDensities) addPair(ctx context.Context, k int, e Entry) (err error) {
	p := pairEntry{entry: k, Pair: stats.Pair{I: e.I, J: e.J}, key: bandwidthKey{c.rule, e}}
	if c.rule.Product() {
		for _, j := range []int{e.I, e.J} {
			if err = c.setBandwidth(j); err != nil {
				return err
			}
		}
	} else {
		hi, hj := c.constantWidth(e.I), c.constantWidth(e.J)
		p.h, err = Derived(ctx, c.train, p.key, func() (kde.H2, error) { return c.bandwidth2(e, hi, hj) })
	}
	c.pairs = append(c.pairs, p)
	return err
}

// setBandwidth sets c.hVariable[j], unless it is already set.
func (c *classDensities) setBandwidth(j int) (err error) {
	if c.hVariable[j] > 0 {
		return nil
	}
	c.hVariable[j] = c.constantWidth(j)
	if c.hVariable[j] == 0 {
		c.hVariable[j], err = c.rule.ProductBandwidth(c.columns[j])
	}
	return err
}

// bandwidth2 returns the bandwidth matrix of a pair of variables. The arguments hi and hj are the
// results of constantWidth for the two variables.
func (c *classDensities) bandwidth2(e Entry, hi, hj float64) (kde.H2, error) {
	if hi == 0 && hj == 0 {
		return c.rule.Bandwidth2(c.columns[e.I], c.columns[e.J])
	}
	// A constant variable is independent of the other, so the matrix is diagonal.
	var err error
	if hi == 0 {
		hi, err = c.rule.Bandwidth(c.columns[e.I])
	}
	if hj == 0 {
		hj, err = c.rule.Bandwidth(c.columns[e.J])
	}
	return kde.H2{XX: hi * hi, YY: hj * hj}, err
}

// newKernelSums prepares the kernel sums of all pairs, separately over each part of the rows. It
// returns nil if there are no pairs or if worksPairByPair is true.
func (c *classDensities) newKernelSums(p kde.Partition) *kde.ProductSums {
	if len(c.pairs) == 0 || c.worksPairByPair() {
		return nil
	}
	pairs := make([]stats.Pair, len(c.pairs))
	for q, e := range c.pairs {
		pairs[q] = e.Pair
	}
	return kde.ProductPairs(c.columns, c.hVariable, pairs, p)
}

// selected returns the densities of selected entries, which are variables (singles) and pairs. Entry
// k becomes entry newEntry[k] of the result, or is left out if newEntry[k] is -1.
func (c *classDensities) selected(newEntry []int) classDensities {
	s := *c
	s.singles, s.pairs = nil, nil
	for _, density := range c.singles { // copies, so the entries of c do not change
		density.entry = newEntry[density.entry]
		if density.entry >= 0 {
			s.singles = append(s.singles, density)
		}
	}
	for _, pair := range c.pairs {
		pair.entry = newEntry[pair.entry]
		if pair.entry >= 0 {
			s.pairs = append(s.pairs, pair)
		}
	}
	s.kernelSums = s.newKernelSums(s.onePart) // of the selected pairs, over all rows of the class
	return s
}

// evaluateBatch sets out[r][entry] to the density of each entry of the class at points[r]. It does
// not evaluate pairs if worksPairByPair is true.
func (c *classDensities) evaluateBatch(points, out [][]float64, m *scratch) {
	for _, e := range c.singles {
		e.density.AtAll(m.densities(e.j, points))
		m.scatter(e.entry, out)
	}
	if c.kernelSums != nil {
		c.evaluatePairs(points, out, m)
	}
}

// evaluatePairs sets out[r][e.entry] to the density of each pair e at points[r].
func (c *classDensities) evaluatePairs(points, out [][]float64, m *scratch) {
	m.places = m.places[:0]
	for q, e := range c.pairs {
		m.places = append(m.places, place{e.entry, c.kernelSums.Place(q), c.kernelSums.Norm(q) / float64(len(c.rows))})
	}
	for r, x := range points { // point by point, because the sums of a point fit in the CPU cache
		sums, row := addFolds(c.kernelSums.SumsAt(&m.product, x), c.leftOut), out[r]
		for _, p := range m.places {
			row[p.entry] = sums[p.at] * p.norm
		}
	}
}

// A place contains the index of a pair's kernel sum, the factor that turns it into a density, and
// the column for this density.
type place struct {
	entry int     // column of the density in the feature map
	at    int     // index of the pair's kernel sum
	norm  float64 // factor from the kernel sum to the density
}

// scale returns the standard deviation of variable j in the class. For a constant variable, it
// returns the bandwidth from constantWidth, or 1 if that is 0.
func (c *classDensities) scale(j int) float64 {
	if sd := kde.StdDev(c.columns[j]); sd > 0 {
		return sd
	}
	if width := c.constantWidth(j); width > 0 {
		return width
	}
	return 1
}

// tailLog returns the log density of an entry at point x, even if the density is too small for a
// float64.
func (c *classDensities) tailLog(entry int, x []float64) float64 {
	for _, s := range c.singles {
		if s.entry == entry {
			return s.density.Tail(x[s.j])
		}
	}
	p := c.pair(entry)
	return kde.Tail2(c.columns[p.I], c.columns[p.J], c.bandwidth(p), x[p.I], x[p.J])
}

// pair returns the pair of an entry of the feature map. There must be such a pair.
func (c *classDensities) pair(entry int) pairEntry {
	return c.pairs[slices.IndexFunc(c.pairs, func(p pairEntry) bool { return p.entry == entry })]
}

func (c *classDensities) bandwidth(p pairEntry) kde.H2 {
	if !c.rule.Product() {
		return p.h
	}
	hi, hj := c.hVariable[p.I], c.hVariable[p.J]
	return kde.H2{XX: hi * hi, YY: hj * hj}
}

// scratch is memory that is reused for every batch of points.
type scratch struct {
	values     []float64 // values of one variable at the points
	density    []float64 // densities at these values
	product    kde.ProductMemory
	places     []place
	inaccurate []int // entries with an inaccurate density
}

// densities returns a slice for the densities at the points, and the values of variable j there. The
// caller fills the first slice, and scatter then copies it. The next call overwrites both slices.
func (m *scratch) densities(j int, points [][]float64) (density, values []float64) {
	m.values = m.values[:0]
	for _, x := range points {
		m.values = append(m.values, x[j])
	}
	m.density = stats.Resized(m.density, len(points))
	return m.density, m.values
}

// scatter copies m.density[r], the density at point r, to rows[r][entry].
func (m *scratch) scatter(entry int, rows [][]float64) {
	for r, v := range m.density {
		rows[r][entry] = v
	}
}
