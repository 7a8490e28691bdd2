package chebyshev

import (
	"math"
	"slices"
)

// projector is the projection of section 8.3 of the paper as a saddle point problem. Given tables
// q_ij and singles q_i, which may contradict each other, it finds consistent tables and singles
// (the local polytope) with the smallest l1 distance:
//
//	minimise sum_ij |m_ij - q_ij|_1 + sum_i |m_i - q_i|_1
//	s.t. sum_{x_j} m_ij = m_i,  sum_{x_i} m_ij = m_j,  sum_{x_i} m_i(.,y) = mu(y),  m >= 0.
//
// The unknowns are x = (m_ij, m_i). The multipliers of the constraints A x = b are a: first one for
// each row sum and column sum of a table, then one for each sum of singles.
type projector struct {
	*pdhg
	*Marginals
	given []float64 // q, in the layout of x: all tables as in Mu, then all singles
	// singleStart[i] is the index in x at which m_i begins: m_i(v, y) is element singleStart[i] +
	// y*d_i + v.
	singleStart []int
	// rowSumStart[e] and columnSumStart[e] are the indices in a at which the multipliers of edge e
	// begin. For label y, the multiplier of the sum of row v is element rowSumStart[e] + y*d_i + v;
	// the multiplier of the sum of column v is element columnSumStart[e] + y*d_j + v.
	rowSumStart, columnSumStart []int
	// totalStart[i] is the index in a at which the multipliers of feature i begin: the multiplier
	// of the sum of m_i(., y) is element totalStart[i] + y.
	totalStart   []int
	stepX, stepA []float64 // step sizes of x and of a
	blocks       []block
	repaired     []float64 // scratch: tables that repair writes
}

// projectorWeight is the initial primal weight. It is small because probabilities change much less
// than multipliers.
const projectorWeight = 0.03

// newProjector sets up the problem of finding consistent probabilities close to the given ones: the
// pairwise tables in m and the probabilities singles[i] of each feature i (classes x d_i). Tables are
// consistent if their row and column sums equal the probabilities of the single features. newProjector
// lays out the unknowns x and the multipliers a of the constraints, along with their step sizes. The
// iteration starts from the given probabilities.
func newProjector(m *Marginals, singles [][]float64) *projector {
	p := &projector{Marginals: m, given: slices.Clone(m.Mu), repaired: make([]float64, len(m.Mu))}
	degree := make([]int, len(m.Levels)) // number of pairs with the feature
	for _, pair := range m.Pairs {
		di, dj := m.Levels[pair.I], m.Levels[pair.J]
		degree[pair.I]++
		degree[pair.J]++
		reserve(&p.stepX, m.Classes*di*dj, 2) // each element of a table is in one row sum and one column sum
		p.rowSumStart = append(p.rowSumStart, reserve(&p.stepA, m.Classes*di, dj+1))
		p.columnSumStart = append(p.columnSumStart, reserve(&p.stepA, m.Classes*dj, di+1))
	}
	for i, d := range m.Levels {
		p.given = append(p.given, singles[i]...)
		p.singleStart = append(p.singleStart, reserve(&p.stepX, m.Classes*d, degree[i]+1))
		p.totalStart = append(p.totalStart, reserve(&p.stepA, m.Classes, d))
	}
	p.blocks = p.newBlocks()
	p.pdhg = newPDHG(p)
	copy(p.x, p.given)
	p.weight = projectorWeight
	return p
}

// reserve appends count step sizes to steps and returns the index of the first. The step size is 1 /
// entries. For an unknown, entries is the number of constraints that contain it. For a multiplier,
// entries is the number of unknowns in its constraint.
func reserve(steps *[]float64, count, entries int) (at int) {
	at = len(*steps)
	*steps = append(*steps, slices.Repeat([]float64{1 / float64(entries)}, count)...)
	return at
}

func (p *projector) steps() (x, a []float64) { return p.stepX, p.stepA }

// A block is the part of the problem for one edge (features i and j) and one label y. Its table has
// di rows of dj values. The other fields are the indices at which its unknowns in x and its
// multipliers in a begin.
type block struct {
	y, di, dj           int
	table               int // m_ij(.,.,y) begins at x[table]
	singleI, singleJ    int // m_i(.,y) begins at x[singleI] and m_j(.,y) at x[singleJ]
	rowSums, columnSums int // multipliers: row sums begin at a[rowSums], column sums at a[columnSums]
}

