package metrics

import (
	"cmp"
	"math"
	"slices"
)

// A ROC is the curve of true against false positive rates of one class against all
// others, as the score that says that a row is of the class falls: from (0, 0) to (1, 1),
// both ascending, one point for each value of the score. Rows of one value are one
// straight piece, so that the area below is the AUC with ties counted half.
type ROC struct{ False, True []float64 }

// NewROC is that of predictions, by the score that ranks rows for the metrics of a class;
// of two classes the area below that of class 1 is the metric auc. nil: the rule has no
// scores, or the rows are all or none of the class.
func NewROC(p *Predictions, class int) *ROC {
	if p.Scores == nil {
		return nil
	}
	steps := stepsDown(p, class)
	if len(steps) == 0 || steps[len(steps)-1].hits == len(p.Truth) {
		return nil
	}
	all := steps[len(steps)-1]
	positive, negative := float64(all.hits), float64(all.rows-all.hits)
	c := &ROC{[]float64{0}, []float64{0}}
	for _, s := range steps {
		c.False = append(c.False, float64(s.rows-s.hits)/negative)
		c.True = append(c.True, float64(s.hits)/positive)
	}
	return c
}

// Over are the true positive rates at ascending false positive rates, by linear
// interpolation: what vertical averaging (Fawcett 2006, algorithm 3) averages. Where the
// curve is upright it is its upper end.
func (c *ROC) Over(rates []float64) []float64 {
	heights, i := make([]float64, len(rates)), 0
	for k, rate := range rates {
		for i+1 < len(c.False) && c.False[i+1] <= rate {
			i++
		}
		heights[k] = c.True[i]
		if i+1 < len(c.False) {
			heights[k] += (rate - c.False[i]) / (c.False[i+1] - c.False[i]) * (c.True[i+1] - c.True[i])
		}
	}
	return heights
}

// Area is that below the curve.
func (c *ROC) Area() float64 {
	sum := 0.0
	for i := 1; i < len(c.False); i++ {
		sum += (c.False[i] - c.False[i-1]) * (c.True[i] + c.True[i-1]) / 2
	}
	return sum
}

// A Bin is the rows whose predicted probability lies in one interval.
type Bin struct {
	Rows, Hits int
	Predicted  float64 // sum of the predicted probabilities
}

// Reliability puts rows into bins of equal width of the probability predicted for a
// class, bin b of n those in (b/n, (b+1)/n], 0 in the first; a hit is a row of the class.
// A negative class is each row's predicted one, as the metric ece has it. nil: the rule
// has no probabilities.
func Reliability(p *Predictions, class, n int) []Bin {
	if p.Probabilities == nil {
		return nil
	}
	bins := make([]Bin, n)
	for i, truth := range p.Truth {
		predicted := class
		if class < 0 {
			predicted = p.Labels[i]
		}
		v := p.Probabilities.At(i, predicted)
		b := &bins[binOf(v, n)]
		b.Rows++
		b.Predicted += v
		if truth == predicted {
			b.Hits++
		}
	}
	return bins
}

// binOf is the place of a probability among n bins of equal width, b holding those in
// (b/n, (b+1)/n]. Shares of votes lie on the edges, but for what their rounding adds.
func binOf(v float64, n int) int {
	const rounding = 1e-9
	return min(max(int(math.Ceil(v*float64(n)-rounding))-1, 0), n-1)
}

// A step is the rows down to one value of a class's score, and those of them that are of
// the class.
type step struct{ rows, hits int }

// stepsDown are those of all values, the largest first; none where no row is of the class.
func stepsDown(p *Predictions, class int) (steps []step) {
	if !slices.Contains(p.Truth, class) {
		return nil
	}
	order := allRows(len(p.Truth))
	scores := scoresOf(order, against(p, class))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	hits := 0
	for k, i := range order {
		if p.Truth[i] == class {
			hits++
		}
		if k+1 == len(order) || scores[order[k+1]] != scores[i] {
			steps = append(steps, step{k + 1, hits})
		}
	}
	return steps
}

// allRows returns the numbers of n rows.
func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
