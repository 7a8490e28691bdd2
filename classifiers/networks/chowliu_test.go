package networks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// codes draws n rows of d dependent variables with three levels.
func codes(n, d int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := range d {
			v := rng.Intn(3)
			if j > 0 && rng.Intn(3) > 0 { // class 1 follows another variable
				v = int(x.At(i, (j-1)*(1-y[i])))
			}
			x.Set(i, j, float64(v))
		}
	}
	s := dataset.New(x, y, 2)
	for j := range s.Attributes {
		s.Attributes[j].Kind, s.Attributes[j].Levels = dataset.Discrete, []string{"a", "b", "c"}
	}
	return s
}

// TestChowLiuIsTheLikeliest: for relative frequencies, the tree has the largest likelihood for the rows of
// each class among all sixteen trees of four variables.
func TestChowLiuIsTheLikeliest(t *testing.T) {
	train := codes(300, 4, 1)
	recipe := NewChowLiu()
	recipe.PseudoRows, recipe.Priors = 0, method.EqualPriors
	scores := methodtest.Fit(t, recipe, train).Scores(train.X)
	for c := range 2 {
		rows := train.ClassRows(c)
		share := func(i, j int, row []float64) float64 { // of the rows with these levels
			count := 0.0
			for _, r := range rows {
				if train.X.At(r, i) == row[i] && train.X.At(r, j) == row[j] {
					count++
				}
			}
			return count / float64(len(rows))
		}
		var got float64
		for _, r := range rows {
			got += scores.At(r, c) - math.Log(0.5)
		}
		best := math.Inf(-1)
		for code := range 4 * 4 { // Pruefer's sequences of length two
			var likelihood float64
			edges := prueferTree([]int{code / 4, code % 4})
			for _, r := range rows {
				row := train.X.RawRowView(r)
				for i := range 4 {
					likelihood += math.Log(share(i, i, row))
				}
				for _, e := range edges {
					likelihood += math.Log(share(e[0], e[1], row) / (share(e[0], e[0], row) * share(e[1], e[1], row)))
				}
			}
			best = max(best, likelihood)
		}
		if math.Abs(got-best) > 1e-9*math.Abs(best) {
			t.Errorf("class %d: log likelihood %v, the best tree's %v", c, got, best)
		}
	}
}

// prueferTree returns the edges of the tree with the given sequence.
func prueferTree(sequence []int) [][2]int {
	d := len(sequence) + 2
	degree := make([]int, d)
	for _, v := range sequence {
		degree[v]++
	}
	used := make([]bool, d)
	var edges [][2]int
	for _, v := range sequence {
		for leaf := range d {
			if degree[leaf] == 0 && !used[leaf] {
				edges = append(edges, [2]int{leaf, v})
				used[leaf] = true
				degree[v]--
				break
			}
		}
	}
	var last []int
	for v := range d {
		if !used[v] {
			last = append(last, v)
		}
	}
	return append(edges, [2]int{last[0], last[1]})
}

// TestChowLiuIsADistribution: e^score over all cells sums to the prior.
func TestChowLiuIsADistribution(t *testing.T) {
	train := codes(40, 3, 2)
	var cells []float64
	for k := range 27 {
		cells = append(cells, float64(k/9), float64(k/3%3), float64(k%3))
	}
	scores := methodtest.Fit(t, NewChowLiu(), train).Scores(mat.NewDense(27, 3, cells))
	scores.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, scores)
	for c := range 2 {
		if sum := floats.Sum(mat.Col(nil, c, scores)); math.Abs(sum-0.5) > 1e-12 {
			t.Errorf("class %d: %v, want 1/2", c, sum)
		}
	}
}
