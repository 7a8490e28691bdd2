package field

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"copse/internal/randtest"
)

var defaults = Merging{Measure: Spearman, Relatives: 3, MaxRelatives: 6, MaxParents: 3, Merge: MergeNetworks,
	MinGain: 1e-6}

func TestBlanket(t *testing.T) {
	// 1 -> 3 <- 5, 3 -> 7, 9 without edges.
	b := network{[]int{1, 3, 5, 7, 9}, [][]int{{}, {1, 5}, {}, {3}, {}}}
	for i, want := range map[int][]int{1: {3, 5}, 3: {1, 5, 7}, 5: {1, 3}, 7: {3}, 9: {}, 2: {}} {
		if got := b.blanket(i); !slices.Equal(got, want) {
			t.Errorf("blanket of %d: %v, want %v", i, got, want)
		}
	}
}

func TestCandidates(t *testing.T) {
	// Blankets by own network: 0:{1}, 1:{2}, 2:{0,1}, 3:{1}.
	networks := []network{
		{[]int{0, 1}, [][]int{{}, {0}}},
		{[]int{1, 2}, [][]int{{}, {1}}},
		{[]int{0, 1, 2}, [][]int{{}, {}, {0, 1}}},
		{[]int{1, 3}, [][]int{{3}, {}}},
	}
	blankets := [][]int{{1}, {2}, {0, 1}, {1}}
	ranking := [][]int{1: {3, 0, 2}}
	for merge, want := range map[Merge][]int{
		MergeNetworks:  {0, 2, 3}, // {0} from network 0, {2} from 1, {0,2} from 2, {3} from 3
		MergeBlankets:  {0, 2},    // {2} and 2's {0,1}
		MergeSymmetric: {0, 2, 3}, // {2} and those whose blanket has 1
	} {
		l := &learner{Merging: defaults, networks: networks, blankets: blankets, ranking: ranking}
		l.Merge = merge
		if got := l.candidates(1); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", merge, got, want)
		}
	}
	l := &learner{Merging: defaults, networks: networks, blankets: blankets, ranking: ranking}
	l.MaxRelatives = 2 // keeps the blanket {2} and then the first of the ranking
	if got := l.candidates(1); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("capped: %v", got)
	}
}

// Merging starts from local networks and never decreases a term of the cross-validated pseudo-likelihood.
func TestMergingRaisesPseudoLikelihood(t *testing.T) {
	ctx := t.Context()
	x := chain(randtest.New(1), 120, 8)
	for _, merge := range []Merge{MergeNetworks, MergeBlankets, MergeSymmetric} {
		m := defaults
		m.Merge, m.Measure = merge, Eta // nearest means: poor first relatives
		s := NewScorer(x, khrfRange)
		blankets, err := m.Learn(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		ranking, err := Ranking(ctx, x, m.Measure)
		if err != nil {
			t.Fatal(err)
		}
		raised := false
		for i, ranked := range ranking {
			relatives := slices.Sorted(slices.Values(ranked[:m.Relatives]))
			first, err := (&learner{Merging: m, scorer: s}).local(ctx, i, relatives)
			if err != nil {
				t.Fatal(err)
			}
			before, after := s.LogLik(i, first.blanket(i)), s.LogLik(i, blankets[i])
			if after < before {
				t.Errorf("%s: variable %d falls from %v to %v", merge, i, before, after)
			}
			raised = raised || after > before
			if slices.Contains(blankets[i], i) || len(blankets[i]) > max(m.Relatives, m.MaxRelatives) {
				t.Errorf("%s: blanket of %d is %v", merge, i, blankets[i])
			}
		}
		if !raised {
			t.Errorf("%s: merging changed nothing on this sample", merge)
		}
	}
}

// In a chain of strong monotone links each blanket contains a neighbour in the chain.
func TestMergingFindsLinks(t *testing.T) {
	rng := randtest.New(2)
	x := make([][]float64, 6)
	for j := range x {
		for i := range 200 {
			x[j] = append(x[j], rng.Float64())
			if j > 0 {
				x[j][i] = 0.7*x[j-1][i] + 0.3*x[j][i]
			}
		}
	}
	blankets, err := defaults.Learn(t.Context(),
		NewScorer(x, Bandwidths{Max1: 0.5, Max2: 0.5, Iterations: 2, Floor: 1e-6}))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range blankets {
		if !slices.Contains(b, i-1) && !slices.Contains(b, i+1) {
			t.Errorf("blanket of %d is %v", i, b)
		}
	}
}

func TestMergingOneVariable(t *testing.T) {
	x := chain(randtest.New(3), 20, 1)
	blankets, err := defaults.Learn(t.Context(), NewScorer(x, khrfRange))
	if err != nil || len(blankets) != 1 || len(blankets[0]) != 0 {
		t.Errorf("%v, %v", blankets, err)
	}
}

func TestMergingStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := defaults.Learn(ctx, NewScorer(chain(randtest.New(4), 20, 3),
		khrfRange)); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestRanking(t *testing.T) {
	// Variable 1 is 0 in another order with a small shift, 2 is the cube of 0, and 3 is independent.
	x := [][]float64{{-2, -1, 0, 1, 2}, {1.1, -0.9, 2.1, -1.9, 0.1}, {-8, -1, 0, 1, 8}, {9, 7, 7, 6, 5}}
	for m, want := range map[Measure][][]int{
		Eta:      {{2, 1, 3}, {2, 0, 3}, {0, 1, 3}, {2, 1, 0}},
		Pearson:  {{3, 2, 1}, {3, 0, 2}, {3, 0, 1}, {2, 0, 1}},
		Spearman: {{2, 3, 1}, {3, 0, 2}, {0, 3, 1}, {0, 2, 1}},
	} {
		if got, err := Ranking(t.Context(), x, m); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", m, got, err, want)
		}
	}
}

// By hand: means 1 and 4, m = 2.5, between 2*1.5^2 + 2*1.5^2 = 9, total
// 0.25 + 6.25 + 0.25 + 12.25 = 19.
func TestEta(t *testing.T) {
	within(t, "eta", eta([]float64{2, 0}, []float64{2, 6}), math.Sqrt(9.0/19), 1e-15)
	within(t, "eta of constants", eta([]float64{3, 3}, []float64{3, 3}), 0, 0)
}
