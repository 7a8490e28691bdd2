// Package parallel lets a computation use idle processor cores. The caller provides the cores
// through a context. This package itself starts no goroutines.
package parallel

import "context"

// A Do runs a loop of n iterations in parallel and returns after the last one. Each participating
// goroutine calls work once. It then calls the result f for each of its iterations i. So f may have
// scratch memory of its own.
type Do func(n int, work func() func(i int))

// key is the type of the context key under which a value of type Do is stored.
type key struct{}

// With returns a copy of ctx that contains the function do. With this context, For uses do to run
// its loop.
func With(ctx context.Context, do Do) context.Context { return context.WithValue(ctx, key{}, do) }

// For calls f(i) for each i in 0..n-1, where f is the result of work. If ctx contains a Do (see
// With), this function runs the loop. Each call of f must write only to its own memory. The calls
// must be the same for any number of cores.
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
