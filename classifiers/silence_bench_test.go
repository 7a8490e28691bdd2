package classifiers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// A listener is a context that records the longest time between two checks whether it is done.
// It is the worst delay before a fit notices its deadline.
type listener struct {
	context.Context
	asked   time.Time
	silence time.Duration
}

func (l *listener) listen() {
	now := time.Now()
	l.silence = max(l.silence, now.Sub(l.asked))
	l.asked = now
}

func (l *listener) Err() error {
	l.listen()
	return l.Context.Err()
}

// BenchmarkSilence fits each classifier to 3000 rows of 40 columns and to 20 rows of 500, for at most ten
// seconds, and reports the longest time in which it did not check its context.
func BenchmarkSilence(b *testing.B) {
	for _, size := range [][2]int{{3000, 40}, {20, 500}} {
		train := methodtest.TwoTrees(size[0], size[1], 1, 2)
		for _, spec := range Registry {
			b.Run(fmt.Sprintf("%s/n=%d,d=%d", spec.Name, size[0], size[1]), func(b *testing.B) {
				longest := time.Duration(0)
				for b.Loop() {
					longest = max(longest, silence(b, spec.New(), train.WithoutDerived()))
				}
				b.ReportMetric(longest.Seconds()*1000, "ms-silent")
			})
		}
	}
}

// silence returns the longest time in which a fit does not check its context. It also measures fits that
// return an error.
func silence(b *testing.B, c Classifier, train *dataset.Set) time.Duration {
	ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
	defer cancel()
	l := &listener{Context: ctx, asked: time.Now()}
	if _, err := Fit(l, c, train, randtest.New(1)); err != nil && ctx.Err() == nil {
		b.Log(err)
	}
	l.listen()
	return l.silence
}
