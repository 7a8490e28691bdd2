package networks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/spanning"
	"copse/stats/kde"
)

type weightedSample struct {
	codes  [][]int   // n x d: level of each variable in each row
	labels []int     // class of each row, 0 or 1
	levels []int     // number of levels of each variable
	weight []float64 // weight of each row; the mean weight is 1
	pseudo float64   // pseudo-rows added to each class, spread evenly over the cells of a table
	floor  float64   // lower bound on a frequency before its logarithm is taken
}

func newWeightedSample(codes [][]int, labels, levels []int, pseudo, floor float64) *weightedSample {
	return &weightedSample{
		codes:  codes,
		labels: labels,
		levels: levels,
		weight: slices.Repeat([]float64{1}, len(labels)),
		pseudo: pseudo,
		floor:  floor,
	}
}

// A treeContrast is the function
//
//	log(P p^(x)) - log(Q q^(x)).
//
// p^ is the estimated tree distribution of class 1, and q^ of class 0. P and Q are the total
// weights of these classes.
type treeContrast struct {
	constant float64         // log P/Q
	singles  [][]float64     // singles[i][level]: log p_i(level) / q_i(level)
	edges    []spanning.Edge // edges of the tree of p^, followed by edges of the tree of q^
	// pairs[k] belongs to edges[k]. For each pair of levels of its variables I and J, it contains
	//
	//	log(p_IJ / (p_I p_J))   if the edge belongs to the tree of p^
	//	-log(q_IJ / (q_I q_J))  if the edge belongs to the tree of q^
	//
	// at the index level(I)*levels[J] + level(J).
	pairs  [][]float64
	levels []int // number of levels of each variable
}

// value returns the contrast for a row of level codes. Positive values favour class 1.
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

func (s *weightedSample) pairFrequencies(i, j int) (p [2][]float64) {
	return s.frequencies(s.levels[i]*s.levels[j], func(row []int) int { return row[i]*s.levels[j] + row[j] })
}

// frequencies returns weighted relative frequencies. p[class][cell] is
//
//	(pseudo/cells + W_cell) / (pseudo + W).
//
// W_cell is the total weight of the rows of the class in the cell, and W their sum. cellOf returns
// the cell of a row.
func (s *weightedSample) frequencies(cells int, cellOf func(row []int) int) (p [2][]float64) {
	total := [2]float64{s.pseudo, s.pseudo}
	for class := range p {
		p[class] = make([]float64, cells)
		floats.AddConst(s.pseudo/float64(cells), p[class])
	}
	for r, row := range s.codes {
		class := s.labels[r]
		p[class][cellOf(row)] += s.weight[r]
		total[class] += s.weight[r]
	}
	for class := range p {
		floats.Scale(1/total[class], p[class])
	}
	return p
}

// contrast returns the treeContrast of the weighted sample. If forest is true, the trees have only
// edges of positive weight.
func (s *weightedSample) contrast(forest bool) treeContrast {
	total := s.classWeights()
	t := treeContrast{constant: math.Log(total[1]) - math.Log(total[0]), levels: s.levels}
	logs := s.logFrequencies()
	for j := range s.levels {
		logRatios := make([]float64, s.levels[j]) // log p_j / q_j
		floats.SubTo(logRatios, logs[1][j], logs[0][j])
		t.singles = append(t.singles, logRatios)
	}
	weights := s.edgeWeights(logs)
	s.addTree(&t, spanning.MaximumOf(weights[1], forest), 1, logs) // p^
	s.addTree(&t, spanning.MaximumOf(weights[0], forest), 0, logs) // q^
	return t
}

// addTree adds the edges of a class's tree to t, with their terms log p_ij / (p_i p_j), which are
// negative for class 0.
func (s *weightedSample) addTree(t *treeContrast, edges []spanning.Edge, class int, logs [2][][]float64) {
	for _, e := range edges {
		p := s.pairFrequencies(e.I, e.J)
		dependence := s.logRatios(p[class], logs[class], e.I, e.J) // log p_ij / (p_i p_j)
		if class == 0 {
			floats.Scale(-1, dependence)
		}
		t.edges = append(t.edges, e)
		t.pairs = append(t.pairs, dependence)
	}
}

func (s *weightedSample) logFrequencies() (logs [2][][]float64) {
	for j := range s.levels {
		for class, p := range s.frequencies(s.levels[j], func(row []int) int { return row[j] }) {
			for level, frequency := range p {
				p[level] = kde.Log(frequency, s.floor)
			}
			logs[class] = append(logs[class], p)
		}
	}
	return logs
}

