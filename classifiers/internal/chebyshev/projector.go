package chebyshev

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// projector solves the projection problem of section 8.3 of the paper as a saddle-point problem.
// The tables q_ij of pairs and the vectors q_i of single features are given. The projector finds
// the nearest tables m_ij and vectors m_i that are consistent:
//
//	minimise sum_ij |m_ij - q_ij|_1 + sum_i |m_i - q_i|_1
//	s.t. sum_{x_j} m_ij = m_i,  sum_{x_i} m_ij = m_j,  sum_{x_i} m_i(.,y) = mu(y),  m >= 0.
//
// The unknowns x are all m_ij and then all m_i (the singles). The vector a contains the multipliers
// of the constraints A x = b: first for row sums and column sums, then for the sums of singles.
type projector struct {
	*pdhg
	*Marginals
	estimates   []float64 // q, in the layout of x: all tables as in Mu, then all singles
	singleStart []int     // m_i begins at x[singleStart[i]]: d_i values for each label
	blocks      []*block  // for each edge, one block for each label
	totalStart  int       // the multipliers of the sums of singles begin at a[totalStart]: one for each label
}

// A block contains the positions of the unknowns and multipliers of one label y and one edge. The
// edge's features i and j have di and dj values.
type block struct {
	y, di, dj                     int
	tableStart                    int // m_ij(.,.,y) begins at x[tableStart]
	singleStartI, singleStartJ    int // m_i(.,y) begins at x[singleStartI], and m_j(.,y) at x[singleStartJ]
	rowSumsStart, columnSumsStart int // in a: the multipliers of the row sums, and of the column sums
}

// table returns the part m_ij(.,.,y) of the unknowns x, in di rows of dj elements.
func (b *block) table(x []float64) []float64 { return x[b.tableStart:][:b.di*b.dj] }

// singles returns the parts m_i(.,y) and m_j(.,y) of the unknowns x.
func (b *block) singles(x []float64) (ofI, ofJ []float64) {
	return x[b.singleStartI:][:b.di], x[b.singleStartJ:][:b.dj]
}

// ofMargins returns the parts of the multipliers a for the row sums and the column sums of the table.
func (b *block) ofMargins(a []float64) (ofRows, ofColumns []float64) {
	return a[b.rowSumsStart:][:b.di], a[b.columnSumsStart:][:b.dj]
}

// single returns the part m_i(.,y) of the unknowns x.
func (p *projector) single(x []float64, i, y int) []float64 {
	d := p.Levels[i]
	return x[p.singleStart[i]+y*d:][:d]
}

// ofTotals returns the part of the multipliers a for the constraints sum_v m_i(v,y) = mu(y): one for
// each label y.
func (p *projector) ofTotals(a []float64, i int) []float64 {
	return a[p.totalStart+i*p.Classes:][:p.Classes]
}

// projectorWeight is the initial primal weight. It multiplies the steps of the probabilities x and
// divides the steps of the multipliers a. It is small because probabilities change much less than
// multipliers.
const projectorWeight = 0.03

// newProjector sets up the search for consistent probabilities close to the estimates: m.Mu for
// pairs, and singles for single features. The primal-dual method starts from the estimates.
//
// The step size of an unknown is 1 / number of constraints that contain it. The step size of a
// constraint's multiplier is 1 / number of unknowns in the constraint.
func newProjector(m *Marginals, singles [][]float64) *projector {
	p := &projector{Marginals: m, estimates: slices.Clone(m.Mu)}
	for _, single := range singles {
		p.singleStart = append(p.singleStart, len(p.estimates))
		p.estimates = append(p.estimates, single...)
	}
	var steps stepSizes
	for e := range m.Pairs {
		p.addEdge(e, &steps)
	}
	p.addSingles(&steps) // after the tables, as in the layout of x
	p.pdhg = newPDHG(p, steps)
	copy(p.x, p.estimates)
	p.weight = projectorWeight // the initial weight, which is updated later
	return p
}

// addSingles appends the step sizes for the unknowns m_i(v,y) of all features i, levels v and labels
// y. It also adds the constraints sum_v m_i(v,y) = mu(y), which are called totals.
func (p *projector) addSingles(steps *stepSizes) {
	degree := make([]int, len(p.Levels)) // number of pairs with the feature
	for _, pair := range p.Pairs {
		degree[pair.I]++
		degree[pair.J]++
	}
	p.totalStart = len(steps.stepA)
	for i, d := range p.Levels {
		constraints := degree[i] + 1 // one total, and a row or column sum for each pair
		addSteps(&steps.stepX, p.Classes*d, constraints)
		addSteps(&steps.stepA, p.Classes, d) // each total is a sum over d values
	}
}

