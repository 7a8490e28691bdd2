package classifiers

import (
	"context"
	"testing"
	"time"
)

// listener is a context that notes how long it was not asked whether it is done:
// so late, at worst, a fit would notice that its time is over.
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

// BenchmarkSilence fits each classifier to 3000 rows of 40 columns, for ten
// seconds at most, and reports the longest time that it did not look at its
// context.
func BenchmarkSilence(b *testing.B) {
	train := twoTrees(3000, 40, 1, 2)
	for _, spec := range Registry {
		b.Run(spec.Name, func(b *testing.B) {
			longest := time.Duration(0)
			for b.Loop() {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				l := &listener{Context: ctx, asked: time.Now()}
				if _, err := spec.New().Fit(l, train.Anew(), newRand(1)); err != nil && ctx.Err() == nil {
					b.Fatal(err)
				}
				cancel()
				l.listen()
				longest = max(longest, l.silence)
			}
			b.ReportMetric(longest.Seconds()*1000, "ms-silent")
		})
	}
}
