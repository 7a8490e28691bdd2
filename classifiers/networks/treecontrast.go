package networks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/tree"
	"copse/stats/kde"
)

// A weightedSample holds rows of discrete variables from two classes, with the weights that
// boosting gives them.
type weightedSample struct {
	codes  [][]int   // n x d: the level of each variable
	labels []int     // the class of each row, 0 or 1
	levels []int     // the number of levels of each variable
	weight []float64 // of each row; their mean is 1
	pseudo float64   // rows added to each class, spread evenly over the cells of a table
	floor  float64   // least frequency before the logarithm
}

// newWeightedSample returns the rows with equal weights.
func newWeightedSample(codes [][]int, labels, levels []int, pseudo, floor float64) *weightedSample {
	s := &weightedSample{
		codes:  codes,
		labels: labels,
		levels: levels,
		pseudo: pseudo,
		floor:  floor,
		weight: make([]float64, len(labels)),
	}
	for i := range s.weight {
		s.weight[i] = 1
	}
	return s
}

// A treeContrast is the log ratio of two tree distributions, p^ of class 1 and q^ of class 0, each
// times its class's share: log P p^(x) / (Q q^(x)).
type treeContrast struct {
	constant float64     // log P/Q
	singles  [][]float64 // at [variable][level]: log p_i / q_i
	edges    []tree.Edge // of the tree of p^, then of the tree of q^
	// pairs[k] belongs to edges[k]. At level(I)*levels(J) + level(J) it has log p_IJ / (p_I p_J),
	// for an edge of q^ the negative of that with q.
	pairs  [][]float64
	levels []int
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

// scale multiplies the contrast by a factor.
func (t *treeContrast) scale(by float64) {
	t.constant *= by
	for _, s := range t.singles {
		floats.Scale(by, s)
	}
	for _, p := range t.pairs {
		floats.Scale(by, p)
	}
}

// frequencies returns, for each class, the weighted frequencies of the levels of variable j if
// i = j, else of the pairs of levels: at level(i)*levels(j) + level(j).
func (s *weightedSample) frequencies(i, j int) (p [2][]float64) {
	cells := s.levels[j]
	if i != j {
		cells *= s.levels[i]
	}
	total := [2]float64{s.pseudo, s.pseudo}
	for class := range p {
		p[class] = make([]float64, cells)
		floats.AddConst(s.pseudo/float64(cells), p[class])
	}
	for r, row := range s.codes {
		cell := row[j]
		if i != j {
			cell += row[i] * s.levels[j]
		}
		class := s.labels[r]
		p[class][cell] += s.weight[r]
		total[class] += s.weight[r]
	}
	for class := range p {
		floats.Scale(1/total[class], p[class])
	}
	return p
}

// trees returns the contrast of the two discriminative trees. With forest they leave out edges
// whose weight is not positive.
func (s *weightedSample) trees(forest bool) treeContrast {
	t := treeContrast{levels: s.levels}
	logs := s.logFrequencies()
	for j := range s.levels {
		ratios := make([]float64, s.levels[j])
		floats.SubTo(ratios, logs[1][j], logs[0][j])
		t.singles = append(t.singles, ratios)
	}
	weights := s.edgeWeights(logs)
	for _, class := range []int{1, 0} { // class 1 has p^, class 0 has q^
		for _, e := range tree.MaximumOf(weights[class], forest) {
			ratios := s.logRatios(s.frequencies(e.I, e.J)[class], logs[class], e.I, e.J)
			floats.Scale(signOf(class), ratios)
			t.edges = append(t.edges, e)
			t.pairs = append(t.pairs, ratios)
		}
	}
	total := s.classWeights()
	t.constant = math.Log(total[1]) - math.Log(total[0])
	return t
}

// logFrequencies returns the logs of the frequencies of single variables, at
// [class][variable][level].
func (s *weightedSample) logFrequencies() (logs [2][][]float64) {
	for j := range s.levels {
		for class, p := range s.frequencies(j, j) {
			for level, frequency := range p {
				p[level] = kde.Log(frequency, s.floor)
			}
			logs[class] = append(logs[class], p)
		}
	}
	return logs
}

// edgeWeights returns the weights of both classes' trees: E_p[l_ij] - E_q[l_ij], where p is the
// distribution of the class, l_ij its log ratio, and q the distribution of the other class.
func (s *weightedSample) edgeWeights(logs [2][][]float64) (weights [2]*mat.SymDense) {
	d := len(s.levels)
	for class := range weights {
		weights[class] = mat.NewSymDense(d, nil)
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			p := s.frequencies(i, j)
			for class, w := range weights {
				ratios := s.logRatios(p[class], logs[class], i, j)
				w.SetSym(i, j, floats.Dot(p[class], ratios)-floats.Dot(p[1-class], ratios))
			}
		}
	}
	return weights
}