// addEdge appends a block to p.blocks for each label of edge e. It also appends the step sizes of
// the edge's table and multipliers (see newProjector).
//
// The vector x has one section for the table m_ij, one for m_i and one for m_j. The vector a has
// one section for the row sums and one for the column sums. A section contains the values of label
// 0, then the values of label 1, and so on.
func (p *projector) addEdge(e int, steps *stepSizes) {
	const constraintsOfElement = 2 // for its row sum and for its column sum
	pair := p.Pairs[e]
	di, dj := p.dims(e)
	size := di * dj                     // elements of a table
	inRowSum, inColumnSum := dj+1, di+1 // unknowns: a row or column of the table, and its sum in m_i or m_j
	addSteps(&steps.stepX, p.Classes*size, constraintsOfElement)
	rowSumsStart := addSteps(&steps.stepA, p.Classes*di, inRowSum)
	columnSumsStart := addSteps(&steps.stepA, p.Classes*dj, inColumnSum)
	for y := range p.Classes {
		p.blocks = append(p.blocks, &block{
			y: y, di: di, dj: dj,
			tableStart:      p.Start[e] + y*size,
			singleStartI:    p.singleStart[pair.I] + y*di,
			singleStartJ:    p.singleStart[pair.J] + y*dj,
			rowSumsStart:    rowSumsStart + y*di,
			columnSumsStart: columnSumsStart + y*dj,
		})
	}
}

// gradientX sets g to A'a, the gradient of a'(A x - b) with respect to the unknowns x. The vector a
// contains one multiplier for each constraint in A x = b. For each label y, the constraints are
//
//	sum_v m_i(v,y) = mu(y)              for each feature i
//	sum_c m_ij(r,c,y) - m_i(r,y) = 0    for each row r of a table m_ij
//	sum_r m_ij(r,c,y) - m_j(c,y) = 0    for each column c of a table m_ij.
func (p *projector) gradientX(a, g []float64) {
	for i := range p.Levels {
		for y, multiplier := range p.ofTotals(a, i) { // of the first kind of constraint
			derivatives := p.single(g, i, y) // with respect to m_i(.,y)
			for v := range derivatives {
				derivatives[v] = multiplier // the coefficient of m_i(v,y) is 1
			}
		}
	}
	for _, b := range p.blocks { // one table m_ij(.,.,y): the other kinds of constraints
		b.addMargins(a, g)
	}
}

// addMargins adds the derivatives of the row and column constraints of one table to the gradient g
// (see gradientX). In these constraints, the elements of the table have the coefficient 1, and the
// probabilities of single features the coefficient -1.
func (b *block) addMargins(a, g []float64) {
	ofRows, ofColumns := b.ofMargins(a) // multipliers
	table := b.table(g)
	for r, ofRow := range ofRows {
		row := table[r*b.dj:][:len(ofColumns)]
		for c, ofColumn := range ofColumns {
			row[c] = ofRow + ofColumn // no other constraints contain this element
		}
	}
	singleI, singleJ := b.singles(g)
	floats.Sub(singleI, ofRows)
	floats.Sub(singleJ, ofColumns)
}

// gradientA sets u to A x - b, the gradient of a'(A x - b) with respect to the multipliers a. The
// elements of u are, for each label y,
//
//	sum_v m_i(v,y) - mu(y)           for each feature i
//	sum_c m_ij(r,c,y) - m_i(r,y)     for each row r of a table m_ij
//	sum_r m_ij(r,c,y) - m_j(c,y)     for each column c of a table m_ij.
func (p *projector) gradientA(x, u []float64) {
	for i := range p.Levels {
		ofTotals := p.ofTotals(u, i)
		for y, prior := range p.Prior {
			sum := -prior
			for _, v := range p.single(x, i, y) {
				sum += v
			}
			ofTotals[y] = sum
		}
	}
	for _, b := range p.blocks { // one table m_ij(.,.,y)
		table := b.table(x)
		singleI, singleJ := b.singles(x)
		ofRows, ofColumns := b.ofMargins(u)
		for c, single := range singleJ {
			ofColumns[c] = -single
		}
		for r, single := range singleI {
			sum := -single
			for c, v := range table[r*b.dj:][:b.dj] {
				sum += v
				ofColumns[c] += v
			}
			ofRows[r] = sum
		}
	}
}

