package run_test

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

func init() {
	classifiers.Registry = append(classifiers.Registry, classifiers.Spec{
		Entry: recipe.Entry[classifiers.Classifier]{
			Name: "hoarder", Version: 1, New: func() classifiers.Classifier { return &hoarder{} },
		},
	})
}

// hoarder allocates memory during its fit, for 50 ms.
type hoarder struct {
	Bytes int `param:"bytes"`
}

// hoards contains the current and the largest number of hoarders that are fitted at the same time.
var hoards struct{ now, most atomic.Int64 }

// Fit allocates the memory and returns a rule that predicts class 0.
func (h *hoarder) Fit(context.Context, *dataset.Set, *rand.Rand) (*classifiers.Rule, error) {
	now := hoards.now.Add(1)
	defer hoards.now.Add(-1)
	for { // raises most to now
		most := hoards.most.Load()
		if now <= most || hoards.most.CompareAndSwap(most, now) {
			break
		}
	}
	const page = 4096 // writing one byte of each page makes the memory resident
	memory := make([]byte, h.Bytes)
	for i := 0; i < len(memory); i += page {
		memory[i] = 1
	}
	time.Sleep(50 * time.Millisecond)
	return &classifiers.Rule{Labels: func(x *mat.Dense) []int {
		n, _ := x.Dims()
		return make([]int, n)
	}}, nil
}
