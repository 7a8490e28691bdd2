package external

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// A Host keeps the processes of one worker, one per recipe or adapter. It starts a process
// when it is first needed, and a new one after a fault. It is not safe for concurrent use.
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

// end ends a running process; key is its Program.process.
func (h *Host) end(key string) {
	if p, ok := h.running[key]; ok {
		p.close()
		delete(h.running, key)
	}
}

// A Wait controls how a caller waits for a handshake.
type Wait struct {
	Notify func(text string) // receives a message if it takes long; may be nil
	Stop   <-chan struct{}   // a value ends the wait with ErrStopped; nil: never
}

// ErrStopped reports that the wait for a handshake was stopped.
var ErrStopped = errors.New("stopped before its handshake")

// Handshake starts the program if it is not running and returns its handshake.
func (h *Host) Handshake(ctx context.Context, program *Program, wait Wait) (*Hello, error) {
	p, err := h.process(ctx, program, wait)
	if err != nil {
		return nil, err
	}
	return p.helloOf(program), nil
}

// process returns the running process of a program, and starts one if there is none.
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

// with calls exchange with the process of a program. After an error other than a Refusal the
// process ends, so that the next call starts a new one.
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
