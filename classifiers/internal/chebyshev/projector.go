package chebyshev

import "math"

// projector is the projection of section 8.3 as a saddle point problem: given
// tables q_ij and singles q_i, find those of the local polytope with the
// smallest l1 distance,
//
//	minimise sum_ij |m_ij - q_ij|_1 + sum_i |m_i - q_i|_1
//	s.t. sum_{x_j} m_ij = m_i,  sum_{x_i} m_ij = m_j,  sum_{x_i} m_i(.,y) = mu(y),  m >= 0,
//
// with x = (m_ij, m_i) and multipliers a = (those of the first two constraints,
// those of the third).
type projector struct {
	*pdhg
	*Marginals
	given        []float64 // q, laid out as x
	single       []int     // m_i at single[i]: [y*d_i+x_i]
	toI, toJ     []int     // multipliers of pair e at toI[e]: [y*d_i+x_i], toJ[e]: [y*d_j+x_j]
	sum          []int     // of feature i at sum[i]: [y]
	stepX, stepA []float64
	repaired     []float64
}

// projectorWeight is the first primal weight: probabilities move much less than
// multipliers.
const projectorWeight = 0.03

func newProjector(m *Marginals, singles [][]float64) *projector {
	p := &projector{Marginals: m, given: append([]float64(nil), m.Mu...)}
	degree := make([]int, len(m.Levels))
	reserve := func(steps *[]float64, count, entries int) (at int) {
		at = len(*steps)
		for range count {
			*steps = append(*steps, 1/float64(entries))
		}
		return at
	}
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
	p.repaired = make([]float64, len(m.Mu))
	p.pdhg = newPDHG(p)
	copy(p.x, p.given)
	p.weight = projectorWeight
	return p
}

func (p *projector) steps() (x, a []float64) { return p.stepX, p.stepA }

// eachBlock calls visit for each pair and label with the places of its table,
// singles and multipliers.
func (p *projector) eachBlock(visit func(y, di, dj, table, singleI, singleJ, toI, toJ int)) {
	for e, pair := range p.Pairs {
		di, dj := p.Levels[pair.I], p.Levels[pair.J]
		for y := range p.Classes {
			visit(y, di, dj, p.Start[e]+y*di*dj, p.single[pair.I]+y*di, p.single[pair.J]+y*dj, p.toI[e]+y*di,
				p.toJ[e]+y*dj)
		}
	}
}

// gradientX is A'a.
func (p *projector) gradientX(a, g []float64) {
	for i, d := range p.Levels {
		for y := range p.Classes {
			for v := range d {
				g[p.single[i]+y*d+v] = a[p.sum[i]+y]
			}
		}
	}
	p.eachBlock(func(y, di, dj, table, singleI, singleJ, toI, toJ int) {
		for r, l := range a[toI:][:di] {
			g[singleI+r] -= l
			for c, k := range a[toJ:][:dj] {
				g[table+r*dj+c] = l + k
			}
		}
		for c, k := range a[toJ:][:dj] {
			g[singleJ+c] -= k
		}
	})
}

// gradientA is A x - b.
func (p *projector) gradientA(x, u []float64) {
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			u[p.sum[i]+y] = -prior
			for _, v := range x[p.single[i]+y*d:][:d] {
				u[p.sum[i]+y] += v
			}
		}
	}
	p.eachBlock(func(y, di, dj, table, singleI, singleJ, toI, toJ int) {
		columns := u[toJ:][:dj]
		for c, v := range x[singleJ:][:dj] {
			columns[c] = -v
		}
		for r, v := range x[singleI:][:di] {
			sum := -v
			for c, w := range x[table+r*dj:][:dj] {
				sum += w
				columns[c] += w
			}
			u[toI+r] = sum
		}
	})
}

// proximalX is that of |x - q|_1 over x >= 0.
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

func (p *projector) ascend(a, u, sum []float64, weight float64) {
	for j, step := range p.stepA {
		a[j] += step / weight * u[j]
		sum[j] += a[j]
	}
}

// bounds returns the distance of x repaired and the dual bound of a: with A'a =
// g, each unknown 0 <= x <= mu(y) contributes the least of |x - q| + g x, which
// lies at 0, q or mu(y).
func (p *projector) bounds(x, a []float64) (upper, lower float64) {
	singles := p.repair(x, p.repaired)
	for c, v := range p.repaired {
		upper += math.Abs(v - p.given[c])
	}
	for c, v := range singles {
		upper += math.Abs(v - p.given[len(p.repaired)+c])
	}
	p.gradientX(a, p.g)
	least := func(at, count int, limit float64) {
		for j := at; j < at+count; j++ {
			g, q := p.g[j], p.given[j]
			lower += min(q, g*q, math.Abs(limit-q)+g*limit)
		}
	}
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			least(p.single[i]+y*d, d, prior)
			lower -= a[p.sum[i]+y] * prior
		}
	}
	p.eachBlock(func(y, di, dj, table, _, _, _, _ int) { least(table, di*dj, p.Prior[y]) })
	return upper, lower
}

// repair writes to tables a point of the local polytope near x and returns its
// singles: these are clipped and scaled to sum to mu(y); a table's rows, then
// its columns, are scaled down to their singles and what is still lacking is
// added as a product (Altschuler, Weed and Rigollet 2017, Algorithm 2).
func (p *projector) repair(x, tables []float64) (singles []float64) {
	first := len(p.Mu)
	singles = append([]float64(nil), x[first:]...)
	for j, v := range singles {
		singles[j] = max(v, 0)
	}
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			if block := singles[p.single[i]-first+y*d:][:d]; !normalise(block, prior) {
				copy(block, p.given[p.single[i]+y*d:])
			}
		}
	}
	p.eachBlock(func(y, di, dj, table, singleI, singleJ, _, _ int) {
		t := tables[table:][:di*dj]
		copy(t, x[table:])
		roundTable(t, singles[singleI-first:][:di], singles[singleJ-first:][:dj])
	})
	return singles
}

// roundTable moves a nonnegative table to one with the given margins, of equal
// sums.
func roundTable(t, rows, columns []float64) {
	dj := len(columns)
	for r, want := range rows {
		scaleDown(t[r*dj:][:dj], 1, want)
	}
	for c, want := range columns {
		scaleDown(t[c:], dj, want)
	}
	lackRows, lackColumns := append([]float64(nil), rows...), append([]float64(nil), columns...)
	for c, v := range t {
		lackRows[c/dj] -= v
		lackColumns[c%dj] -= v
	}
	total := 0.0
	for r, v := range lackRows {
		lackRows[r] = max(v, 0)
		total += lackRows[r]
	}
	if total == 0 {
		return
	}
	for c := range t {
		t[c] += lackRows[c/dj] * max(lackColumns[c%dj], 0) / total
	}
}

// scaleDown scales every stride-th value so that their sum is want at most.
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
