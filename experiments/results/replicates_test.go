package results

import (
	"maps"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
)

// Replicates are found, and yielded in ascending order, whatever the order and the
// gaps in which they came.
func TestReplicates(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	orders := map[string]func(i int) int32{
		"one after the other": func(i int) int32 { return int32(i + 1) },
		"from the last":       func(i int) int32 { return int32(2000 - i) },
		"shard by shard":      func(i int) int32 { return int32(i/20 + 100*(i%20) + 1) },
		"far apart":           func(i int) int32 { return int32(1 + i*1_000_003) },
		"at random":           func(int) int32 { return 1 + rng.Int31n(3000) },
		"with a gap":          func(i int) int32 { return int32(i + 1 + i/500*1_000_000) },
	}
	for name, order := range orders {
		var got replicates
		want := map[int32][]storedResult{}
		for i := range 2000 {
			replicate := order(i)
			list := append(want[replicate], storedResult{errors: int32(i)})
			want[replicate] = list
			got.set(replicate, list)
		}
		if seen := maps.Collect(got.all()); !maps.EqualFunc(seen, want, slices.Equal[[]storedResult]) {
			t.Errorf("%s: %d replicates, want %d", name, len(seen), len(want))
		}
		last := int32(0)
		for replicate, list := range got.all() {
			if replicate <= last || !slices.Equal(got.at(replicate), list) {
				t.Fatalf("%s: replicate %d after %d with %v", name, replicate, last, list)
			}
			last = replicate
		}
		if len(got.low) > 2*2000+3000+64 {
			t.Errorf("%s: %d places side by side", name, len(got.low))
		}
	}
	var none replicates
	if none.at(0) != nil || none.at(-3) != nil || none.at(5) != nil {
		t.Error("results of nothing")
	}
}
