package networks

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/methodtest"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// scorerOf returns the scorer of a Markov chain, and all log densities of three classes and four variables.
func scorerOf(t *testing.T, m *MarkovChain, train *dataset.Set) (*chainScorer, *logdensity.Map) {
	t.Helper()
	scorer, err := m.scorer(t.Context(), train, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	options := logdensity.Options{Rule: kde.NormalReference} // the defaults of the recipe
	densities, err := logdensity.Fit(t.Context(), train, options, logdensity.All(3, 4))
	if err != nil {
		t.Fatal(err)
	}
	return scorer, densities
}

func exhaustive(t *testing.T, j *chainScorer) []int {
	t.Helper()
	chain, err := j.exhaustive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

// TestMarkovChainFormula: the scores are the chain's conditional log densities.
func TestMarkovChainFormula(t *testing.T) {
	train, test := methodtest.Gaussians(90, 4, 3, 1), methodtest.Gaussians(30, 4, 3, 2)
	recipe := NewMarkovChain()
	scorer, densities := scorerOf(t, recipe, train)
	chain := exhaustive(t, scorer)
	logs, err := densities.FeaturesIn(t.Context(), nil, test.X)
	if err != nil {
		t.Fatal(err)
	}
	at := func(r, c, a, b int) float64 {
		return logs.At(r, slices.Index(densities.Entries, logdensity.Entry{Class: c, I: min(a, b), J: max(a, b)}))
	}
	scores := methodtest.Fit(t, recipe, train).Scores(test.X)
	for r := range test.N() {
		for c := range 3 {
			want := math.Log(1.0/3) + at(r, c, chain[0], chain[0])
			for k := 1; k < 4; k++ {
				want += at(r, c, chain[k-1], chain[k]) - at(r, c, chain[k-1], chain[k-1])
			}
			if got := scores.At(r, c); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Fatalf("row %d, class %d: %v, want %v", r, c, got, want)
			}
		}
	}
}

// TestChainVerdict: the errors and the log loss of a chain equal those computed from the log densities of the
// classes.
func TestChainVerdict(t *testing.T) {
	train := methodtest.Gaussians(90, 4, 3, 1)
	recipe := NewMarkovChain()
	recipe.Judge = trainSet
	scorer, densities := scorerOf(t, recipe, train)
	logs := densities.Values(nil, train.X)
	chain, want := []int{2, 0, 3, 1}, chainCost{}
	for r, y := range train.Y {
		scores := []float64{0, 0, 0} // equal shares
		for k, e := range densities.Entries {
			neighbours := math.Abs(float64(slices.Index(chain, e.I)-slices.Index(chain, e.J))) == 1
			switch {
			case e.I != e.J && neighbours:
				scores[e.Class] += logs.At(r, k)
			case e.I == e.J && e.I != chain[0] && e.I != chain[3]:
				scores[e.Class] -= logs.At(r, k)
			}
		}
		if floats.MaxIdx(scores) != y {
			want.errors++
		}
		want.loss += floats.LogSumExp(scores) - scores[y]
	}
	got := costOf(scorer, chain)
	if got.errors != want.errors || math.Abs(got.loss-want.loss) > 1e-12*float64(train.N()) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// randomScorer has random gains.
func randomScorer(n, classes, d int, seed uint64) *chainScorer {
	rng := randtest.New(seed)
	y := make([]int, n)
	for i := range y {
		y[i] = i % classes
	}
	j := newChainScorer(y, classes, d, make([]float64, classes))
	for _, gain := range append(j.gain, j.independent) {
		for k := range gain {
			gain[k] = rng.NormFloat64()
			switch own := y[k/j.others]; own {
			case 0:
				gain[k] -= 0.2
			case 1 + k%j.others:
				gain[k] += 0.2
			}
		}
	}
	return j
}

// costOf returns the cost of a chain as the sum over its pairs.
func costOf(j *chainScorer, chain []int) chainCost {
	scores := slices.Clone(j.independent)
	for k := 1; k < len(chain); k++ {
		floats.Add(scores, j.gainOf(chain[k-1], chain[k]))
	}
	return j.cost(scores, math.MaxInt)
}

func TestExhaustiveChain(t *testing.T) {
	for seed := range uint64(10) {
		j := randomScorer(60, 2+int(seed%2), 5, seed)
		chain := exhaustive(t, j)
		got := costOf(j, chain)
		for _, other := range combin.Permutations(5, 5) {
			if v := costOf(j, other); v.errors < got.errors || v.errors == got.errors && v.loss < got.loss-1e-9 {
				t.Fatalf("chain %v costs %v, %v costs %v", chain, got, other, v)
			}
		}
	}
}

// TestGreedyChain: the chain contains every variable once, no reversal of a part improves it, and its cost is
// close to the best.
func TestGreedyChain(t *testing.T) {
	excess := 0
	for seed := range uint64(10) {
		j := randomScorer(200, 2, 6, seed)
		chain, err := j.greedy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if sorted := slices.Sorted(slices.Values(chain)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5}) {
			t.Fatalf("chain %v", chain)
		}
		got := costOf(j, chain)
		for from := range chain {
			for to := from + 1; to < len(chain); to++ {
				other := slices.Clone(chain)
				slices.Reverse(other[from : to+1])
				if v := costOf(j, other); v.errors < got.errors ||
					v.errors == got.errors && v.loss < got.loss*(1-1e-8) {
					t.Errorf("chain %v costs %v, %v costs %v", chain, got, other, v)
				}
			}
		}
		excess += got.errors - costOf(j, exhaustive(t, j)).errors
	}
	if excess < 0 || excess > 40 { // of 2000 rows
		t.Errorf("%d more errors than the best chains", excess)
	}
}

// A class with one row outside a fold has no densities there, and the error names no column.
func TestOneRowOutsideFold(t *testing.T) {
	y := []int{0, 0, 1, 1, 1, 1, 1, 1, 1, 1}
	x := mat.NewDense(len(y), 2, nil)
	for i := range y {
		x.SetRow(i, []float64{float64(i), float64(i * i % 7)})
	}
	_, err := NewMarkovChain().Fit(t.Context(), dataset.New(x, y, 2), randtest.New(1))
	want := `densities in class "0": a bandwidth needs at least two values: draw more rows or drop the class`
	errtest.Contains(t, err, want)
}
