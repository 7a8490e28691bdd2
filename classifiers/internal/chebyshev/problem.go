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
	labelPairs []stats.Pair  // all pairs of labels y < z
	edges      []*edgeLayout // positions of the messages and beliefs of each edge
	nuStart    int           // nu begins at x[nuStart], in the layout of Mu
	capacity   []float64     // c, in the layout of a
	twoOverE   float64       // 2/|E|
	step       []float64     // step size of each unknown: 1 / number of entries in its column of L's matrix
	beliefStep float64       // step size of each belief: 1 / number of entries in its row
	zeroSums   []zeroSum     // sums of messages that must remain zero
	mean       []float64     // scratch memory of centre
}

// An edgeLayout contains the positions of the messages and beliefs of one edge ij.
type edgeLayout struct {
	di, dj  int // numbers of values of both features
	deltaI  int // delta_ij begins at x[deltaI]: d_i messages for each pair of labels
	deltaJ  int // delta_ji begins at x[deltaJ]: d_j messages for each pair of labels
	gamma   int // gamma_ij begins at x[gamma]: one message for each pair of labels
	beliefs int // a_ij begins at a[beliefs]: a d_i x d_j table for each pair of labels
}

// messages returns the messages delta_ij and delta_ji for label pair k, which are parts of the
// unknowns x.
func (l *edgeLayout) messages(x []float64, k int) (deltaI, deltaJ []float64) {
	return x[l.deltaI+k*l.di:][:l.di], x[l.deltaJ+k*l.dj:][:l.dj]
}

// table returns the part of a for label pair k, with di rows and dj columns. The vector a has one
// element for each belief.
func (l *edgeLayout) table(a []float64, k int) []float64 {
	size := l.di * l.dj
	return a[l.beliefs+k*size:][:size]
}

// A zeroSum requires that several blocks of messages sum to zero, element by element. All blocks
// have the same length. The messages of a block have the same step size.
type zeroSum struct {
	length    int     // number of messages in each block
	blocks    []int   // indices in x at which the blocks begin
	totalStep float64 // sum of the step sizes of the blocks
}

// newProblem sets up the saddle-point problem for the marginals m. Its unknowns are the messages
// delta and gamma and the label costs nu.
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
	p.nuStart = len(p.step) // the messages precede nu
	p.mean = make([]float64, p.nuStart)
	inViolation := 3 // unknowns in a violation: gamma and two messages delta
	if m.Classes > 2 {
		otherLabels := m.Classes - 1 // each of them forms a pair with the label of a cost
		addSteps(&p.step, len(m.Mu), otherLabels)
		inViolation += 2 // nu(y) and nu(z)
	}
	p.beliefStep = 1 / float64(inViolation)
	return p
}

// addDeltas appends the messages delta_ij and delta_ji of each edge ij to the unknowns x.
//
// It also adds a constraint for each feature to p.zeroSums. For each value of the feature and each
// pair of labels, the messages from all its edges sum to zero.
func (p *problem) addDeltas() {
	sums := make([]zeroSum, len(p.Levels)) // sums[i] is the constraint for feature i
	for i, d := range p.Levels {
		sums[i].length = len(p.labelPairs) * d
	}
	for e, pair := range p.Pairs {
		di, dj := p.dims(e)
		edge := &edgeLayout{di: di, dj: dj}
		edge.deltaI = p.addBlock(&sums[pair.I], dj) // a value of x_i occurs in dj cells (x_i,x_j)
		edge.deltaJ = p.addBlock(&sums[pair.J], di)
		p.edges = append(p.edges, edge)
	}
	isUnused := func(s zeroSum) bool { return len(s.blocks) == 0 } // the feature has no edge
	p.zeroSums = slices.DeleteFunc(sums, isUnused)
}

// addGammas appends the messages gamma_ij of all edges ij to the unknowns x. It also adds a
// constraint to p.zeroSums: for each pair of labels, these messages sum to zero over the edges.
func (p *problem) addGammas() {
	sum := zeroSum{length: len(p.labelPairs)}
	for _, edge := range p.edges {
		edge.gamma = p.addBlock(&sum, edge.di*edge.dj) // gamma occurs in every cell
	}
	p.zeroSums = append(p.zeroSums, sum)
}

// addBeliefs sets the index of the first belief of each edge, and p.capacity.
func (p *problem) addBeliefs() {
	for e, edge := range p.edges {
		edge.beliefs = len(p.capacity)
		p.capacity = append(p.capacity, make([]float64, len(p.labelPairs)*p.size(e))...)
		for k, labels := range p.labelPairs {
			p.smallerMass(e, labels, edge.table(p.capacity, k))
		}
	}
}

// addBlock appends a block of s.length messages to the unknowns x and to the constraint s. It
// returns the index of the first message. Each message occurs in the given number of violations.
func (p *problem) addBlock(s *zeroSum, violations int) (at int) {
	at = addSteps(&p.step, s.length, violations)
	s.blocks = append(s.blocks, at)
	s.totalStep += p.step[at]
	return at
}

// gradientA sets violations to the gradient of the Lagrangian L with respect to the beliefs. In each
// cell (x_i,x_j), the costs of two labels must satisfy nu(y) + nu(z) >= u (see requiredSums). The
// violation is u - nu(y) - nu(z).
func (p *problem) gradientA(x, violations []float64) {
	for _, edge := range p.edges {
		p.requiredSums(edge, x, violations)
	}
	if p.Classes == 2 {
		return // nu is 0
	}
	nu := x[p.nuStart:]
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			table := edge.table(violations, k) // contains u so far
			nuY, nuZ := p.labelTables(nu, e, labels)
			for c, v := range nuY {
				table[c] -= v + nuZ[c]
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
	gamma := x[edge.gamma:]
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

// gradient sets g to the gradient of the Lagrangian L with respect to the unknowns. The vector a
// contains the beliefs.
func (p *problem) gradient(a, g []float64) {
	for _, edge := range p.edges {
		p.messageGradient(edge, a, g)
	}
	if p.Classes == 2 {
		return // the unknowns do not include nu
	}
	inCosts := g[p.nuStart:] // the gradient with respect to nu, in the layout of Mu
	copy(inCosts, p.Mu)
	for e, edge := range p.edges {
		for k, labels := range p.labelPairs {
			inCostsY, inCostsZ := p.labelTables(inCosts, e, labels)
			for c, belief := range edge.table(a, k) {
				inCostsY[c] -= belief
				inCostsZ[c] -= belief
			}
		}
	}
}

// messageGradient sets the derivatives of the Lagrangian with respect to the messages of one edge.
// For each pair of labels, they are the row sums (delta_ij), column sums (delta_ji) and total
// (gamma_ij) of a table of beliefs.
func (p *problem) messageGradient(edge *edgeLayout, a, g []float64) {
	totals := g[edge.gamma:]
	for k := range p.labelPairs {
		rowSums, columnSums := edge.messages(g, k)
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
		mean := p.mean[:sum.length] // one value for each position in a block
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
