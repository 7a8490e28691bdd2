package external

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// A Host keeps the processes of one worker, one per recipe or adapter, each started when it
// is first needed and again after it was at fault. It is not safe for concurrent
// use.
type Host struct {
	folder  string
	running map[string]*process // by Program.process
}

// NewHost returns a host of programs whose files lie below a folder; they run in
// copies of them.
func NewHost(folder string) *Host { return &Host{folder, map[string]*process{}} }

// Close ends all processes and removes their private folders.
func (h *Host) Close() {
	for _, key := range slices.Sorted(maps.Keys(h.running)) {
		h.end(key)
	}
}

func (h *Host) end(key string) {
	if p, ok := h.running[key]; ok {
		p.close()
		delete(h.running, key)
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
	return p.helloOf(program), nil
}

func (h *Host) process(ctx context.Context, program *Program, wait Wait) (*process, error) {
	key := program.process()
	p, ok := h.running[key]
	if !ok {
		var err error
		if p, err = start(ctx, program, h.folder, wait); err != nil {
			return nil, err
		}
		h.running[key] = p
	}
	return p, h.endAfterFault(program, p.describe(ctx, program))
}

// with runs one exchange with a program's process.
func (h *Host) with(ctx context.Context, program *Program, exchange func(*process) error) error {
	p, err := h.process(ctx, program, Wait{})
	if err != nil {
		return err
	}
	return h.endAfterFault(program, exchange(p))
}

// endAfterFault ends the program's process after an error, unless the program itself refused,
// and returns the error.
func (h *Host) endAfterFault(program *Program, err error) error {
	var refusal *Refusal
	if err != nil && !errors.As(err, &refusal) {
		h.end(program.process())
	}
	return err
}
