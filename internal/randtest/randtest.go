// Package randtest makes random sources for tests.
package randtest

import "golang.org/x/exp/rand"

// New returns a random source with a seed.
func New(seed uint64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// Same returns New(1) for every name. It serves as the random source of a study.
func Same(name string) *rand.Rand { return New(1) }
