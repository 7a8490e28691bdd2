// Package parallel lets a computation use idle processor cores. The caller provides the cores through a
// context; this package itself starts no goroutines.
package parallel

import "context"

// A Do is a function that runs a loop of n iterations. The iterations may run in parallel and in any order, and the
// function returns after the last one. Each participating goroutine first calls work, once. The result is a function f,
// which may have scratch memory that no other goroutine uses. For each of its iterations i, where 0 <= i < n, the
// goroutine then calls f(i).
type Do func(n int, work func() func(i int))

// key is the type of the context key under which a value of type Do is stored.
type key struct{}

// With returns a copy of ctx that contains the function do. If the function For receives this context, it uses
// do to run its loop.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For calls f(i) for each i in 0..n-1, where f is the result of work. If ctx contains a function of type Do
// (see With), this function runs the loop. It may call work once per goroutine. Otherwise, For calls work once
// and runs a plain loop. The result does not depend on the number of cores under two conditions. Each call of f
// must write only to its own memory. The problem must be split into calls in the same way for any number of
// cores.
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
