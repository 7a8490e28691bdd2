package chebyshev

import (
	"slices"

	"copse/stats"
)

// The paper's dual (Eq. 13) seeks label costs nu(x,y) = sum_ij nu_ij(x_i,x_j,y) that
//
//	minimise nu.mu   s.t.   nu(x,y) + nu(x,z) >= 2   for all x and all labels y != z.
//
// The number of constraints is exponential. The linear programming relaxation of Eqs. 20-22
// replaces them by messages delta_ij(x_j,y,z) and gamma_ij(y,z). It is exact if the edges E form a
// tree. Pairs y = z need no messages. Their beliefs (dual variables) are mu - sum_z a, where a are
// the beliefs of pairs y != z. They are consistent, because mu and a are. This gives Eq. 24 with
// fewer unknowns:
//
//	minimise Phi(nu, delta, gamma) =
//	  sum_ij [ nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+ ],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z),
//	nu >= 0,  sum_ij gamma_ij = 0,  sum_j delta_ij(x_i,.) = 0 at every feature i.
//
// Here c_ij = min(mu_ij(.,y), mu_ij(.,z)) is the price of a violated constraint. It is an upper
// bound of the beliefs, because sum_{z != y} a_ij(.,y,z) <= mu_ij(.,y). Phi at any point is an
// upper bound on its minimum DCC_h. With two classes, nu = 0 is optimal: the label that is rarer in
// a cell (x_i,x_j) pays its price.
//
// The solver finds the saddle point of
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij.(u_ij - nu_ij(y) - nu_ij(z)),  0 <= a <= c.
//
// The belief a_ij(x_i,x_j,y,z) is the mass of a part of the population in which the same x may have
// either label y or label z.
//
// The type problem describes how the unknowns x = (delta, gamma, nu) and the beliefs a are stored.
// The unknowns are all messages delta, then all messages gamma, and then the label costs nu (none
// with two classes).
type problem struct {
	*Marginals
	labelPairs  []stats.Pair  // all pairs of labels y < z
	edges       []*edgeLayout // positions of the messages and beliefs of each edge
	nuStart     int           // nu begins at x[nuStart], in the layout of Mu
	maxBelief   []float64     // c, the largest possible beliefs, in the layout of a
	twoOverE    float64       // 2/|E|
	step        []float64     // step size of each unknown: 1 / number of entries in its column of L's matrix
	beliefStep  float64       // step size of each belief: 1 / number of entries in its row
	zeroSums    []zeroSum     // sums of messages that must remain zero
	scratchMean []float64     // scratch memory of centre
}

// An edgeLayout contains the positions of the messages and beliefs of one edge ij.
type edgeLayout struct {
	di, dj      int // numbers of values of both features
	deltaStartI int // delta_ij begins at x[deltaStartI]: d_i messages for each pair of labels
	deltaStartJ int // delta_ji begins at x[deltaStartJ]: d_j messages for each pair of labels
	gammaStart  int // gamma_ij begins at x[gammaStart]: one message for each pair of labels
	beliefStart int // a_ij begins at a[beliefStart]: a d_i x d_j table for each pair of labels
}

// messages returns the messages delta_ij and delta_ji for label pair k, which are parts of the
// unknowns x.
func (l *edgeLayout) messages(x []float64, k int) (deltaI, deltaJ []float64) {
	return x[l.deltaStartI+k*l.di:][:l.di], x[l.deltaStartJ+k*l.dj:][:l.dj]
}

// table returns the table of label pair k in the vector a, with di rows and dj columns. The vector has
// one element for each belief.
func (l *edgeLayout) table(a []float64, k int) []float64 {
	size := l.di * l.dj
	return a[l.beliefStart+k*size:][:size]
}

// A zeroSum requires that several blocks of messages sum to zero, element by element. All blocks
// have the same length. The messages of a block have the same step size.
type zeroSum struct {
	blockLength int     // number of messages in each block
	blocks      []int   // indices in x at which the blocks begin
	totalStep   float64 // sum of the step sizes of the blocks
}

