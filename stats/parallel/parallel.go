// Package parallel lets a computation use idle processor cores. The caller provides the cores through a
// context; this package itself starts no goroutines.
package parallel

import "context"

// A Do runs the n iterations of a loop, possibly in parallel and in any order, and returns after the last one.
// Each goroutine that takes part first calls work once. The result of work is a function f, which may keep
// private scratch memory. For iteration i in 0..n-1, the goroutine calls f(i).
type Do func(n int, work func() func(i int))

// key is the type of the context key under which a value of type Do is stored.
type key struct{}

// With returns a copy of ctx in which do is stored. For then runs its loop with do.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For calls f(i) for each i in 0..n-1, where f is the result of work. If With has stored a Do in the context,
// this Do runs the loop and may call work once per goroutine. Otherwise, For runs a plain loop with a single f.
// The result is the same if each call writes only to its own memory, and if the number of cores does not affect
// how the problem is split into calls.
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
