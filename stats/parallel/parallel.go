// Package parallel lets a computation use cores that are idle. Whoever runs
// computations knows which are, and says so in the context; this package starts
// nothing.
package parallel

import "context"

// A Do runs the function that work returns for each of 0..n-1, in any order and
// some at the same time, and returns when all are done. Each of those who share the
// work calls work once, for memory of its own.
type Do func(n int, work func() func(i int))

type key struct{}

// With returns a context whose computations may use do.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For is the context's Do, or one after the other where it has none. For the result
// to be the same either way, blocks write to places of their own, and where they
// begin depends on nothing but the problem.
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
