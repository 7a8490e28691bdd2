package chebyshev

import "math"

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
// (delta, gamma, nu) and of the beliefs a in flat slices.
type problem struct {
	*Marginals
	firstLabel, secondLabel []int     // the pairs of labels y < z: pair k is firstLabel[k] < secondLabel[k]
	cell                    []int     // a, c and u of edge e: element cell[e] + (k*d_i+x_i)*d_j + x_j
	capacity                []float64 // c, in the layout of a
	evenShare               float64   // 2/|E|

	// Layout of the unknowns x = (delta, gamma, nu). With two classes there is no nu.
	// delta_ij begins at deltaStartI[e] + k*d_i, delta_ji at deltaStartJ[e] + k*d_j
	deltaStartI, deltaStartJ []int
	gammaStart               []int     // gamma_ij, the price of the mass of edge e: element gammaStart[e] + k
	nuStart                  int       // nu_ij: from nuStart+Start[e] on, laid out as Mu
	step                     []float64 // step size of each unknown: 1 / number of entries in its column of L's matrix
	ascent                   float64   // step size of each belief: 1 / number of entries in its row
	blocks                   [][]int   // blocks[i] are the indices in x at which messages about feature i begin
	about                    []int     // centre's means of feature i begin at about[i]; the means of gamma come last
	total                    []float64 // sum of step over the messages about each feature; the last is over gamma
}

// newProblem returns the saddle point problem for the marginals m: a bilinear function L is minimised over
// the unknowns and maximised over the beliefs. All unknowns are stored in one slice: first the messages
// delta and the prices gamma of each edge (pair of features), and then the label costs nu. The step size
// of an unknown is one divided by the number of nonzero entries in the corresponding column of the matrix
// of L; the step size of a belief is computed in the same way from its row.
func newProblem(m *Marginals) *problem {
	p := &problem{Marginals: m, evenShare: 2 / float64(len(m.Pairs))}
	for y := range m.Classes {
		for z := y + 1; z < m.Classes; z++ {
			p.firstLabel, p.secondLabel = append(p.firstLabel, y), append(p.secondLabel, z)
		}
	}
	p.addMessages() // delta and the layout of the beliefs
	for e := range m.Pairs {
		p.gammaStart = append(p.gammaStart, p.addUnknowns(len(p.firstLabel), p.size(e)))
	}
	p.nuStart = len(p.step)
	p.ascent = 1. / 3          // three entries: gamma and two messages delta
	if len(p.firstLabel) > 1 { // more than two classes; with two, the costs nu are 0
		p.addUnknowns(len(m.Mu), m.Classes-1)
		p.ascent = 1. / 5 // two more entries: nu(y) and nu(z)
	}
	p.addMeans()
	return p
}

// addMessages lays out the beliefs and the messages delta of every edge. It also computes the upper
// limits c of the beliefs.
func (p *problem) addMessages() {
	q := len(p.firstLabel)
	p.blocks = make([][]int, len(p.Levels))
	p.cell = make([]int, len(p.Pairs)+1)
	for e, pair := range p.Pairs {
		di, dj := p.Levels[pair.I], p.Levels[pair.J]
		p.cell[e+1] = p.cell[e] + q*di*dj
		p.deltaStartI = append(p.deltaStartI, p.addUnknowns(q*di, dj))
		p.deltaStartJ = append(p.deltaStartJ, p.addUnknowns(q*dj, di))
		p.blocks[pair.I] = append(p.blocks[pair.I], p.deltaStartI[e])
		p.blocks[pair.J] = append(p.blocks[pair.J], p.deltaStartJ[e])
		p.addCapacity(e)
	}
}

// addCapacity appends the upper limits of the beliefs of edge e, c = min(mu(y), mu(z)) in every
// cell.
func (p *problem) addCapacity(e int) {
	mu, size := p.Table(e), p.size(e)
	for k, y := range p.firstLabel {
		for c := range size {
			p.capacity = append(p.capacity, math.Min(mu[y*size+c], mu[p.secondLabel[k]*size+c]))
		}
	}
}

// addMeans lays out the means that centre subtracts: first the means of the messages about each
// feature, then the means of gamma.
func (p *problem) addMeans() {
	at := 0
	for i, d := range p.Levels {
		p.about, p.total = append(p.about, at), append(p.total, p.sumOfSteps(p.blocks[i]))
		at += len(p.firstLabel) * d
	}
	p.about, p.total = append(p.about, at), append(p.total, p.sumOfSteps(p.gammaStart))
}

// sumOfSteps returns the sum of the step sizes of the blocks. Each block begins at the given
// unknown, and all its unknowns have the same step size.
func (p *problem) sumOfSteps(blocks []int) (sum float64) {
	for _, at := range blocks {
		sum += p.step[at]
	}
	return sum
}

func (p *problem) newMean() []float64 {
	return make([]float64, p.about[len(p.Levels)]+len(p.firstLabel))
}

// addUnknowns appends count unknowns and returns the index of the first one. Each unknown has the
// given number of nonzero entries in its column of L's matrix.
func (p *problem) addUnknowns(count, entries int) (at int) {
	at = len(p.step)
	for range count {
		p.step = append(p.step, 1/float64(entries))
	}
	return at
}

