package boosting

import "copse/classifiers/internal/decisiontree"

// A split sends row i to the left if codes[column][i] <= bin (see Bins).
type split struct {
	column, bin int
	gain        float64
	left        sums // sums over the left part
}

// sums contains the sums of the derivatives over some rows, and the number of rows. The sums are
// integers, so they do not depend on the order of the rows.
type sums struct {
	gradient, hessian int64
	rows              int64
}

func (c *sums) add(o sums) {
	c.gradient += o.gradient
	c.hessian += o.hessian
	c.rows += o.rows
}

func (c *sums) subtract(o sums) {
	c.gradient -= o.gradient
	c.hessian -= o.hessian
	c.rows -= o.rows
}

// gain returns G^2 / (H + l2), where G and H are the sums in c of the first and second derivatives.
// This is twice the decrease in the second-order loss when these rows get their best constant.
func (g *grower) gain(c *sums) float64 {
	gradient, hessian := float64(c.gradient)*g.unit, float64(c.hessian)*g.unit
	return gradient * gradient / (hessian + g.L2)
}

// An openNode is a leaf that may still be split.
type openNode struct {
	node      int // index of the node in the tree
	depth     int
	from, to  int    // the rows of the node are grower.rows[from:to]
	sum       sums   // sums over the rows of the node
	histogram []sums // element j*maxBins+b belongs to bin b of column j; nil if not computed
	best      split  // best split; its gain is 0 if no split is allowed
}

// A grower grows trees one after another on the same training set.
type grower struct {
	Options
	bins              *Bins
	unit              float64  // unit of gradients and second derivatives
	gradient, hessian []int64  // first and second derivatives of the rows, in units
	nodeDerivatives   []sums   // scratch: derivatives of the rows of one node, stored contiguously
	rows, scratch     []int32  // the row numbers, ordered by node; scratch for partitions
	free              [][]sums // histograms that can be reused
	columns           []int    // the columns that are not constant
}

// newGrower returns a grower for the binned training set. The gradients and second derivatives
// (hessian) of the rows are integer multiples of a unit, so their sums are exact.
func newGrower(bins *Bins, o Options) *grower {
	g := &grower{
		Options:         o,
		bins:            bins,
		unit:            gradientUnit(bins.n, o.Weights),
		gradient:        make([]int64, bins.n),
		hessian:         make([]int64, bins.n),
		nodeDerivatives: make([]sums, bins.n),
		rows:            make([]int32, bins.n),
		scratch:         make([]int32, bins.n),
	}
	for j, cuts := range bins.cuts {
		isConstant := len(cuts) == 0
		if !isConstant {
			g.columns = append(g.columns, j)
		}
	}
	return g
}

// grow grows a tree for the current derivatives by splitting the leaf with the largest gain, up to
// g.Leaves leaves. It adds the value of the tree at row i to f[i].
func (g *grower) grow(f []float64) decisiontree.Tree {
	tree := decisiontree.New(g.Leaves)
	leaves := []openNode{g.root()}
	for len(leaves) < g.Leaves {
		best := mostGain(leaves)
		if best < 0 {
			break // no split has a positive gain
		}
		isLast := len(leaves)+1 == g.Leaves // the new leaves then need no best splits
		left, right := g.splitNode(&tree, &leaves[best], isLast)
		leaves[best] = left
		leaves = append(leaves, right)
	}
	for _, leaf := range leaves {
		value := g.value(leaf.sum)
		tree.SetLeaf(leaf.node, value)
		for _, i := range g.rows[leaf.from:leaf.to] {
			f[i] += value
		}
		g.release(leaf.histogram)
	}
	return tree
}

func (g *grower) root() openNode {
	root := openNode{from: 0, to: g.bins.n}
	for i := range g.rows {
		g.rows[i] = int32(i)
		root.sum.add(sums{gradient: g.gradient[i], hessian: g.hessian[i], rows: 1})
	}
	if g.splittable(&root) {
		root.histogram = g.histogram(root.from, root.to)
		g.findBestSplit(&root)
	}
	return root
}

// mostGain returns the index of the first node whose best split has the largest gain. It returns -1
// if no node can be split.
func mostGain(nodes []openNode) int {
	best, most := -1, 0.0
	for k := range nodes {
		if gain := nodes[k].best.gain; gain > most {
			best, most = k, gain
		}
	}
	return best
}

// value returns the value of a leaf, -rate G/(H + l2).
func (g *grower) value(sum sums) float64 {
	return -g.Rate * float64(sum.gradient) * g.unit / (float64(sum.hessian)*g.unit + g.L2 + tiny)
}

// splittable reports whether node o has enough rows for two leaves and a depth below the limit.
func (g *grower) splittable(o *openNode) bool {
	return o.sum.rows >= 2*int64(g.MinRows) && (g.Depth == 0 || o.depth < g.Depth)
}

