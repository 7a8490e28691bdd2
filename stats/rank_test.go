package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/internal/golden"
)

func blocks(flat []float64, k int) [][]float64 {
	var rows [][]float64
	for i := 0; i < len(flat); i += k {
		rows = append(rows, flat[i:i+k])
	}
	return rows
}

func TestFriedmanGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/friedman.csv") {
		got, err := Friedman(blocks(row.List("values"), int(row.Num("k"))))
		if err != nil {
			t.Fatal(err)
		}
		if !golden.Near(got.Q, row.Num("Q")) || !golden.Near(got.P, row.Num("P")) || got.N != int(row.Num("n")) ||
			!slices.EqualFunc(got.MeanRanks, row.List("mean_ranks"), golden.Near) {
			t.Errorf("got %+v, R gives %v", got, row.Value)
		}
	}
}

func TestFriedmanEdges(t *testing.T) {
	if got, err := Friedman([][]float64{{1, 1}, {2, 2}}); err != nil || got.Q != 0 || got.P != 1 {
		t.Errorf("only ties: %+v, %v", got, err)
	}
	for _, bad := range [][][]float64{nil, {{1}}, {{1, 2}, {1}}, {{1, math.NaN()}}} {
		if _, err := Friedman(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestStudentisedRangeGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/range.csv") {
		k, q := int(row.Num("k")), row.Num("q")
		if got := rangeCDF(q, k); math.Abs(got-row.Num("p")) > 1e-11 || math.Abs(got-row.Num("ptukey")) > 1e-7 {
			t.Errorf("k = %d, q = %v: %v, R's integral %v, ptukey %v", k, q, got, row.Num("p"), row.Num("ptukey"))
		}
		// qtukey is accurate to 1e-4. The quantile is the exact inverse of our own distribution function.
		got := rangeQuantile(0.95, k)
		if math.Abs(got-row.Num("q95")) > 2e-4 || math.Abs(rangeCDF(got, k)-0.95) > 1e-12 {
			t.Errorf("k = %d: 0.95-quantile %v, qtukey gives %v", k, got, row.Num("q95"))
		}
	}
	// The range of two normal numbers is distributed like |Z| sqrt 2.
	if got, want := rangeCDF(1.7, 2), math.Erf(1.7/2); math.Abs(got-want) > 1e-13 {
		t.Errorf("k = 2: %v, closed form %v", got, want)
	}
}

func TestNemenyi(t *testing.T) {
	// Demsar (2006), section 3.2.2: 4 classifiers, 14 data sets, alpha 0.05: q = 2.569, CD = 1.25.
	values := make([][]float64, 14)
	for i := range values {
		values[i] = []float64{1, 2, 3, 4}
	}
	got, err := Nemenyi(values, 0.05)
	if err != nil || math.Abs(got.CD-1.25) > 0.005 {
		t.Errorf("CD %v, %v; the paper has 1.25", got.CD, err)
	}
	if want := [][]int{{0, 1}, {1, 2}, {2, 3}}; fmt.Sprint(got.Groups) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", got.Groups, want)
	}
}

func TestRankTestsRefuseAlpha(t *testing.T) {
	values := [][]float64{{1, 2, 3}, {2, 1, 3}}
	for _, alpha := range []float64{-0.05, 0, 1, math.NaN()} {
		_, nemenyi := Nemenyi(values, alpha)
		_, holm := WilcoxonHolm(values, alpha)
		if nemenyi == nil || holm == nil {
			t.Errorf("alpha %v is accepted: %v, %v", alpha, nemenyi, holm)
		}
	}
}

func TestCliques(t *testing.T) {
	for _, c := range []struct {
		ranks []float64
		cd    float64
		want  string
	}{
		{[]float64{3, 1, 2}, 0.5, "[]"},                 // all differ: no bar at all
		{[]float64{3, 1, 2}, 5, "[[1 2 0]]"},            // none differ: one bar
		{[]float64{1, 1.2, 3, 3.2}, 1, "[[0 1] [2 3]]"}, // two bars
		{[]float64{1, 1.5, 2, 4}, 1.2, "[[0 1 2]]"},     // a run inside another is left out
		{[]float64{1, 2, 3}, 2, "[[0 1] [1 2]]"},        // exactly CD apart: they differ
	} {
		if got := fmt.Sprint(cliques(c.ranks,
			func(i, j int) bool { return math.Abs(c.ranks[i]-c.ranks[j]) < c.cd })); got != c.want {
			t.Errorf("%v, CD %v: %v, want %v", c.ranks, c.cd, got, c.want)
		}
	}
}