// proximalX is the proximal map of |x - q|_1 for x >= 0, where q is p.estimates. It moves each x_j
// towards q_j by weight * p.stepX[j], but not beyond q_j.
func (p *projector) proximalX(x []float64, weight float64) {
	for j, q := range p.estimates {
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

// ascend adds (step/weight) u to the multipliers a, which are unbounded, and then adds a to sum.
func (p *projector) ascend(a, u, sum []float64, weight float64) {
	for j, step := range p.stepA {
		a[j] += step / weight * u[j]
		sum[j] += a[j]
	}
}

// bounds returns two bounds on the smallest l1 distance between consistent probabilities and the
// given probabilities q. The upper bound is the distance of repair(x), which is consistent.
func (p *projector) bounds(x, a []float64) (upper, lower float64) {
	for j, v := range p.repair(x) {
		upper += math.Abs(v - p.estimates[j])
	}
	return upper, p.dual(a)
}

// dual returns the minimum of |x - q|_1 + a'(A x - b) over all x with 0 <= x <= mu(y), where
// q is p.estimates. It is a lower bound on the smallest distance, because A x = b for all consistent
// x (weak duality).
//
// With g = A'a, the minimum is the sum over j of the minima of |x_j - q_j| + g_j x_j, minus a'b. In
// the constraint that m_i(.,y) sums to mu(y), b is mu(y). In all others, b is 0.
func (p *projector) dual(a []float64) float64 {
	p.gradientX(a, p.g)
	sum := 0.0
	for i := range p.Levels { // the unknowns m_i(.,y)
		for y, multiplier := range p.ofTotals(a, i) {
			prior := p.Prior[y] // mu(y)
			g, q := p.single(p.g, i, y), p.single(p.estimates, i, y)
			sum = addLeast(sum, g, q, prior)
			sum -= multiplier * prior // the only nonzero terms of a'b
		}
	}
	for _, b := range p.blocks { // the unknowns m_ij(.,.,y)
		g, q := b.table(p.g), b.table(p.estimates)
		sum = addLeast(sum, g, q, p.Prior[b.y])
	}
	return sum
}

// addLeast returns sum plus, for each j, the minimum of |x_j - q_j| + g_j x_j over 0 <= x_j <=
// limit. Each minimum lies at 0, at q_j or at limit.
func addLeast(sum float64, g, q []float64, limit float64) float64 {
	for j := range g {
		sum += min(q[j], g[j]*q[j], math.Abs(limit-q[j])+g[j]*limit)
	}
	return sum
}

// repair returns a copy of x that satisfies all constraints. For each feature i and label y, it makes
// the probabilities of the feature's values nonnegative and scales them to sum to p.Prior[y]. It then
// changes the tables of pairs so that their row and column sums are these probabilities.
func (p *projector) repair(x []float64) []float64 {
	x = slices.Clone(x)
	for i := range p.Levels {
		for y, prior := range p.Prior {
			single := p.single(x, i, y) // a part of x
			for v := range single {
				single[v] = max(single[v], 0)
			}
			hasMass := normalise(single, prior)
			if !hasMass { // the estimates also sum to prior
				copy(single, p.single(p.estimates, i, y))
			}
		}
	}
	for _, b := range p.blocks {
		rowSums, columnSums := b.singles(x)
		setMargins(b.table(x), rowSums, columnSums)
	}
	return x
}

// setMargins changes a nonnegative table so that it has the given row and column sums (Altschuler, Weed and
// Rigollet 2017, Algorithm 2). The totals of rows and columns must be equal.
func setMargins(table, rows, columns []float64) {
	width := len(columns)
	scaleDownSums(table, rows, columns, width)
	lackRows, lackColumns := slices.Clone(rows), slices.Clone(columns) // the loop subtracts the actual sums
	for r := range rows {
		for c, v := range table[r*width:][:width] {
			lackRows[r] -= v
			lackColumns[c] -= v
		}
	}
	// The table's sums are now at most the wanted sums. Differences are negative only because of rounding.
	total := 0.0
	for r, v := range lackRows {
		lackRows[r] = max(v, 0)
		total += lackRows[r]
	}
	if total == 0 {
		return // all sums are right
	}
	// What all rows lack together equals what all columns lack together: total. So adding lackRows[r] *
	// lackColumns[c] / total to each cell (r,c) corrects all sums.
	for r, lackRow := range lackRows {
		for c, lackColumn := range lackColumns {
			table[r*width+c] += lackRow * max(lackColumn, 0) / total
		}
	}
}

// scaleDownSums scales each row r of a table to a sum of at most rows[r], and then each column c to
// a sum of at most columns[c]. Sums have no limit if rows or columns is nil.
func scaleDownSums(table, rows, columns []float64, width int) {
	for r, want := range rows {
		scaleDown(table[r*width:][:width], adjacent, want)
	}
	for c, want := range columns {
		scaleDown(table[c:], width, want)
	}
}

// scaleDown scales the values at indices 0, stride, 2 stride, ... to a sum of at most limit.
func scaleDown(values []float64, stride int, limit float64) {
	sum := 0.0
	for c := 0; c < len(values); c += stride {
		sum += values[c]
	}
	if sum <= limit {
		return
	}
	for c := 0; c < len(values); c += stride {
		values[c] *= limit / sum
	}
}
