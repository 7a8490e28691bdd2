package parallel

import (
	"context"
	"slices"
	"testing"
)

func TestFor(t *testing.T) {
	order := func(ctx context.Context, n int) (done []int, workers int) {
		For(ctx, n, func() func(int) {
			workers++
			return func(i int) { done = append(done, i) }
		})
		return done, workers
	}
	backwards := With(t.Context(), func(n int, work func() func(int)) {
		first, second := work(), work()
		for i := n - 1; i >= 0; i-- {
			if i%2 == 0 {
				first(i)
			} else {
				second(i)
			}
		}
	})
	if done, workers := order(t.Context(), 4); !slices.Equal(done, []int{0, 1, 2, 3}) || workers != 1 {
		t.Errorf("alone: %v by %d", done, workers)
	}
	if done, workers := order(backwards, 4); !slices.Equal(done, []int{3, 2, 1, 0}) || workers != 2 {
		t.Errorf("shared: %v by %d", done, workers)
	}
}
