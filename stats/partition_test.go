package stats_test

import (
	"fmt"
	"testing"

	"copse/stats"
)

// Numbers are in one class if and only if a chain of joined pairs connects them, whatever the order of the pairs.
func TestPartition(t *testing.T) {
	want := []int{0, 1, 0, 3, 1, 0, 3}
	for _, pairs := range [][][2]int{
		{{0, 2}, {2, 5}, {1, 4}, {6, 3}},
		{{5, 2}, {3, 6}, {4, 1}, {2, 0}, {0, 5}},
	} {
		p := stats.NewPartition(len(want))
		for _, pair := range pairs {
			p.Join(pair[0], pair[1])
		}
		for i, smallest := range want {
			if got := p.Smallest(i); got != smallest {
				t.Errorf("after joining %v, %d is in the class of %d, want %d", pairs, i, got, smallest)
			}
		}
	}
}

// Items that share no name, even through others, are in different groups. The names of other items do not count.
func TestConnected(t *testing.T) {
	names := [][]string{{"a"}, {"b"}, {"c", "b"}, {"a", "d"}, {"e", "e"}, {"d"}, nil}
	for want, items := range map[string][]int{
		"[[0 3 5] [1 2] [4] [6]]": {0, 1, 2, 3, 4, 5, 6},
		"[[5] [0]]":               {5, 0},
	} {
		if got := fmt.Sprint(stats.Connected(items, names)); got != want {
			t.Errorf("%v: %s, want %s", items, got, want)
		}
	}
}
