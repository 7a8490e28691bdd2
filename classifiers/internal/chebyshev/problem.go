package chebyshev

import "math"

// The problem. The paper's dual (its Eq. 13) seeks label costs nu(x,y) = sum_ij nu_ij(x_i,x_j,y)
// that
//
//	minimise nu.mu   s.t.   nu(x,y) + nu(x,z) >= 2 [y != z]   for all x, y, z,
//
// and replaces the exponentially many constraints by messages delta_ij(x_j,y,z)
// and gamma_ij(y,z) of the linear programming relaxation (Eqs. 20-22), exact
// when E is a tree. Its linear program dual is
//
//	maximise 2 sum_{y<z} t(y,z) over nonnegative, locally consistent beliefs a_ij(x_i,x_j,y,z)
//	s.t. sum_{z != y} a_ij(x_i,x_j,y,z) <= mu_ij(x_i,x_j,y),
//
// where t(y,z) is the mass common to all tables a_ij(.,.,y,z): the part of the
// population that may be met with label y or with label z and the same x.
// Two simplifications of Eq. 24 are exact and are used here.
//
//   - Pairs y = z need neither messages nor beliefs: their beliefs
//     mu - sum_z a inherit local consistency from mu and a.
//     The costs that remain are nonnegative.
//   - a_ij(.,y,z) <= c_ij = min(mu_ij(.,y), mu_ij(.,z)) follows from the
//     constraints, so exceeding them may be charged at this price at most.
//
// What is left is Eq. 24 in fewer unknowns, convex and without constraints but
// signs and sums,
//
//	minimise Phi(nu, delta, gamma) =
//	  sum_ij [ nu_ij.mu_ij + sum_{y<z} c_ij.(u_ij(y,z) - nu_ij(y) - nu_ij(z))+ ],
//	u_ij(x_i,x_j,y,z) = 2/|E| + gamma_ij(y,z) + delta_ij(x_i,y,z) + delta_ji(x_j,y,z),
//	nu >= 0,  sum_ij gamma_ij = 0,  sum_j delta_ij(x_i,.) = 0 at every feature i.
//
// Any point gives an upper bound of DCC_h, and label costs that attain it. With
// two classes nu = 0 is optimal: the price of a cell falls on the label that is
// rarer in it, every pair votes for the more frequent one, and delta moves
// weight between the votes of the pairs.
//
// The solver looks for the saddle point of
//
//	L = nu.mu + sum_ij sum_{y<z} a_ij.(u_ij - nu_ij(y) - nu_ij(z)),  0 <= a <= c.
type problem struct {
	*Marginals
	first, second []int     // the labels y < z of each of the q pairs of labels
	cell          []int     // a, c and u of pair e start at cell[e]: [(k*d_i+x_i)*d_j + x_j]
	capacity      []float64 // c
	even          float64   // 2/|E|

	// The unknowns x = (delta, gamma, nu); nu is absent with two classes.
	toI, toJ []int     // delta_ij at toI[e]: [k*d_i+x_i]; delta_ji at toJ[e]: [k*d_j+x_j]
	masses   []int     // gamma_ij, the price of its mass, at masses[e]: [k]
	nu       int       // nu_ij at nu+Start[e], laid out as Mu; messages come before
	step     []float64 // 1 / entries of the unknown's column in the matrix of L
	ascent   float64   // 1 / entries of a row
	blocks   [][]int   // where the messages about each feature start
	about    []int     // where a feature's means start in centre's mean, the masses' last
	total    []float64 // sum of step over the messages about each feature, and over the masses
}

// newProblem returns the problem of the marginals m.
func newProblem(m *Marginals) *problem {
	p := &problem{Marginals: m, even: 2 / float64(len(m.Pairs)), ascent: 1. / 3}
	for y := range m.Classes {
		for z := y + 1; z < m.Classes; z++ {
			p.first, p.second = append(p.first, y), append(p.second, z)
		}
	}
	p.addMessages()
	for e := range m.Pairs {
		p.masses = append(p.masses, p.add(len(p.first), p.size(e)))
	}
	p.nu = len(p.step)
	if len(p.first) > 1 {
		p.add(len(m.Mu), m.Classes-1)
		p.ascent = 1. / 5
	}
	p.addMeans()
	return p
}

// addMessages reserves the messages delta of every pair of features and computes the
// capacities of its cells.
func (p *problem) addMessages() {
	q := len(p.first)
	p.blocks = make([][]int, len(p.Levels))
	p.cell = make([]int, len(p.Pairs)+1)
	for e, pair := range p.Pairs {
		di, dj := p.Levels[pair.I], p.Levels[pair.J]
		p.cell[e+1] = p.cell[e] + q*di*dj
		p.toI = append(p.toI, p.add(q*di, dj))
		p.toJ = append(p.toJ, p.add(q*dj, di))
		p.blocks[pair.I] = append(p.blocks[pair.I], p.toI[e])
		p.blocks[pair.J] = append(p.blocks[pair.J], p.toJ[e])
		table, size := p.Table(e), di*dj
		for k, y := range p.first {
			for c := range size {
				p.capacity = append(p.capacity, math.Min(table[y*size+c], table[p.second[k]*size+c]))
			}
		}
	}
}

// addMeans lays out the means of centre: first the means of each feature, then the means of the
// masses.
func (p *problem) addMeans() {
	at := 0
	for i, d := range p.Levels {
		p.about, p.total = append(p.about, at), append(p.total, p.sumOfSteps(p.blocks[i]))
		at += len(p.first) * d
	}
	p.about, p.total = append(p.about, at), append(p.total, p.sumOfSteps(p.masses))
}

