// Package parallel lets a computation use idle processor cores. The caller provides the cores through a
// context; this package itself starts no goroutines.
package parallel

import "context"

// A Do runs a function for each i in 0..n-1, possibly in parallel and in any order, and returns when all
// calls are done. Each goroutine calls work once to get a function of its own, which may keep private
// scratch memory.
type Do func(n int, work func() func(i int))

// key is the key under which a context stores a Do.
type key struct{}

// With returns a context. Calls of For with this context use do.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For runs the function returned by work for each i in 0..n-1. It uses the Do from the context or, if
// there is none, a plain loop. Both give the same result if each call writes only to its own memory, and
// if the way the problem is split into calls does not depend on the number of cores.
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
