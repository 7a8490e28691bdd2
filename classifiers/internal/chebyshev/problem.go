package chebyshev

import "copse/stats"

// The paper's dual (Eq. 13) seeks label costs nu(x,y) = sum_ij nu_ij(x_i,x_j,y) that
//
//	minimise nu.mu   s.t.   nu(x,y) + nu(x,z) >= 2 [y != z]   for all x, y, z.
//
// The linear programming relaxation of Eqs. 20-22 is exact if the edges E form a tree. It replaces the
// exponentially many constraints by messages delta_ij(x_j,y,z) and gamma_ij(y,z), which pairs y = z do not
// need: their beliefs mu - sum_z a inherit local consistency from mu and a. This gives Eq. 24 in fewer
// unknowns:
//
//	minimise Phi(nu, delta, gamma) =
//	  sum_ij [ nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+ ],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z),
//	nu >= 0,  sum_ij gamma_ij = 0,  sum_j delta_ij(x_i,.) = 0 at every feature i.
//
// Here c_ij = min(mu_ij(.,y), mu_ij(.,z)) is the largest price of a violated constraint. It bounds the beliefs,
// because sum_{z != y} a_ij(.,y,z) <= mu_ij(.,y). Every point gives an upper bound on DCC_h, the optimal value.
// With two classes, nu = 0 is optimal: the label that is rarer in a cell (x_i,x_j) pays its price.
//
// The solver finds the saddle point of
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij.(u_ij - nu_ij(y) - nu_ij(z)),  0 <= a <= c.
//
// The belief a_ij(x_i,x_j,y,z) is the mass of a part of the population that may have label y or label z for
// the same x.
//
// A cell of edge ij is a pair of values (x_i, x_j). problem describes the layout of the unknowns x = (delta,
// gamma, nu) and of the beliefs a in flat slices. With two classes there is no nu.
type problem struct {
	*Marginals
	labelPairs [][2]int      // all pairs of labels y < z
	edges      []*edgeLayout // positions of the messages and beliefs of each edge
	nuStart    int           // nu begins at x[nuStart], in the layout of Mu
	capacity   []float64     // c, in the layout of a
	twoOverE   float64       // 2/|E|
	step       []float64     // step size of each unknown: 1 / number of entries in its column of L's matrix
	beliefStep float64       // step size of each belief: 1 / number of entries in its row
	zeroSums   []zeroSum     // sums of messages that must remain zero
	mean       []float64     // scratch memory of centre
}

// An edgeLayout describes where the messages and the beliefs of edge ij are stored. There are messages and
// beliefs for each pair of labels y < z.
type edgeLayout struct {
	di, dj  int // numbers of values of both features
	deltaI  int // delta_ij begins at x[deltaI]: d_i messages for each pair of labels
	deltaJ  int // delta_ji begins at x[deltaJ]: d_j messages for each pair of labels
	gamma   int // gamma_ij begins at x[gamma]: one message for each pair of labels
	beliefs int // a_ij begins at a[beliefs]: a d_i x d_j table for each pair of labels
}

// messages returns the messages for the label pair with index k: one for each value of the first feature and
// of the second. x has the layout of the unknowns (see newProblem), and the results share its memory.
func (l *edgeLayout) messages(x []float64, k int) (deltaI, deltaJ []float64) {
	return x[l.deltaI+k*l.di:][:l.di], x[l.deltaJ+k*l.dj:][:l.dj]
}

// table returns the d_i x d_j table of the label pair with index k. The slice a is laid out like the beliefs,
// and the table shares its memory.
func (l *edgeLayout) table(a []float64, k int) []float64 {
	size := l.di * l.dj
	return a[l.beliefs+k*size:][:size]
}

// A zeroSum is a constraint on some blocks of messages: the sum of the blocks, element by element, must be zero.
// All blocks have the same length. All messages within one block have the same step size.
type zeroSum struct {
	length int     // number of messages in each block
	blocks []int   // indices in x at which the blocks begin
	steps  float64 // sum of the step sizes of the blocks
}

