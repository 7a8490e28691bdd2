package chebyshev

import (
	"iter"
	"math"
	"slices"
)

// projector is the projection of section 8.3 as a saddle point problem: given tables q_ij and
// singles q_i, find tables and singles in the local polytope with the smallest l1 distance,
//
//	minimise sum_ij |m_ij - q_ij|_1 + sum_i |m_i - q_i|_1
//	s.t. sum_{x_j} m_ij = m_i,  sum_{x_i} m_ij = m_j,  sum_{x_i} m_i(.,y) = mu(y),  m >= 0,
//
// with x = (m_ij, m_i) and multipliers a: first those for the row and column sums of the tables,
// then those for the sums of the singles.
type projector struct {
	*pdhg
	*Marginals
	given []float64 // q, in the layout of x: all tables as in Mu, then all singles
	// single[i] is the place of m_i in x: m_i(v, y) is element single[i] + y*d_i + v.
	single []int
	// toI[e] and toJ[e] are the places in a of the multipliers of pair e: row v and label y has
	// element toI[e] + y*d_i + v, column v has toJ[e] + y*d_j + v.
	toI, toJ []int
	// sum[i] is the place in a of feature i: the sum of m_i(., y) has element sum[i] + y.
	sum          []int
	stepX, stepA []float64
	repaired     []float64 // scratch: the tables of repair
}

// projectorWeight is the first primal weight: probabilities move much less than
// multipliers.
const projectorWeight = 0.03

// newProjector returns the projection of the tables in m and of the singles. It starts from
// these tables.
func newProjector(m *Marginals, singles [][]float64) *projector {
	p := &projector{Marginals: m, given: slices.Clone(m.Mu), repaired: make([]float64, len(m.Mu))}
	degree := make([]int, len(m.Levels)) // number of pairs with the feature
	for _, pair := range m.Pairs {
		di, dj := m.Levels[pair.I], m.Levels[pair.J]
		degree[pair.I]++
		degree[pair.J]++
		reserve(&p.stepX, m.Classes*di*dj, 2)
		p.toI = append(p.toI, reserve(&p.stepA, m.Classes*di, dj+1))
		p.toJ = append(p.toJ, reserve(&p.stepA, m.Classes*dj, di+1))
	}
	for i, d := range m.Levels {
		p.given = append(p.given, singles[i]...)
		p.single = append(p.single, reserve(&p.stepX, m.Classes*d, degree[i]+1))
		p.sum = append(p.sum, reserve(&p.stepA, m.Classes, d))
	}
	p.pdhg = newPDHG(p)
	copy(p.x, p.given)
	p.weight = projectorWeight
	return p
}

// reserve appends the steps of count unknowns and returns the place of the first. The step
// is 1 over the number of entries of the unknown in the constraints.
func reserve(steps *[]float64, count, entries int) (at int) {
	at = len(*steps)
	*steps = append(*steps, slices.Repeat([]float64{1 / float64(entries)}, count)...)
	return at
}

func (p *projector) steps() (x, a []float64) { return p.stepX, p.stepA }

// A block is one pair of features with one label. Its fields give the places of its parts
// in x and a: the table has di rows of dj values.
type block struct {
	y, di, dj        int
	table            int // in x: m_ij(.,.,y)
	singleI, singleJ int // in x: m_i(.,y) and m_j(.,y)
	toI, toJ         int // in a: multipliers of the row sums and of the column sums
}

// blocks yields all blocks, pair by pair.
func (p *projector) blocks() iter.Seq[block] {
	return func(yield func(block) bool) {
		for e, pair := range p.Pairs {
			di, dj := p.Levels[pair.I], p.Levels[pair.J]
			for y := range p.Classes {
				b := block{
					y: y, di: di, dj: dj,
					table:   p.Start[e] + y*di*dj,
					singleI: p.single[pair.I] + y*di,
					singleJ: p.single[pair.J] + y*dj,
					toI:     p.toI[e] + y*di,
					toJ:     p.toJ[e] + y*dj,
				}
				if !yield(b) {
					return
				}
			}
		}
	}
}

// gradientX sets g to A'a, where A x = b are the constraints.
func (p *projector) gradientX(a, g []float64) {
	for i, d := range p.Levels {
		for y := range p.Classes {
			for v := range d {
				g[p.single[i]+y*d+v] = a[p.sum[i]+y]
			}
		}
	}
	for b := range p.blocks() {
		columns := a[b.toJ:][:b.dj]
		for r, row := range a[b.toI:][:b.di] {
			g[b.singleI+r] -= row
			for c, column := range columns {
				g[b.table+r*b.dj+c] = row + column
			}
		}
		for c, column := range columns {
			g[b.singleJ+c] -= column
		}
	}
}

