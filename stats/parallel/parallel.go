// Package parallel lets a computation use idle processor cores. The caller provides the cores
// through a context. This package itself starts no goroutines.
package parallel

import "context"

// A Do runs a loop of n iterations in parallel and returns after the last one. Each participating
// goroutine gets a function once, f := work(), and calls f(i) for each of its iterations i.
//
// So each goroutine has its own f, which may have scratch memory.
type Do func(n int, work func() func(i int))

// key is the type of the context key under which a value of type Do is stored.
type key struct{}

// With returns a copy of ctx that contains do. If For receives this copy, it calls do to run the
// loop.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For runs a loop: after f := work(), it calls f(i) for i = 0, ..., n-1. Each call of f must write
// only to its own memory. The calls must be the same for any number of cores.
//
// If ctx contains a Do (see With), this Do runs the loop, and each goroutine has its own f.
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