// logRatios returns log p_ij / (p_i p_j) of each pair of levels in one class, given the frequencies
// p of the pairs and the log frequencies of the single variables.
func (s *weightedSample) logRatios(p []float64, logs [][]float64, i, j int) []float64 {
	ratios := make([]float64, len(p))
	for cell, frequency := range p {
		levelI, levelJ := cell/s.levels[j], cell%s.levels[j]
		ratios[cell] = kde.Log(frequency, s.floor) - logs[i][levelI] - logs[j][levelJ]
	}
	return ratios
}

const (
	maxConfidence   = 8.0    // log ratios of densities are large already
	confidenceSteps = 50     // bisections of the interval [0, maxConfidence]
	leastWeight     = 1e-100 // replaces weights that vanish, before the logarithm
)

// reweigh multiplies the weight of each row by exp(-a y h), where h is its contrast, y its sign,
// and a the minimiser of the sum of the new weights. It returns a, which is 0 if h does not lower
// the sum. more is false if boosting ends: all rows have the right sign, a is 0, or a class has
// lost all weight.
func (s *weightedSample) reweigh(t treeContrast) (a float64, more bool) {
	margins := make([]float64, len(s.codes)) // y h
	for r, row := range s.codes {
		margins[r] = signOf(s.labels[r]) * t.value(row)
	}
	if slices.Min(margins) > 0 {
		return 1, false
	}
	if s.decrease(margins, 0) <= 0 {
		return 0, false
	}
	a = s.confidence(margins)
	logs := make([]float64, len(margins))
	for r, m := range margins {
		logs[r] = math.Log(max(s.weight[r], leastWeight)) - a*m
	}
	largest := slices.Max(logs)
	for r, l := range logs {
		s.weight[r] = math.Exp(l - largest)
	}
	floats.Scale(float64(len(s.weight))/floats.Sum(s.weight), s.weight)
	total := s.classWeights()
	return a, total[0] > 0 && total[1] > 0
}

// signOf returns 1 for class 1 and -1 for class 0.
func signOf(class int) float64 { return float64(2*class - 1) }

// classWeights returns the sum of the weights of each class.
func (s *weightedSample) classWeights() (total [2]float64) {
	for r, w := range s.weight {
		total[s.labels[r]] += w
	}
	return total
}

// confidence returns the a in [0, maxConfidence] that minimises the sum of w exp(-a m) over the
// rows, which decreases at a = 0.
func (s *weightedSample) confidence(margins []float64) (a float64) {
	low, high := 0.0, maxConfidence
	for range confidenceSteps {
		a = (low + high) / 2
		if s.decrease(margins, a) > 0 {
			low = a
		} else {
			high = a
		}
	}
	return a
}

// decrease returns minus the derivative of the sum of w exp(-a m) by a, times a positive factor.
func (s *weightedSample) decrease(margins []float64, a float64) float64 {
	largest := math.Inf(-1) // exponent, which is subtracted from all
	for _, m := range margins {
		largest = max(largest, -a*m)
	}
	var sum float64
	for r, m := range margins {
		sum += s.weight[r] * m * math.Exp(-a*m-largest)
	}
	return sum
}