// newProblem sets up the saddle-point problem for the classifier with the smallest worst-case loss for the
// marginals m: minimise over the unknowns x and maximise over the beliefs a
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij(y,z).(2/|E| + gamma_ij + delta_ij + delta_ji - nu_ij(y) - nu_ij(z)).
//
// All symbols are tables over the cells (x_i,x_j) of the edge ij in E, and a dot is the scalar product. The
// unknowns x are first all messages delta, then all gamma, and then the label costs nu (none with two
// classes). A belief is between 0 and its element in p.capacity.
func newProblem(m *Marginals) *problem {
	p := &problem{Marginals: m, labelPairs: stats.Pairs(m.Classes), twoOverE: 2 / float64(len(m.Pairs))}
	p.addMessages()                     // sets edges, zeroSums and the step sizes of the messages
	p.addBeliefs()                      // sets capacity
	p.nuStart = len(p.step)             // after all messages
	p.mean = make([]float64, p.nuStart) // scratch memory of centre
	p.beliefStep = 1. / 3               // gamma and two messages delta
	if m.Classes > 2 {
		addSteps(&p.step, len(m.Mu), m.Classes-1) // each label is in a pair with every other label
		p.beliefStep = 1. / 5                     // also nu(y) and nu(z)
	}
	return p
}

// addMessages sets the places of each edge's messages delta and gamma in the vector x of unknowns, and their
// step sizes, 1 / number of cells (x_i,x_j) of the edge to which a message applies.
//
// It also stores the constraints on their sums in p.zeroSums. For each feature value and pair of labels, the
// messages delta of all edges sum to zero. For each pair of labels, so do the messages gamma.
func (p *problem) addMessages() {
	// deltaSums[i] is the constraint on the messages delta about feature i. It contains one block of messages for
	// each edge with this feature. The loop over the edges below adds the blocks.
	deltaSums := make([]zeroSum, len(p.Levels))
	for i, d := range p.Levels {
		deltaSums[i].length = len(p.labelPairs) * d // one message for each pair of labels and value of feature i
	}
	for e, pair := range p.Pairs {
		di, dj := p.dims(e)
		deltaI, deltaJ := p.addBlock(&deltaSums[pair.I], dj), p.addBlock(&deltaSums[pair.J], di)
		p.edges = append(p.edges, &edgeLayout{di: di, dj: dj, deltaI: deltaI, deltaJ: deltaJ})
	}
	gammaSum := zeroSum{length: len(p.labelPairs)} // the constraint on the messages gamma of all edges
	for _, edge := range p.edges {
		edge.gamma = p.addBlock(&gammaSum, edge.di*edge.dj)
	}
	for _, s := range append(deltaSums, gammaSum) {
		if len(s.blocks) > 0 { // else it is the constraint of a feature without edges
			p.zeroSums = append(p.zeroSums, s)
		}
	}
}

// addBeliefs sets edge.beliefs, the index of the edge's first belief in the vector of all beliefs. It also
// computes p.capacity, the largest allowed value of each belief.
func (p *problem) addBeliefs() {
	for e, edge := range p.edges {
		edge.beliefs = len(p.capacity)
		p.capacity = append(p.capacity, make([]float64, len(p.labelPairs)*p.size(e))...)
		for k, labels := range p.labelPairs {
			p.sharedMass(e, labels, edge.table(p.capacity, k))
		}
	}
}

// addBlock reserves s.length messages at the end of the vector x of unknowns, adds them to the constraint s,
// and returns the index of the first. Each message applies to the given number of cells of an edge.
func (p *problem) addBlock(s *zeroSum, cells int) (at int) {
	at = addSteps(&p.step, s.length, cells)
	s.blocks = append(s.blocks, at)
	s.steps += p.step[at]
	return at
}

