package external

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// A Host keeps the processes of one worker, one per recipe, each started when it
// is first needed and again after it was at fault. It is not safe for concurrent
// use.
type Host struct {
	folder  string
	running map[string]*process // by Spec
}

// NewHost returns a host of programs whose files lie below a folder; they run in
// copies of them.
func NewHost(folder string) *Host { return &Host{folder, map[string]*process{}} }

// Close ends all processes and removes their private folders.
func (h *Host) Close() {
	for _, spec := range slices.Sorted(maps.Keys(h.running)) {
		h.end(spec)
	}
}

func (h *Host) end(spec string) {
	if p, ok := h.running[spec]; ok {
		p.close()
		delete(h.running, spec)
	}
}

// A Wait is how somebody waits for a greeting.
type Wait struct {
	Told func(text string) // of a long one; nil: nobody
	Stop <-chan struct{}   // gives up, with ErrStopped; nil: never
}

// ErrStopped says that a greeting was no longer waited for.
var ErrStopped = errors.New("stopped before it greeted")

// Greet starts the program if it is not running and returns what it says of itself.
func (h *Host) Greet(ctx context.Context, program *Program, wait Wait) (*Hello, error) {
	p, err := h.process(ctx, program, wait)
	if err != nil {
		return nil, err
	}
	return &p.hello, nil
}

func (h *Host) process(ctx context.Context, program *Program, wait Wait) (*process, error) {
	spec := program.Spec()
	if p, ok := h.running[spec]; ok {
		return p, nil
	}
	p, err := start(ctx, program, h.folder, wait)
	if err != nil {
		return nil, err
	}
	h.running[spec] = p
	return p, nil
}

// with runs one exchange with a program's process. Unless the program itself
// refused, a process that failed is not used again.
func (h *Host) with(ctx context.Context, program *Program, exchange func(*process) error) error {
	p, err := h.process(ctx, program, Wait{})
	if err != nil {
		return err
	}
	err = exchange(p)
	var refusal *Refusal
	if err != nil && !errors.As(err, &refusal) {
		h.end(program.Spec())
	}
	return err
}