// edgeWeights returns a matrix of edge weights for each class. The weight of edge ij is
//
//	E_p[l_ij] - E_q[l_ij],  l_ij = log p_ij / (p_i p_j).
//
// E_p is the expectation in this class, and E_q in the other class. logs[class][i][level] is the
// log frequency of a level of variable i.
func (s *weightedSample) edgeWeights(logs [2][][]float64) (weights [2]*mat.SymDense) {
	d := len(s.levels)
	for class := range weights {
		weights[class] = mat.NewSymDense(d, nil)
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			p := s.pairFrequencies(i, j) // p[class] contains a frequency for each pair of levels
			for class, w := range weights {
				ratios := s.logRatios(p[class], logs[class], i, j)
				w.SetSym(i, j, floats.Dot(p[class], ratios)-floats.Dot(p[1-class], ratios))
			}
		}
	}
	return weights
}

// logRatios returns log(p_ij / (p_i p_j)) in one class for each pair of levels, at the index
// level(i)*levels[j] + level(j).
//
// p contains the frequencies p_ij in the same order. logs[i][level] is the log frequency of a level
// of variable i.
func (s *weightedSample) logRatios(p []float64, logs [][]float64, i, j int) []float64 {
	ratios := make([]float64, len(p))
	for cell, frequency := range p {
		levelI, levelJ := cell/s.levels[j], cell%s.levels[j]
		ratios[cell] = kde.Log(frequency, s.floor) - logs[i][levelI] - logs[j][levelJ]
	}
	return ratios
}

const (
	maxConfidence   = 8.0    // largest confidence; the contrasts themselves are already large
	confidenceSteps = 50     // number of bisections of [0, maxConfidence]
	leastWeight     = 1e-100 // lower bound on a weight before its logarithm is taken
)

// reweigh performs a round of boosting with the contrast t. It returns the confidence a of t, and
// whether a further round can follow.
//
// The weight of each row r is multiplied by exp(-a m_r), where m_r is t(x_r) in class 1 and -t(x_r)
// in class 0. The confidence minimises the sum of the weights.
//
// If t classifies all rows correctly, a is 1. If no positive a lowers the sum of the weights, a is
// 0. In both cases, no weight changes.
func (s *weightedSample) reweigh(t treeContrast) (a float64, more bool) {
	margins := make([]float64, len(s.codes))
	for r, row := range s.codes {
		sign := float64(2*s.labels[r] - 1) // 1 for class 1, -1 for class 0
		margins[r] = sign * t.value(row)
	}
	if slices.Min(margins) > 0 {
		return 1, false // t classifies all rows correctly
	}
	if decrease(s.weight, margins, 0) <= 0 {
		return 0, false // the sum does not decrease at a = 0; it is convex, so no a > 0 lowers it
	}
	a = confidence(s.weight, margins)
	s.multiplyWeights(margins, a)
	total := s.classWeights()
	return a, total[0] > 0 && total[1] > 0 // trees need weights above 0 in both classes
}

// multiplyWeights multiplies the weight of each row r by exp(-a margins[r]) and scales the weights
// to mean 1.
func (s *weightedSample) multiplyWeights(margins []float64, a float64) {
	logs := make([]float64, len(margins))
	for r, m := range margins {
		logs[r] = math.Log(max(s.weight[r], leastWeight)) - a*m
	}
	largest := slices.Max(logs)
	for r, l := range logs {
		s.weight[r] = math.Exp(l - largest)
	}
	floats.Scale(float64(len(s.weight))/floats.Sum(s.weight), s.weight)
}

func (s *weightedSample) classWeights() (total [2]float64) {
	for r, w := range s.weight {
		total[s.labels[r]] += w
	}
	return total
}

// confidence returns the a in [0, maxConfidence] that minimises sum_r w_r exp(-a m_r) for weights w
// and margins m. The sum must decrease at a = 0.
func confidence(weights, margins []float64) (a float64) {
	// The sum is convex in a, so its derivative changes sign at most once.
	low, high := 0.0, maxConfidence
	for range confidenceSteps {
		a = (low + high) / 2
		if decrease(weights, margins, a) > 0 {
			low = a
		} else {
			high = a
		}
	}
	return a
}

// decrease returns a positive multiple of
//
//	sum_r w_r m_r exp(-a m_r).
//
// This is minus the derivative of sum_r w_r exp(-a m_r) with respect to a.
func decrease(weights, margins []float64, a float64) float64 {
	largest := -a * slices.Min(margins) // largest exponent, subtracted so that exp does not overflow
	var sum float64
	for r, m := range margins {
		sum += weights[r] * m * math.Exp(-a*m-largest)
	}
	return sum
}