// violations stores in out by how much x violates each constraint nu(y) + nu(z) >= u: u - nu(y) - nu(z). A negative
// number means that the constraint holds with room to spare. There is a constraint for each edge, pair of labels
// y < z, and cell, in this order. A cell is a pair of values of the two features of the edge.
//
// nu(y) is the cost of label y in the cell. u is the sum that the costs must reach (see problem). x contains the
// messages, which determine u, and then the label costs nu.
func (p *problem) violations(x, out []float64) {
	for _, edge := range p.edges {
		p.requiredSums(edge, x, out) // sets out to u
	}
	if p.Classes == 2 {
		return // nu is 0
	}
	nu := x[p.nuStart:] // for each edge and label, a table over the cells
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			table := edge.table(out, k)              // contains u so far
			nuY, nuZ := p.labelTables(nu, e, labels) // tables of the same layout
			for c, v := range nuY {
				table[c] -= v + nuZ[c]
			}
		}
	}
}

// requiredSums sets the tables of one edge ij in u to the least sum of the costs of two labels that this edge
// must contribute. In the cell with the feature values x_i and x_j, and for one pair of labels, it is
//
//	u = 2/|E| + gamma + delta_ij(x_i) + delta_ji(x_j).
//
// The messages gamma and delta in x sum to zero over the |E| edges, so the total remains 2.
func (p *problem) requiredSums(edge *edgeLayout, x, u []float64) {
	gamma := x[edge.gamma:] // one message for each pair of labels
	for k := range p.labelPairs {
		deltaI, deltaJ := edge.messages(x, k)
		table := edge.table(u, k)
		base := p.twoOverE + gamma[k]
		for r, messageI := range deltaI { // row r of the table has the r-th value of x_i
			row := table[r*len(deltaJ):][:len(deltaJ)]
			sum := base + messageI
			for c, messageJ := range deltaJ {
				row[c] = sum + messageJ
			}
		}
	}
}

// gradient sets g to the gradient of the Lagrangian L (see newProblem) with respect to the unknowns: the
// messages delta and gamma, and the label costs nu. a contains a table of beliefs over the cells for each
// edge and pair of labels.
func (p *problem) gradient(a, g []float64) {
	for _, edge := range p.edges {
		p.messageGradient(edge, a, g)
	}
	if p.Classes == 2 {
		return // nu is not among the unknowns
	}
	inCosts := g[p.nuStart:] // the gradient with respect to nu: for each edge and label, a table, as in Mu
	copy(inCosts, p.Mu)
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			inCostsY, inCostsZ := p.labelTables(inCosts, e, labels) // parts of inCosts
			for c, belief := range edge.table(a, k) {
				inCostsY[c] -= belief
				inCostsZ[c] -= belief
			}
		}
	}
}

// messageGradient sets the derivatives in g of the Lagrangian L with respect to the messages of one edge. L
// multiplies a message by a row, a column or the whole of a table of beliefs in a, so its derivative is their
// sum.
func (p *problem) messageGradient(edge *edgeLayout, a, g []float64) {
	totals := g[edge.gamma:] // one total for each pair of labels
	for k := range p.labelPairs {
		rowSums, columnSums := edge.messages(g, k) // parts of g
		table := edge.table(a, k)
		clear(columnSums)
		total := 0.0
		for r := range rowSums {
			sum := 0.0
			for c, belief := range table[r*len(columnSums):][:len(columnSums)] {
				columnSums[c] += belief
				sum += belief
			}
			rowSums[r] = sum
			total += sum
		}
		totals[k] = total
	}
}

// centre changes the gradient g so that steps step_j g_j keep the constraints in p.zeroSums: that some blocks
// of unknowns sum to zero, element by element. From element c of each block with start b, centre subtracts
//
//	mean_c = sum_b step_b g_(b+c) / sum_b step_b.
func (p *problem) centre(g []float64) {
	for _, s := range p.zeroSums {
		mean := p.mean[:s.length]
		clear(mean)
		for _, at := range s.blocks {
			// All unknowns of the block that begins at index at have the step size p.step[at].
			weight := p.step[at] / s.steps // s.steps is the sum of p.step[at] over all blocks
			for c, v := range g[at:][:len(mean)] {
				mean[c] += weight * v
			}
		}
		for _, at := range s.blocks {
			for c, v := range mean {
				g[at+c] -= v
			}
		}
	}
}
