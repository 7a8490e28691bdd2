package external

import (
	"context"
	"time"
)

// A budget limits the total time of several requests to programs.
type budget struct {
	left time.Duration           // time that remains for further requests
	end  context.CancelCauseFunc // ends the context of all requests
}

// budgetKey is the key of the *budget in a context.
type budgetKey struct{}

// WithTimeLimit returns a context that ends, with the cause context.DeadlineExceeded, when requests
// to programs have together taken the given time. Starts of programs do not count. A limit of 0
// means no limit.
func WithTimeLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	ctx, end := context.WithCancelCause(ctx)
	b := &budget{left: limit, end: end}
	return context.WithValue(ctx, budgetKey{}, b), func() { end(nil) }
}

// startClock returns a context for a request. If ctx has a time limit, the time until the call of
// stop is subtracted from it.
func startClock(ctx context.Context) (request context.Context, stop func()) {
	b, isLimited := ctx.Value(budgetKey{}).(*budget)
	if !isLimited {
		return ctx, func() {}
	}
	began := time.Now()
	request, cancel := context.WithTimeout(ctx, b.left)
	return request, func() {
		cancel()
		b.left -= time.Since(began)
		if b.left <= 0 {
			b.end(context.DeadlineExceeded)
		}
	}
}