// violations computes u - nu(y) - nu(z) in every cell for the unknowns x and stores it in out. This
// is the gradient of L in the beliefs. A positive number is the violation of the constraint nu(y) +
// nu(z) >= u.
func (p *problem) violations(x, out []float64) {
	for e := range p.Pairs {
		p.messageSums(e, x, out) // sets out to u, which is 2/|E| + gamma + two messages delta
	}
	for e := range p.labelled() { // all edges, or none for two classes, where the costs nu are 0
		size := p.size(e)
		nu := x[p.nuStart+p.Start[e]:] // [y*size+cell]
		for k, y := range p.firstLabel {
			table := out[p.cell[e]+k*size:][:size]
			for c, v := range nu[y*size:][:size] {
				table[c] -= v + nu[p.secondLabel[k]*size+c]
			}
		}
	}
}

// messageSums sets u_ij = 2/|E| + gamma + delta_ij(x_i) + delta_ji(x_j) in all cells of edge e.
func (p *problem) messageSums(e int, x, u []float64) {
	di, dj := p.Levels[p.Pairs[e].I], p.Levels[p.Pairs[e].J]
	at := p.cell[e]
	for k := range p.firstLabel {
		base := p.evenShare + x[p.gammaStart[e]+k]
		deltaJ := x[p.deltaStartJ[e]+k*dj:][:dj] // messages about x_j
		for _, deltaI := range x[p.deltaStartI[e]+k*di:][:di] {
			sum, row := base+deltaI, u[at:][:len(deltaJ)]
			for c, v := range deltaJ {
				row[c] = sum + v
			}
			at += dj
		}
	}
}

// gradient sets g to the gradient of the saddle function L in the unknowns: the messages delta, the prices
// gamma and the label costs nu. The beliefs a consist of one table for each edge and pair of labels. The
// gradient in delta sums each table by feature value, and the gradient in gamma sums the whole table. The
// gradient in nu is the marginal mu minus the beliefs about the label.
func (p *problem) gradient(a, g []float64) {
	for e := range p.Pairs {
		p.messageGradient(e, a, g)
	}
	if len(p.firstLabel) > 1 { // more than two classes
		copy(g[p.nuStart:], p.Mu)
	}
	for e := range p.labelled() { // all edges, or none for two classes, where the costs nu are 0
		size := p.size(e)
		rest := g[p.nuStart+p.Start[e]:] // mu minus the beliefs, at y*size+cell
		for k, y := range p.firstLabel {
			for c, belief := range a[p.cell[e]+k*size:][:size] {
				rest[y*size+c] -= belief
				rest[p.secondLabel[k]*size+c] -= belief
			}
		}
	}
}

// messageGradient stores in g the gradient of the saddle function L in the messages delta and the prices
// gamma of edge e, given the beliefs a. For each pair of labels, it consists of the row sums, the column
// sums and the total of a di x dj table of beliefs.
func (p *problem) messageGradient(e int, a, g []float64) {
	di, dj := p.Levels[p.Pairs[e].I], p.Levels[p.Pairs[e].J]
	at := p.cell[e]
	for k := range p.firstLabel {
		rowSums, columnSums := g[p.deltaStartI[e]+k*di:][:di], g[p.deltaStartJ[e]+k*dj:][:dj]
		clear(columnSums)
		total := 0.0
		for r := range rowSums {
			sum := 0.0
			for c, belief := range a[at:][:len(columnSums)] {
				columnSums[c] += belief
				sum += belief
			}
			rowSums[r] = sum
			total += sum
			at += dj // the next row of the table
		}
		g[p.gammaStart[e]+k] = total
	}
}

// labelled returns the edges with unknown costs nu: all edges, or none if there are two classes,
// where nu = 0 is optimal.
func (p *problem) labelled() []Pair {
	if len(p.firstLabel) == 1 {
		return nil
	}
	return p.Pairs
}

// centre changes the gradient g so that a step along step*g keeps two kinds of sums at 0: the sum
// of the messages delta about each value of each feature, and the sum of gamma over the edges. From
// the elements of g in each sum, it subtracts their mean, weighted by the step sizes. mean is
// scratch memory from newMean.
func (p *problem) centre(g, mean []float64) {
	clear(mean)
	masses := len(p.Levels) // index of the sum of gamma; smaller indices are sums about features
	// The last two arguments are the index of the sum and the index in g at which the edge's elements begin.
	for e, pair := range p.Pairs {
		p.addMean(mean, g, pair.I, p.deltaStartI[e])
		p.addMean(mean, g, pair.J, p.deltaStartJ[e])
		p.addMean(mean, g, masses, p.gammaStart[e])
	}
	for e, pair := range p.Pairs {
		p.subtractMean(g, mean, pair.I, p.deltaStartI[e])
		p.subtractMean(g, mean, pair.J, p.deltaStartJ[e])
		p.subtractMean(g, mean, masses, p.gammaStart[e])
	}
}

// addMean adds the gradients g[at], g[at+1], ... of one edge to the means of sum i. Their weight is
// the edge's share of all step sizes in this sum.
func (p *problem) addMean(mean, g []float64, i, at int) {
	mean = p.meansOf(mean, i)
	share := p.step[at] / p.total[i]
	for c, v := range g[at:][:len(mean)] {
		mean[c] += share * v
	}
}

// subtractMean subtracts the part of mean that belongs to sum i from the gradient of one edge, which
// begins at g[at].
func (p *problem) subtractMean(g, mean []float64, i, at int) {
	for c, v := range p.meansOf(mean, i) {
		g[at+c] -= v
	}
}

// meansOf returns the part of mean that belongs to sum i: the sum of feature i or, if i is the
// number of features, the sum of gamma.
func (p *problem) meansOf(mean []float64, i int) []float64 {
	if i == len(p.Levels) {
		return mean[p.about[i]:]
	}
	return mean[p.about[i]:p.about[i+1]]
}
