package chebyshev

import "copse/stats"

// The paper's dual (Eq. 13) seeks label costs nu(x,y) = sum_ij nu_ij(x_i,x_j,y) that
//
//	minimise nu.mu   s.t.   nu(x,y) + nu(x,z) >= 2 [y != z]   for all x, y, z.
//
// The paper replaces the exponentially many constraints by messages delta_ij(x_j,y,z) and
// gamma_ij(y,z) of the linear programming relaxation (Eqs. 20-22). The relaxation is exact if E is
// a tree. The dual of its linear program is
//
//	maximise 2 sum_{y<z} t(y,z) over nonnegative, locally consistent beliefs a_ij(x_i,x_j,y,z)
//	s.t. sum_{z != y} a_ij(x_i,x_j,y,z) <= mu_ij(x_i,x_j,y).
//
// Here t(y,z) is the mass that all tables a_ij(.,.,y,z) share: the part of the population that may
// have label y or label z for the same x. Two simplifications of Eq. 24 are exact, and the solver
// uses them.
//
//   - Pairs y = z need neither messages nor beliefs: their beliefs mu - sum_z a inherit local
//     consistency from mu and a. The remaining costs are nonnegative.
//   - The constraints imply a_ij(.,y,z) <= c_ij = min(mu_ij(.,y), mu_ij(.,z)). So c_ij is the
//     largest price of a violated constraint.
//
// The result is Eq. 24 in fewer unknowns. It is convex, and its only constraints are signs and
// sums:
//
//	minimise Phi(nu, delta, gamma) =
//	  sum_ij [ nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+ ],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z),
//	nu >= 0,  sum_ij gamma_ij = 0,  sum_j delta_ij(x_i,.) = 0 at every feature i.
//
// Every point gives an upper bound on DCC_h, the optimal value, and label costs that attain this bound.
// With two classes, nu = 0 is optimal: the label that is rarer in a cell (x_i,x_j) pays its price, every
// pair of features votes for the more frequent label, and delta moves weight between the votes of the
// pairs.
//
// The solver finds the saddle point of
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij.(u_ij - nu_ij(y) - nu_ij(z)),  0 <= a <= c.
//
// A cell of edge ij is a pair of values (x_i, x_j). problem describes the layout of the unknowns
// x = (delta, gamma, nu) and of the beliefs a in flat slices. With two classes there is no nu.
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

// messages returns the messages for the label pair with index k. deltaI contains one message for each value of
// the first feature, and deltaJ one for each value of the second feature. The slice x has the layout of the
// unknowns (see newProblem), and the results share its memory.
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

// newProblem sets up the saddle-point problem whose solution gives the classifier with the smallest worst-case
// loss for the marginals m: minimise over the unknowns x and maximise over the beliefs a
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij(y,z).(2/|E| + gamma_ij + delta_ij + delta_ji - nu_ij(y) - nu_ij(z)).
//
// The sums run over the edges ij in E and the pairs of labels y < z. All symbols are tables over the cells of
// the edge, which are the pairs of feature values (x_i,x_j). A dot between two tables is the sum of the products
// of their elements. mu are the marginals m.Mu.
//
// The unknowns x are first the messages delta of all edges, then all messages gamma, and then nu. nu are the
// label costs of the classifier, which predicts the label with the smallest total cost. Each constraint
// requires that nu_ij(y) + nu_ij(z) is at least 2/|E| plus the messages. The messages shift this requirement
// from one edge to another, so they sum to zero over the edges (p.zeroSums). With two classes, nu = 0 is
// optimal (see problem), so x contains only messages.
//
// A belief in a is the multiplier of one constraint, from 0 to its element in p.capacity. The step size of an
// unknown is 1/n if L multiplies it by n beliefs. The step size of a belief is 1/n if L multiplies it by n
// unknowns.
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
// step sizes. It also stores the constraints on their sums in p.zeroSums. For each feature value and pair of
// labels, the messages delta of all edges with this feature must sum to zero. For each pair of labels, the
// messages gamma of all edges must sum to zero.
//
// A cell of an edge is a pair of feature values (x_i,x_j). A message delta_ij(x_i,y,z) applies to the d_j cells
// with this x_i. A message delta_ji(x_j,y,z) applies to the d_i cells with this x_j, and gamma_ij(y,z) applies
// to all cells. The step size of a message is 1 / number of these cells (see addBlock).
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

// addBlock reserves a block of s.length messages at the end of the vector x of unknowns. It adds the block to
// the constraint s and returns the index in x of the first message. Each message applies to the given number of
// cells (pairs of feature values) of an edge. Its step size is 1/cells.
func (p *problem) addBlock(s *zeroSum, cells int) (at int) {
	at = addSteps(&p.step, s.length, cells)
	s.blocks = append(s.blocks, at)
	s.steps += p.step[at]
	return at
}

// violations computes how far the label costs nu in x are from meeting the constraints of the problem. There is
// one constraint for each edge, pair of labels y < z, and cell (pair of feature values):
//
//	nu(y) + nu(z) >= u.
//
// nu(y) and nu(z) are the costs of the two labels in the cell, and requiredSums computes u from the messages in x.
// The violation is u - nu(y) - nu(z); it is negative if the costs are larger than necessary. violations stores
// it in out, which has one table over the cells for each edge and pair of labels.
//
// x contains the messages, followed by nu. With two classes, nu is 0 and not stored in x. The violations are
// also the gradient of the Lagrangian L (see problem) with respect to the multipliers of the constraints.
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

// requiredSums computes the least sum of the costs of two labels that one edge ij must contribute. Over all
// edges, the costs of any two labels must sum to at least 2. Without messages, each of the |E| edges contributes
// an equal share, 2/|E|. The messages gamma and delta in x change these shares. They sum to zero over the edges,
// so the total remains 2. In the cell with the feature values x_i and x_j, and for one pair of labels, the edge
// must contribute
//
//	u = 2/|E| + gamma + delta_ij(x_i) + delta_ji(x_j).
//
// requiredSums stores these sums in the slice u, which has one table over the cells for each edge and pair of
// labels. It sets the tables of the given edge only.
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

// gradient sets g to the gradient of the Lagrangian L with respect to the unknowns: the messages delta and
// gamma, and the label costs nu. L is nu.mu plus the sum of belief * (2/|E| + three messages - nu(y) - nu(z))
// over all beliefs (see newProblem). A belief is the multiplier of the constraint on the costs of labels y and
// z in one cell. The slice a contains a table of beliefs over the cells for each edge and pair of labels.
//
// The gradient with respect to the messages consists of the tables' row sums, column sums and totals (see
// messageGradient). The gradient with respect to nu(y) is the marginal mu(y) minus all beliefs about label y.
// With two classes, nu is 0 and not among the unknowns.
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

// messageGradient computes the derivatives of the Lagrangian L with respect to the messages of one edge. It
// stores them in g, where the vector of unknowns contains these messages. For each pair of labels, the slice a
// contains a d_i x d_j table of beliefs, the multipliers in L. A message applies to a row of the table
// (delta_ij), to a column (delta_ji) or to the whole table (gamma). L multiplies it by each belief there, so
// its derivative is the sum of these beliefs.
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

// centre changes the gradient g so that a gradient step keeps the constraints in p.zeroSums. Each constraint
// requires that some blocks of unknowns sum to zero, element by element. A step changes unknown j by a multiple of
// step_j g_j, so the products step_j g_j must also sum to zero over the blocks. For element c of the blocks,
// which begin at the indices b, centre therefore subtracts a weighted mean from each g_(b+c):
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