// Classifiers with the same mean rank enter a bar together, so that the bars do not depend on the order of the
// classifiers.
func TestCliquesOfTiedRanks(t *testing.T) {
	ranks := []float64{1.8, 2.25, 2.25, 3.7} // of classifiers 0 to 3 in the first order
	for _, c := range []struct {
		differ [2]int // two of these classifiers
		want   string // the groups, in the first order
	}{
		{[2]int{1, 3}, "[[0 1 2]]"},         // a bar from 2 to 3 would also join 1 and 3
		{[2]int{2, 3}, "[[0 1 2]]"},         // likewise
		{[2]int{0, 2}, "[[1 2 3]]"},         // likewise with the best classifier
		{[2]int{0, 3}, "[[0 1 2] [1 2 3]]"}, // bars may share both
		{[2]int{1, 2}, "[]"},                // every bar would join 1 and 2
	} {
		for _, order := range [][]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}} {
			permuted := make([]float64, len(ranks))
			for i, classifier := range order {
				permuted[i] = ranks[classifier]
			}
			got := cliques(permuted, func(i, j int) bool {
				a, b := order[i], order[j]
				return [2]int{min(a, b), max(a, b)} != c.differ
			})
			for _, group := range got {
				for i, permutedIndex := range group {
					group[i] = order[permutedIndex]
				}
				slices.Sort(group)
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("order %v, %v differ: %v, want %v", order, c.differ, got, c.want)
			}
		}
	}
}

// Not differing significantly is not transitive. If 1 and 2 differ, no bar joins 0 and 2, although they do
// not differ.
func TestPairsWithoutBar(t *testing.T) {
	ranks := []float64{1, 2, 3}
	for _, c := range []struct {
		differ [2]int
		want   string
	}{{[2]int{1, 2}, "[[0 2]]"}, {[2]int{0, 2}, "[]"}, {[2]int{0, 1}, "[[0 2]]"}} {
		alike := func(i, j int) bool { return [2]int{min(i, j), max(i, j)} != c.differ }
		if got := fmt.Sprint(unjoined(ranks, cliques(ranks, alike), alike)); got != c.want {
			t.Errorf("%v differ: %v, want %v", c.differ, got, c.want)
		}
	}
}

// Equal means of error rates tie for any order of summation, and so do equal differences. Ranks, wins and
// p-values are the same as for the counts.
func TestRatesTieAsCountsDo(t *testing.T) {
	counts := blocks([]float64{1, 2, 4, 2, 1, 3, 3, 5, 2, 4, 3, 6, 1, 4, 2, 6, 3, 5, 2, 3, 1, 3, 3, 2, 5, 5, 5}, 3)
	rates := make([][]float64, len(counts))
	for i, block := range counts {
		for j, count := range block {
			up, down := 0.0, 0.0
			for k := range 10 { // ten folds of 30 rows, with 0 to 9 errors beside the count's
				up += (float64(k) + count) / 30
				down += (float64(9-k) + count) / 30
			}
			rates[i] = append(rates[i], []float64{up, down, up}[j]/10)
		}
	}
	if last := rates[len(rates)-1]; last[0] == last[1] {
		t.Fatal("the sums do not depend on their order, so the test has no power")
	}
	want, err := WilcoxonHolm(counts, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := WilcoxonHolm(rates, 0.05); err != nil || !slices.Equal(got.MeanRanks, want.MeanRanks) ||
		got.Q != want.Q || !slices.EqualFunc(got.Adjusted, want.Adjusted, slices.Equal) {
		t.Errorf("%+v of rates, error %v; %+v of counts", got, err, want)
	}
}