// newProblem sets up the saddle-point problem for the marginals m. Its unknowns are the messages
// delta and gamma and, with more than two classes, the label costs nu. With two classes, nu = 0 is
// optimal.
//
// There is a constraint for each edge ij in E, cell (x_i,x_j) and pair of labels y < z. The belief is
// its multiplier, and its violation is
//
//	2/|E| + gamma_ij + delta_ij + delta_ji - nu_ij(y) - nu_ij(z).
//
// L is nu.mu plus the sum of belief * violation over all constraints. The step size of an unknown is
// 1 / number of violations that contain it. The step size of a belief is 1 / number of unknowns in
// its violation.
func newProblem(m *Marginals) *problem {
	p := &problem{Marginals: m, labelPairs: stats.Pairs(m.Classes), twoOverE: 2 / float64(len(m.Pairs))}
	p.addDeltas()
	p.addGammas()
	p.addBeliefs()
	p.nuStart = len(p.step)                    // the messages precede nu
	p.scratchMean = make([]float64, p.nuStart) // long enough for any block of messages
	inViolation := 3                           // unknowns in a violation: gamma_ij, delta_ij and delta_ji
	if p.hasCosts() {
		otherLabels := m.Classes - 1 // each of them forms a pair with the label of a cost
		addSteps(&p.step, len(m.Mu), otherLabels)
		inViolation += 2 // nu(y) and nu(z)
	}
	p.beliefStep = 1 / float64(inViolation)
	return p
}

// hasCosts reports whether the unknowns include the label costs nu.
func (p *problem) hasCosts() bool { return p.Classes > 2 }

// addDeltas appends the messages delta_ij and delta_ji of each edge ij to the unknowns x. The edge's
// features have d_i and d_j values.
//
// It also adds a constraint for each feature to p.zeroSums. For each value of the feature and each
// pair of labels, the messages from all its edges sum to zero.
func (p *problem) addDeltas() {
	sums := make([]zeroSum, len(p.Levels)) // sums[i] is the constraint for feature i
	for i, d := range p.Levels {
		sums[i].blockLength = len(p.labelPairs) * d // one message for each pair of labels and value
	}
	for e, pair := range p.Pairs {
		di, dj := p.dims(e)
		edge := &edgeLayout{di: di, dj: dj}
		// The violation of each cell (x_i,x_j) contains delta_ij(x_i) and delta_ji(x_j). So each
		// message delta_ij occurs in d_j violations.
		edge.deltaStartI = p.addBlock(&sums[pair.I], dj)
		edge.deltaStartJ = p.addBlock(&sums[pair.J], di)
		p.edges = append(p.edges, edge)
	}
	isUnused := func(s zeroSum) bool { return len(s.blocks) == 0 } // the feature has no edge
	p.zeroSums = slices.DeleteFunc(sums, isUnused)
}

// addGammas appends the messages gamma_ij of all edges ij to the unknowns x. It also adds a
// constraint to p.zeroSums: for each pair of labels, these messages sum to zero over the edges.
func (p *problem) addGammas() {
	sum := zeroSum{blockLength: len(p.labelPairs)}
	for _, edge := range p.edges {
		edge.gammaStart = p.addBlock(&sum, edge.di*edge.dj) // gamma occurs in every cell
	}
	p.zeroSums = append(p.zeroSums, sum)
}

// addBeliefs sets the index of the first belief of each edge, and p.maxBelief.
func (p *problem) addBeliefs() {
	for e, edge := range p.edges {
		edge.beliefStart = len(p.maxBelief)
		p.maxBelief = append(p.maxBelief, make([]float64, len(p.labelPairs)*p.size(e))...)
		for k, labels := range p.labelPairs {
			p.smallerMass(e, labels, edge.table(p.maxBelief, k))
		}
	}
}

// addBlock appends a block of s.blockLength messages to the unknowns x and to the constraint s. It
// returns the index of the first message. The argument violations is the number of violations that
// contain a message.
func (p *problem) addBlock(s *zeroSum, violations int) (at int) {
	at = addSteps(&p.step, s.blockLength, violations)
	s.blocks = append(s.blocks, at)
	s.totalStep += p.step[at]
	return at
}