// splitNode applies the best split of node o and returns both parts, with their histograms and best
// splits. It does not compute these if this is the last split of the tree (isLast), or if neither
// part can be split. The caller must release the histograms, which may be nil.
func (g *grower) splitNode(tree *decisiontree.Tree, o *openNode, isLast bool) (left, right openNode) {
	s := o.best
	child := tree.Split(o.node, s.column, g.bins.cuts[s.column][s.bin]) // the children are child and child+1
	// Reorder the rows of the node: those for the left part first, up to the index middle.
	middle := o.from + decisiontree.Partition(g.rows[o.from:o.to], g.scratch, g.bins.codes[s.column], uint8(s.bin))
	left = openNode{node: child, depth: o.depth + 1, from: o.from, to: middle, sum: s.left}
	right = openNode{node: child + 1, depth: o.depth + 1, from: middle, to: o.to, sum: o.sum}
	right.sum.subtract(s.left)
	small, large := &left, &right
	if left.sum.rows > right.sum.rows {
		small, large = large, small
	}
	// If the larger part cannot be split, neither can the smaller one: it is as deep and does not
	// have more rows.
	if isLast || !g.splittable(large) {
		g.release(o.histogram)
	} else {
		g.findBothSplits(o.histogram, small, large)
	}
	return left, right
}

// findBothSplits sets the histograms and the best splits of both parts of a node. The argument
// histogram is the node's histogram, whose memory passes to the larger part.
func (g *grower) findBothSplits(histogram []sums, small, large *openNode) {
	// Compute the histogram of the smaller part even if this part cannot be split, and subtract this
	// histogram from the node's histogram.
	part := g.histogram(small.from, small.to)
	for _, j := range g.columns {
		for b := j * maxBins; b <= j*maxBins+len(g.bins.cuts[j]); b++ {
			histogram[b].subtract(part[b])
		}
	}
	small.histogram, large.histogram = part, histogram
	g.findBestSplit(large)
	if g.splittable(small) {
		g.findBestSplit(small)
	}
}

// histogram returns the sums of the derivatives of the rows g.rows[from:to]. Element j*maxBins+b is
// the sum over the rows in bin b of column j. The elements of constant columns are undefined.
func (g *grower) histogram(from, to int) []sums {
	rows, derivatives := g.rows[from:to], g.nodeDerivatives[:to-from]
	// Copy the derivatives into the order of rows, so that the loop over columns reads them in sequence.
	for p, i := range rows {
		derivatives[p] = sums{gradient: g.gradient[i], hessian: g.hessian[i], rows: 1}
	}
	histogram := g.reuse()
	for _, j := range g.columns {
		// As an array of maxBins elements, binSums needs no bounds checks: a bin is a uint8.
		binSums := (*[maxBins]sums)(histogram[j*maxBins:])
		usedBins := len(g.bins.cuts[j]) + 1 // cuts separate the bins
		clear(binSums[:usedBins])
		binOfRow := g.bins.codes[j]
		for p, i := range rows {
			binSums[binOfRow[i]].add(derivatives[p])
		}
	}
	return histogram
}

// reuse returns memory for a histogram, with arbitrary values. It prefers the memory of a released
// histogram.
func (g *grower) reuse() []sums {
	last := len(g.free) - 1
	if last < 0 {
		return make([]sums, len(g.bins.cuts)*maxBins)
	}
	histogram := g.free[last]
	g.free = g.free[:last]
	return histogram
}

// release marks a histogram as free for reuse. It does nothing for nil.
func (g *grower) release(histogram []sums) {
	if histogram != nil {
		g.free = append(g.free, histogram)
	}
}

// findBestSplit sets o.best to the split of node o with the largest gain. Ties go to the first
// column and the smallest bin. Without a positive gain, o.best stays unchanged.
func (g *grower) findBestSplit(o *openNode) {
	parent := g.gain(&o.sum)
	leastHessian := g.fixed(minHessian) // smallest allowed sum of second derivatives, in multiples of g.unit
	for _, j := range g.columns {
		var left sums // sums over the bins up to b
		// A split at the last bin would send all rows to the left.
		bins := o.histogram[j*maxBins:][:len(g.bins.cuts[j])]
		for b, c := range bins {
			if c.rows == 0 {
				continue // the split is the same as the previous one
			}
			left.add(c)
			if left.rows < int64(g.MinRows) || left.hessian < leastHessian {
				continue // a larger b may leave enough rows on the left
			}
			right := o.sum
			right.subtract(left)
			if right.rows < int64(g.MinRows) || right.hessian < leastHessian {
				break // a larger b leaves even less on the right
			}
			if gain := g.gain(&left) + g.gain(&right) - parent; gain > o.best.gain {
				o.best = split{j, b, gain, left}
			}
		}
	}
}
