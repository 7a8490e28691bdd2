// Package parallel lets a computation use idle processor cores. The caller provides the cores through a
// context; this package itself starts no goroutines.
package parallel

import "context"

// A Do is a function that For uses as its loop. It calls a function f(i) for each i in 0..n-1, possibly
// in parallel and in any order, and returns after all calls. Each goroutine first calls work to get an f
// of its own, which may keep private scratch memory.
type Do func(n int, work func() func(i int))

// key is the type of the context key under which a value of type Do is stored.
type key struct{}

// With returns a context that makes For use do as its loop.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For calls the function that work returns for each i in 0..n-1. It uses the function that With has
// stored in the context or, if there is none, a plain loop. The result is the same if each call writes
// only to its own memory, and if the number of cores does not affect how the problem is split into calls.
func For(ctx context.Context, n int, work func() func(i int)) {
	if do, ok := ctx.Value(key{}).(Do); ok && n > 1 {
		do(n, work)
		return
	}
	f := work()
	for i := range n {
		f(i)
	}
}