// sumOfSteps returns the sum of the steps of the blocks that start at the given unknowns.
func (p *problem) sumOfSteps(blocks []int) (sum float64) {
	for _, at := range blocks {
		sum += p.step[at]
	}
	return sum
}

// newMean returns the scratch of centre.
func (p *problem) newMean() []float64 {
	return make([]float64, p.about[len(p.Levels)]+len(p.first))
}

// add appends count unknowns and returns the number of the first. Each has the given number
// of entries in its column of the matrix of L.
func (p *problem) add(count, entries int) (at int) {
	at = len(p.step)
	for range count {
		p.step = append(p.step, 1/float64(entries))
	}
	return at
}

// slack sets u to the gradient of L in the beliefs a: u - nu(y) - nu(z) of every cell.
func (p *problem) slack(x, u []float64) {
	for e := range p.Pairs {
		p.messageSlack(e, x, u)
	}
	for e := range p.labelled() {
		size := p.size(e)
		nu := x[p.nu+p.Start[e]:] // [y*size+cell]
		for k, y := range p.first {
			out := u[p.cell[e]+k*size:][:size]
			for c, v := range nu[y*size:][:size] {
				out[c] -= v + nu[p.second[k]*size+c]
			}
		}
	}
}

// messageSlack sets u_ij = 2/|E| + gamma + delta_ij(x_i) + delta_ji(x_j) in the cells of
// pair e.
func (p *problem) messageSlack(e int, x, u []float64) {
	di, dj := p.Levels[p.Pairs[e].I], p.Levels[p.Pairs[e].J]
	at := p.cell[e]
	for k := range p.first {
		base := p.even + x[p.masses[e]+k]
		columns := x[p.toJ[e]+k*dj:][:dj]
		for _, row := range x[p.toI[e]+k*di:][:di] {
			s, out := base+row, u[at:][:len(columns)]
			for c, v := range columns {
				out[c] = s + v
			}
			at += dj
		}
	}
}

// gradient sets g to the gradient of L in the unknowns x. In delta it is the marginals of
// the beliefs a about each feature, in gamma their masses, and in nu the part of mu that
// the beliefs leave.
func (p *problem) gradient(a, g []float64) {
	for e := range p.Pairs {
		p.messageGradient(e, a, g)
	}
	if len(p.first) > 1 {
		copy(g[p.nu:], p.Mu)
	}
	for e := range p.labelled() {
		size := p.size(e)
		left := g[p.nu+p.Start[e]:] // [y*size+cell]
		for k, y := range p.first {
			for c, v := range a[p.cell[e]+k*size:][:size] {
				left[y*size+c] -= v
				left[p.second[k]*size+c] -= v
			}
		}
	}
}

// messageGradient sets the gradient in delta and gamma of pair e: the row sums, the column
// sums and the sum of its beliefs a for each pair of labels.
func (p *problem) messageGradient(e int, a, g []float64) {
	di, dj := p.Levels[p.Pairs[e].I], p.Levels[p.Pairs[e].J]
	at := p.cell[e]
	for k := range p.first {
		rows, columns := g[p.toI[e]+k*di:][:di], g[p.toJ[e]+k*dj:][:dj]
		clear(columns)
		mass := 0.0
		for r := range rows {
			sum := 0.0
			for c, v := range a[at:][:len(columns)] {
				columns[c] += v
				sum += v
			}
			rows[r] = sum
			mass += sum
			at += dj
		}
		g[p.masses[e]+k] = mass
	}
}

// labelled returns the pairs whose costs nu are unknowns: all of them, or none
// when there are two classes.
func (p *problem) labelled() []Pair {
	if len(p.first) == 1 {
		return nil
	}
	return p.Pairs
}

// size returns d_i d_j of pair e.
func (p *problem) size(e int) int { return p.Levels[p.Pairs[e].I] * p.Levels[p.Pairs[e].J] }

// centre makes the gradient g keep the constraints sum_ij gamma_ij = 0 and, at each value
// of each feature, sum_j delta_ij = 0: from the unknowns in each of these sums it subtracts
// their mean, weighted by step. A step along step*g then keeps the sums at zero, and g
// vanishes if the beliefs are locally consistent. mean is scratch from newMean.
func (p *problem) centre(g, mean []float64) {
	clear(mean)
	masses := len(p.Levels) // the number of the sum over gamma; smaller numbers are features
	for e, pair := range p.Pairs {
		p.addMean(mean, g, pair.I, p.toI[e])
		p.addMean(mean, g, pair.J, p.toJ[e])
		p.addMean(mean, g, masses, p.masses[e])
	}
	for e, pair := range p.Pairs {
		p.subtractMean(g, mean, pair.I, p.toI[e])
		p.subtractMean(g, mean, pair.J, p.toJ[e])
		p.subtractMean(g, mean, masses, p.masses[e])
	}
}

// addMean adds the gradient of the unknowns from at on to the means of sum i, weighted by
// their share of all steps in that sum.
func (p *problem) addMean(mean, g []float64, i, at int) {
	mean = p.meansOf(mean, i)
	share := p.step[at] / p.total[i]
	for c, v := range g[at:][:len(mean)] {
		mean[c] += share * v
	}
}

// subtractMean subtracts the means of sum i from the gradient of the unknowns from at on.
func (p *problem) subtractMean(g, mean []float64, i, at int) {
	for c, v := range p.meansOf(mean, i) {
		g[at+c] -= v
	}
}

// meansOf returns the part of mean that belongs to sum i: a feature or, last, gamma.
func (p *problem) meansOf(mean []float64, i int) []float64 {
	if i == len(p.Levels) {
		return mean[p.about[i]:]
	}
	return mean[p.about[i]:p.about[i+1]]
}