// newBlocks returns the blocks of all edges and labels: edge by edge and, within an edge, label by
// label.
func (p *projector) newBlocks() []block {
	blocks := make([]block, 0, len(p.Pairs)*p.Classes)
	for e, pair := range p.Pairs {
		di, dj := p.Levels[pair.I], p.Levels[pair.J]
		for y := range p.Classes {
			blocks = append(blocks, block{
				y: y, di: di, dj: dj,
				table:      p.Start[e] + y*di*dj,
				singleI:    p.singleStart[pair.I] + y*di,
				singleJ:    p.singleStart[pair.J] + y*dj,
				rowSums:    p.rowSumStart[e] + y*di,
				columnSums: p.columnSumStart[e] + y*dj,
			})
		}
	}
	return blocks
}

// gradientX sets g to A'a, where a contains the multipliers of the constraints A x = b. The unknowns x are
// the probabilities m_i(v,y) of single features and m_ij(r,c,y) of pairs of features, together with label
// y. The constraints fix the sum of m_i(.,y) and require that the rows and columns of m_ij(.,.,y) sum to
// m_i and m_j. The elements of g are, for
//
//	m_i(v,y):       multiplier of the sum of m_i(.,y), minus the multipliers of all row sums and
//	                column sums that must equal m_i(v,y)
//	m_ij(r,c,y):    multiplier of row r plus multiplier of column c
func (p *projector) gradientX(a, g []float64) {
	for i, d := range p.Levels {
		for y := range p.Classes {
			for v := range d {
				g[p.singleStart[i]+y*d+v] = a[p.totalStart[i]+y]
			}
		}
	}
	for _, b := range p.blocks { // for each pair of features and label y
		columns := a[b.columnSums:][:b.dj]
		for r, row := range a[b.rowSums:][:b.di] {
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

// gradientA sets u to A x - b, the constraint violations at the unknowns x. They form the gradient
// in the multipliers. The unknowns are the probabilities m_i(v,y) of value v of feature i and label
// y, and a table m_ij(.,.,y) for each pair of features and each label. For each feature and label,
// the violation is sum_v m_i(v,y) - mu(y), where mu(y) is the prior. For each table, the violations
// are the row sums minus m_i and the column sums minus m_j.
func (p *projector) gradientA(x, u []float64) {
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			sum := -prior
			for _, v := range x[p.singleStart[i]+y*d:][:d] {
				sum += v
			}
			u[p.totalStart[i]+y] = sum
		}
	}
	for _, b := range p.blocks { // b gives the position of a table with di rows and dj columns
		columns := u[b.columnSums:][:b.dj] // column sums minus m_j
		for c, single := range x[b.singleJ:][:b.dj] {
			columns[c] = -single
		}
		for r, single := range x[b.singleI:][:b.di] {
			row := -single // row sum minus m_i
			for c, v := range x[b.table+r*b.dj:][:b.dj] {
				row += v
				columns[c] += v
			}
			u[b.rowSums+r] = row
		}
	}
}

// proximalX is the proximal map of |x - q|_1 with x >= 0: it moves each x towards q by weight times
// its step size, but not beyond q.
func (p *projector) proximalX(x []float64, weight float64) {
	for j, q := range p.given {
		move := weight * p.stepX[j]
		distance := x[j] - q
		switch {
		case distance > move:
			x[j] -= move
		case distance < -move:
			x[j] = max(x[j]+move, 0)
		default:
			x[j] = q
		}
	}
}

// ascend adds step/weight u to the multipliers a, which are not bounded, and then adds a to sum.
func (p *projector) ascend(a, u, sum []float64, weight float64) {
	for j, step := range p.stepA {
		a[j] += step / weight * u[j]
		sum[j] += a[j]
	}
}

// bounds returns an upper and a lower bound on the smallest l1 distance between the given tables q
// and consistent tables. The upper bound is the distance between q and the repaired x. The lower
// bound is the dual function, the minimum over 0 <= x <= mu(y) of |x - q|_1 + a'(A x - b).
func (p *projector) bounds(x, a []float64) (upper, lower float64) {
	singles := p.repair(x, p.repaired)
	upper = p.distance(p.repaired, singles)
	p.gradientX(a, p.g) // A'a
	// addLeast adds the minima of |x_j - q_j| + (A'a)_j x_j over 0 <= x_j <= prior. The rest is -a'b.
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			lower = p.addLeast(lower, p.singleStart[i]+y*d, d, prior)
			lower -= a[p.totalStart[i]+y] * prior
		}
	}
	for _, b := range p.blocks {
		lower = p.addLeast(lower, b.table, b.di*b.dj, p.Prior[b.y])
	}
	return upper, lower
}

