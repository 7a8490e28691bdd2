package generators

import (
	"fmt"
	"slices"
	"testing"

	"copse/internal/randtest"
	"copse/stats"
)

// Each of the 6 orders of 3 columns has probability 1/6; in 6000 draws a count
// has standard deviation 29.
func TestOrderingUniform(t *testing.T) {
	rng := randtest.New(1)
	counts := make(map[string]int)
	for range 6000 {
		counts[fmt.Sprint(drawOrder(make([]int, 3), nil, 0, rng))]++
	}
	if len(counts) != 6 {
		t.Fatalf("%d of 6 orders: %v", len(counts), counts)
	}
	for order, n := range counts {
		if n < 880 || n > 1120 {
			t.Errorf("order %s: %d of 6000 draws", order, n)
		}
	}
}

func TestOrderingConstraints(t *testing.T) {
	rng := randtest.New(2)
	rank := (&ordering{BlockCuts: []int{3, 8}}).blockRanks(8)
	if want := []int{0, 0, 0, 1, 1, 1, 1, 1}; !slices.Equal(rank, want) {
		t.Fatalf("ranks %v, want %v", rank, want)
	}
	before := map[int][]int{1: {2}, 4: {7, 0}}
	for range 500 {
		order := drawOrder(rank, before, 2, rng)
		at := make([]int, 8)
		for i, j := range order {
			at[j] = i
		}
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, stats.Indices(8)) {
			t.Fatalf("%v is not an order", order)
		}
		if slices.Max(at[:3]) > 2 || at[2] > at[1] || at[7] > at[4] || at[1] < 2 {
			t.Fatalf("order %v breaks a constraint", order)
		}
	}
}

func TestChoose(t *testing.T) {
	rng := randtest.New(3)
	from := []int{3, 5, 7, 9}
	counts := make(map[[2]int]int)
	for range 12000 {
		c := drawDistinct(from, 2, rng)
		counts[[2]int{c[0], c[1]}]++
	}
	if !slices.Equal(from, []int{3, 5, 7, 9}) {
		t.Fatalf("choose changed its argument to %v", from)
	}
	for pair, n := range counts { // 12 ordered pairs, 1000 +- 30 each
		if pair[0] == pair[1] || n < 880 || n > 1120 {
			t.Errorf("pair %v: %d of 12000 draws", pair, n)
		}
	}
	if len(counts) != 12 {
		t.Errorf("%d of 12 ordered pairs", len(counts))
	}
}
