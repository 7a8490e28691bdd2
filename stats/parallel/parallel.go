// Package parallel lets a computation use idle processor cores. A caller provides the cores through
// a context; this package starts no goroutines.
package parallel

import "context"

// A Do runs a function for each i in 0..n-1, possibly in parallel and in any order, and returns
// when all calls are done. Each goroutine calls work once to get its own function, which may use
// its own memory.
type Do func(n int, work func() func(i int))

// key is the key under which a context stores a Do.
type key struct{}

// With returns a context that makes For use do.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For runs the function returned by work for each i in 0..n-1. It uses the Do of the context or, if
// there is none, a loop. Both give the same result if each call writes only to its own memory, and
// if the division of the problem into calls does not depend on the number of cores.
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