// gradientA sets u to A x - b.
func (p *projector) gradientA(x, u []float64) {
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			u[p.sum[i]+y] = -prior
			for _, v := range x[p.single[i]+y*d:][:d] {
				u[p.sum[i]+y] += v
			}
		}
	}
	for b := range p.blocks() {
		columns := u[b.toJ:][:b.dj]
		for c, v := range x[b.singleJ:][:b.dj] {
			columns[c] = -v
		}
		for r, v := range x[b.singleI:][:b.di] {
			sum := -v
			for c, w := range x[b.table+r*b.dj:][:b.dj] {
				sum += w
				columns[c] += w
			}
			u[b.toI+r] = sum
		}
	}
}

// proximalX moves x towards q by weight times its step, but not beyond q, and keeps x >= 0:
// the proximal map of |x - q|_1.
func (p *projector) proximalX(x []float64, weight float64) {
	for j, q := range p.given {
		t := weight * p.stepX[j]
		switch d := x[j] - q; {
		case d > t:
			x[j] -= t
		case d < -t:
			x[j] = max(x[j]+t, 0)
		default:
			x[j] = q
		}
	}
}

// ascend adds step/weight u to the multipliers a, which have no bounds, and a to sum.
func (p *projector) ascend(a, u, sum []float64, weight float64) {
	for j, step := range p.stepA {
		a[j] += step / weight * u[j]
		sum[j] += a[j]
	}
}

// bounds returns the distance of the repaired x from q and the dual bound of a.
func (p *projector) bounds(x, a []float64) (upper, lower float64) {
	singles := p.repair(x, p.repaired)
	for c, v := range p.repaired {
		upper += math.Abs(v - p.given[c])
	}
	for c, v := range singles {
		upper += math.Abs(v - p.given[len(p.repaired)+c])
	}
	p.gradientX(a, p.g)
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			lower = p.addLeast(lower, p.single[i]+y*d, d, prior)
			lower -= a[p.sum[i]+y] * prior
		}
	}
	for b := range p.blocks() {
		lower = p.addLeast(lower, b.table, b.di*b.dj, p.Prior[b.y])
	}
	return upper, lower
}

// addLeast adds to sum the least values of |x - q| + g x over 0 <= x <= limit, g = A'a, for
// count unknowns from at on. The minimum of each lies at 0, q or limit.
func (p *projector) addLeast(sum float64, at, count int, limit float64) float64 {
	for j := at; j < at+count; j++ {
		g, q := p.g[j], p.given[j]
		sum += min(q, g*q, math.Abs(limit-q)+g*limit)
	}
	return sum
}

// repair writes to tables a point of the local polytope near x and returns its singles.
// It clips the singles and scales them to sum to mu(y), then fits the tables to them.
func (p *projector) repair(x, tables []float64) (singles []float64) {
	first := len(p.Mu) // place of the first single in x
	singles = slices.Clone(x[first:])
	for j, v := range singles {
		singles[j] = max(v, 0)
	}
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			block := singles[p.single[i]-first+y*d:][:d]
			if !normalise(block, prior) {
				copy(block, p.given[p.single[i]+y*d:])
			}
		}
	}
	for b := range p.blocks() {
		table := tables[b.table:][:b.di*b.dj]
		copy(table, x[b.table:])
		roundTable(table, singles[b.singleI-first:][:b.di], singles[b.singleJ-first:][:b.dj])
	}
	return singles
}

// roundTable changes a nonnegative table, len(rows) x len(columns), to one with the given
// row sums and column sums, whose totals are equal (Altschuler, Weed and Rigollet 2017,
// Algorithm 2). It scales rows and then columns down to their sums, and adds the rest as
// the product of what rows and columns lack.
func roundTable(table, rows, columns []float64) {
	width := len(columns)
	for r, want := range rows {
		scaleDown(table[r*width:][:width], 1, want)
	}
	for c, want := range columns {
		scaleDown(table[c:], width, want)
	}
	lackRows, lackColumns := slices.Clone(rows), slices.Clone(columns)
	for at, v := range table {
		lackRows[at/width] -= v
		lackColumns[at%width] -= v
	}
	total := 0.0
	for r, v := range lackRows {
		lackRows[r] = max(v, 0)
		total += lackRows[r]
	}
	if total == 0 {
		return
	}
	for at := range table {
		table[at] += lackRows[at/width] * max(lackColumns[at%width], 0) / total
	}
}

// scaleDown scales the values 0, stride, 2 stride, ... so that their sum is want at most.
func scaleDown(values []float64, stride int, want float64) {
	sum := 0.0
	for c := 0; c < len(values); c += stride {
		sum += values[c]
	}
	if sum <= want {
		return
	}
	for c := 0; c < len(values); c += stride {
		values[c] *= want / sum
	}
}
