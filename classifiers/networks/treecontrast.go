package networks

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/tree"
	"copse/stats/kde"
)

// A contrast holds weighted rows of two classes of discrete variables.
type contrast struct {
	codes         [][]int // n x d
	labels        []int
	levels        []int
	weight        []float64 // of the rows, with mean 1
	pseudo, floor float64   // rows added to each class, least frequency
}

func newContrast(codes [][]int, labels, levels []int, pseudo, floor float64) *contrast {
	c := &contrast{
		codes:  codes,
		labels: labels,
		levels: levels,
		pseudo: pseudo,
		floor:  floor,
		weight: make([]float64, len(labels)),
	}
	for i := range c.weight {
		c.weight[i] = 1
	}
	return c
}

// A treeContrast is log P p^(x) / (Q q^(x)) of two trees.
type treeContrast struct {
	constant float64
	singles  [][]float64 // by variable and level
	edges    []tree.Edge // of p^, class 1's, then of q^
	pairs    [][]float64 // by edge and level of I, then of J
	levels   []int
}

// value returns the contrast of a row of codes.
func (t *treeContrast) value(row []int) float64 {
	sum := t.constant
	for j, v := range row {
		sum += t.singles[j][v]
	}
	for k, e := range t.edges {
		sum += t.pairs[k][row[e.I]*t.levels[e.J]+row[e.J]]
	}
	return sum
}

func (t *treeContrast) scale(by float64) {
	t.constant *= by
	for _, s := range t.singles {
		floats.Scale(by, s)
	}
	for _, p := range t.pairs {
		floats.Scale(by, p)
	}
}

// frequencies returns the classes' weighted frequencies of the pairs of levels of
// two variables, or of the levels of one.
func (c *contrast) frequencies(i, j int) (p [2][]float64) {
	cells := c.levels[j]
	if i != j {
		cells *= c.levels[i]
	}
	total := [2]float64{c.pseudo, c.pseudo}
	for class := range p {
		p[class] = make([]float64, cells)
		floats.AddConst(c.pseudo/float64(cells), p[class])
	}
	for r, row := range c.codes {
		cell := row[j]
		if i != j {
			cell += row[i] * c.levels[j]
		}
		p[c.labels[r]][cell] += c.weight[r]
		total[c.labels[r]] += c.weight[r]
	}
	for class := range p {
		floats.Scale(1/total[class], p[class])
	}
	return p
}

// trees returns the contrast of the two discriminative trees.
func (c *contrast) trees(forest bool) treeContrast {
	d := len(c.levels)
	t := treeContrast{levels: c.levels}
	var logs [2][][]float64 // of the variables' frequencies
	for j := range d {
		p := c.frequencies(j, j)
		single := make([]float64, c.levels[j])
		for class := range p {
			l := make([]float64, c.levels[j])
			for v := range l {
				l[v] = kde.Log(p[class][v], c.floor)
			}
			logs[class] = append(logs[class], l)
		}
		floats.SubTo(single, logs[1][j], logs[0][j])
		t.singles = append(t.singles, single)
	}
	weights := [2]*mat.SymDense{mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)}
	for i := range d {
		for j := i + 1; j < d; j++ {
			p := c.frequencies(i, j)
			for class, w := range weights {
				ratios := c.ratios(p[class], logs[class], i, j)
				w.SetSym(i, j, floats.Dot(p[class], ratios)-floats.Dot(p[1-class], ratios))
			}
		}
	}
	for _, class := range []int{1, 0} {
		for _, e := range tree.MaximumOf(weights[class], forest) {
			ratios := c.ratios(c.frequencies(e.I, e.J)[class], logs[class], e.I, e.J)
			floats.Scale(float64(2*class-1), ratios)
			t.edges, t.pairs = append(t.edges, e), append(t.pairs, ratios)
		}
	}
	total := c.total()
	t.constant = math.Log(total[1]) - math.Log(total[0])
	return t
}

// ratios returns log p_ij / (p_i p_j) by cell.
func (c *contrast) ratios(p []float64, logs [][]float64, i, j int) []float64 {
	ratios := make([]float64, len(p))
	for k, v := range p {
		ratios[k] = kde.Log(v, c.floor) - logs[i][k/c.levels[j]] - logs[j][k%c.levels[j]]
	}
	return ratios
}

const (
	// maxConfidence bounds a: log ratios of densities are large already.
	maxConfidence = 8.0
	// confidenceSteps halve the interval that holds a.
	confidenceSteps = 50
	// leastWeight stands for weights that vanish.
	leastWeight = 1e-100
)

// reweigh multiplies the weights by exp(-a y h), a the minimiser of their sum, and
// returns a; 0 where h does not lower the sum. more is false when no other tree is
// to be had: no row is on the wrong side, or a is 0.
func (c *contrast) reweigh(t treeContrast) (a float64, more bool) {
	margin := make([]float64, len(c.codes)) // y h
	wrong := false
	for r, row := range c.codes {
		margin[r] = float64(2*c.labels[r]-1) * t.value(row)
		wrong = wrong || margin[r] <= 0
	}
	if !wrong {
		return 1, false
	}
	if c.slope(margin, 0) <= 0 {
		return 0, false
	}
	low, high := 0.0, maxConfidence
	for range confidenceSteps {
		if a = (low + high) / 2; c.slope(margin, a) > 0 {
			low = a
		} else {
			high = a
		}
	}
	logs, top := make([]float64, len(margin)), math.Inf(-1)
	for r, m := range margin {
		logs[r] = math.Log(max(c.weight[r], leastWeight)) - a*m
		top = max(top, logs[r])
	}
	for r, l := range logs {
		c.weight[r] = math.Exp(l - top)
	}
	floats.Scale(float64(len(c.weight))/floats.Sum(c.weight), c.weight)
	total := c.total()
	return a, total[0] > 0 && total[1] > 0
}

// total returns the classes' weights.
func (c *contrast) total() (total [2]float64) {
	for r, w := range c.weight {
		total[c.labels[r]] += w
	}
	return total
}

// slope returns the sum of w y h exp(-a y h), whose zero is the minimiser, but for
// a positive factor.
func (c *contrast) slope(margin []float64, a float64) float64 {
	top := math.Inf(-1)
	for _, m := range margin {
		top = max(top, -a*m)
	}
	var sum float64
	for r, m := range margin {
		sum += c.weight[r] * m * math.Exp(-a*m-top)
	}
	return sum
}
