// Package parallel lets a computation use idle cores. The code that runs computations provides them
// through the context; this package starts no goroutines.
package parallel

import "context"

// A Do runs a function for each of 0..n-1, in any order and some at the same time, and returns when all
// are done. Each goroutine calls work once for its own function, which may have memory of its own.
type Do func(n int, work func() func(i int))

// key is the key of a Do in a context.
type key struct{}

// With returns a context in which For uses do.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For runs the function that work returns for each of 0..n-1, with the Do of the context or, without one,
// in order. The result is the same either way if each call writes to memory of its own and the division
// of the problem into calls does not depend on the cores.
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