// setViolations computes by how much the unknowns x violate each constraint. For each edge, pair of
// labels y < z and cell (x_i,x_j), the label costs must satisfy nu(y) + nu(z) >= u, where u is the
// result of requiredSums. The violation is u - nu(y) - nu(z).
func (p *problem) setViolations(x, violations []float64) {
	for _, edge := range p.edges {
		p.requiredSums(edge, x, violations)
	}
	if !p.hasCosts() {
		return // nu is 0
	}
	nu := x[p.nuStart:]
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			table := edge.table(violations, k) // contains u so far
			nuY, nuZ := p.labelTables(nu, e, labels)
			for cell := range table {
				table[cell] -= nuY[cell] + nuZ[cell]
			}
		}
	}
}

// requiredSums sets the tables of edge ij in u to the smallest allowed sums of the costs of two
// labels. In the cell (x_i, x_j), the sum must be at least
//
//	u = 2/|E| + gamma + delta_ij(x_i) + delta_ji(x_j).
//
// The messages gamma and delta sum to zero over the |E| edges, so the required sums add up to 2.
func (p *problem) requiredSums(edge *edgeLayout, x, u []float64) {
	gamma := x[edge.gammaStart:]
	for k := range p.labelPairs {
		deltaI, deltaJ := edge.messages(x, k)
		table := edge.table(u, k)
		base := p.twoOverE + gamma[k]
		for r, messageI := range deltaI {
			row := table[r*len(deltaJ):][:len(deltaJ)]
			sum := base + messageI
			for c, messageJ := range deltaJ {
				row[c] = sum + messageJ
			}
		}
	}
}

// gradient sets g to the gradient of the Lagrangian with respect to the unknowns,
//
//	L = nu.mu + sum of belief * violation,
//	violation = 2/|E| + gamma_ij + delta_ij + delta_ji - nu_ij(y) - nu_ij(z).
//
// The sum has a term for each edge ij, pair of labels y < z and cell (x_i,x_j). The vector a
// contains the beliefs.
func (p *problem) gradient(a, g []float64) {
	for _, edge := range p.edges {
		p.sumBeliefs(edge, a, g) // a message's derivative is the sum of the beliefs in its violations
	}
	if !p.hasCosts() {
		return // the unknowns do not include nu
	}
	// The derivative with respect to nu_ij(x_i,x_j,y) is mu minus the beliefs of all pairs with label y.
	byCost := g[p.nuStart:] // in the layout of Mu
	copy(byCost, p.Mu)
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			byCostY, byCostZ := p.labelTables(byCost, e, labels)
			for cell, belief := range edge.table(a, k) {
				byCostY[cell] -= belief
				byCostZ[cell] -= belief
			}
		}
	}
}

// sumBeliefs computes sums of the beliefs a of one edge ij, which form a table for each pair of
// labels. The vector sums has the layout of the unknowns. It receives the row sums of a table in
// place of the messages delta_ij, the column sums in place of delta_ji, and the total in place of
// gamma_ij.
func (p *problem) sumBeliefs(edge *edgeLayout, a, sums []float64) {
	totals := sums[edge.gammaStart:]
	for k := range p.labelPairs {
		rowSums, columnSums := edge.messages(sums, k)
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

// centre changes the gradient g so that a gradient step keeps all sums in p.zeroSums at zero. The
// step changes x[j] by p.step[j] * g[j], times a common factor.
//
// Each sum is an element-by-element sum of blocks of x. All elements of a block have the same step
// size. From every block of g, centre subtracts the mean of the blocks, weighted by step size.
func (p *problem) centre(g []float64) {
	for _, sum := range p.zeroSums {
		mean := p.scratchMean[:sum.blockLength] // one value for each position in a block
		clear(mean)
		for _, begin := range sum.blocks {
			weight := p.step[begin] / sum.totalStep
			for c, v := range g[begin:][:len(mean)] {
				mean[c] += weight * v
			}
		}
		for _, begin := range sum.blocks {
			for c, v := range mean {
				g[begin+c] -= v
			}
		}
	}
}