// distance returns the l1 distance of tables and singles from the given ones.
func (p *projector) distance(tables, singles []float64) (sum float64) {
	for c, v := range tables {
		sum += math.Abs(v - p.given[c])
	}
	for c, v := range singles {
		sum += math.Abs(v - p.given[len(tables)+c])
	}
	return sum
}

// addLeast handles count unknowns x_j, starting at index at. For each of them, it adds to sum the
// minimum of |x_j - q_j| + g_j x_j over 0 <= x_j <= limit, with g = A'a. The minimum lies at 0, at
// q_j or at limit.
func (p *projector) addLeast(sum float64, at, count int, limit float64) float64 {
	for j := at; j < at+count; j++ {
		g, q := p.g[j], p.given[j]
		sum += min(q, g*q, math.Abs(limit-q)+g*limit)
	}
	return sum
}

// repair returns singles near x that satisfy all constraints. It fills tables with values near x
// whose row sums and column sums equal these singles.
func (p *projector) repair(x, tables []float64) (singles []float64) {
	first := len(p.Mu) // index of the first single in x
	singles = p.repairSingles(x[first:])
	for _, b := range p.blocks {
		table := tables[b.table:][:b.di*b.dj]
		copy(table, x[b.table:])
		roundTable(table, singles[b.singleI-first:][:b.di], singles[b.singleJ-first:][:b.dj])
	}
	return singles
}

// repairSingles returns a copy of the singles in which the sum over each feature is mu(y) for every
// label y. It replaces negative values by 0. If all values of a feature and label are 0, it takes
// the given singles.
func (p *projector) repairSingles(singles []float64) []float64 {
	repaired := make([]float64, len(singles))
	for j, v := range singles {
		repaired[j] = max(v, 0)
	}
	first := len(p.Mu) // the singles begin at this index of x and of given
	for i, d := range p.Levels {
		for y, prior := range p.Prior {
			values := repaired[p.singleStart[i]-first+y*d:][:d]
			if !normalise(values, prior) {
				copy(values, p.given[p.singleStart[i]+y*d:])
			}
		}
	}
	return repaired
}

// roundTable changes a nonnegative table, len(rows) x len(columns), so that it has the given row
// sums and column sums (Altschuler, Weed and Rigollet 2017, Algorithm 2). The totals of rows and
// columns must be equal. roundTable first scales rows that are too large down to their sums, and
// then columns that are too large. If row r then lacks lackRows[r] and column c lacks
// lackColumns[c], it adds lackRows[r] lackColumns[c] / total to their common entry, where total is
// the sum of lackRows.
func roundTable(table, rows, columns []float64) {
	width := len(columns)
	scaleDownSums(table, rows, columns, width)
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
		return // all sums are right
	}
	for at := range table {
		table[at] += lackRows[at/width] * max(lackColumns[at%width], 0) / total
	}
}

// scaleDownSums scales the rows of a table of the given width down to the sums in rows, and then the
// columns down to the sums in columns. Smaller sums do not change. If rows is nil, only columns are
// scaled; if columns is nil, only rows.
func scaleDownSums(table, rows, columns []float64, width int) {
	for r, want := range rows {
		scaleDown(table[r*width:][:width], 1, want)
	}
	for c, want := range columns {
		scaleDown(table[c:], width, want)
	}
}

// scaleDown scales the values at indices 0, stride, 2 stride, ... so that their sum is at most
// want.
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
