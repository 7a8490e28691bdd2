package mutual

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

func TestTable(t *testing.T) {
	h := func(p ...float64) (sum float64) { // entropy
		for _, q := range p {
			sum -= q * math.Log(q)
		}
		return sum
	}
	for _, test := range []struct {
		name    string
		table   []float64
		columns int
		want    float64
	}{
		{"independent", []float64{2, 4, 6, 3, 6, 9}, 3, 0},
		{"equal", []float64{3, 0, 0, 5}, 2, 8 * h(3.0/8, 5.0/8)},
		{"a function", []float64{0.25, 0, 0.25, 0, 0, 0.5}, 2, h(0.5, 0.5)},
		// The noise of a binary symmetric channel.
		{"a channel", []float64{0.4, 0.1, 0.1, 0.4}, 2, math.Ln2 - h(0.2, 0.8)},
		{"an empty table", make([]float64, 6), 2, 0},
		{"one row", []float64{1, 2, 3}, 3, 0},
	} {
		if got := Table(test.table, test.columns); math.Abs(got-test.want) > 1e-14 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// I(a;b) = H(a) + H(b) - H(a,b), with the pair coded as one variable.
func TestDiscreteIsADifferenceOfEntropies(t *testing.T) {
	const n = 200
	rng := randtest.New(1)
	levels := []int{2, 3, 5, 1, 4}
	columns := make([][]float64, len(levels))
	for a := range columns {
		for i := range n {
			v := rng.Intn(levels[a])
			if a > 0 && rng.Intn(2) == 0 { // dependent
				v = int(columns[a-1][i]) % levels[a]
			}
			columns[a] = append(columns[a], float64(v))
		}
	}
	entropy := func(codes []float64) float64 {
		count := map[float64]float64{}
		for _, v := range codes {
			count[v]++
		}
		sum := 0.0
		for _, v := range codes { // each row adds its share
			sum -= math.Log(count[v]/n) / n
		}
		return sum
	}
	got, err := Discrete(t.Context(), columns, levels)
	if err != nil {
		t.Fatal(err)
	}
	for a := range columns {
		if math.Abs(got.At(a, a)-entropy(columns[a])) > 1e-13 {
			t.Errorf("column %d with itself: %v, want its entropy %v", a, got.At(a, a), entropy(columns[a]))
		}
		for b := range a {
			both := make([]float64, n)
			for i := range both {
				both[i] = columns[a][i]*10 + columns[b][i]
			}
			want := entropy(columns[a]) + entropy(columns[b]) - entropy(both)
			if math.Abs(got.At(a, b)-want) > 1e-13 {
				t.Errorf("columns %d and %d: %v, want %v", a, b, got.At(a, b), want)
			}
		}
	}
}
