package external

import (
	"context"
	"errors"
)

// A Host runs the external programs of one worker. It starts a program when it is first needed, and
// again after a fault. It is not safe for concurrent use.
type Host struct {
	folder  string              // contains the files of the programs
	running map[string]*process // by Program.processKey
}

// NewHost returns a host for programs whose files are in the given folder.
func NewHost(folder string) *Host { return &Host{folder, map[string]*process{}} }

// Close ends all processes. The next request starts a new one.
func (h *Host) Close() {
	for key := range h.running {
		h.end(key)
	}
}

func (h *Host) end(key string) {
	h.running[key].close()
	delete(h.running, key)
}

// A Wait controls the wait for a handshake, the first message of a program.
type Wait struct {
	Notify func(text string) // receives a message if the handshake takes long; may be nil
	Stop   <-chan struct{}   // when closed, the wait ends with ErrStopped; may be nil
}

// ErrStopped is returned if the user stopped copse while it waited for a handshake.
var ErrStopped = errors.New("stopped while waiting for the program's handshake")

// Handshake starts the program if it is not running, and returns its handshake.
func (h *Host) Handshake(ctx context.Context, program *Program, wait Wait) (*Handshake, error) {
	p, err := h.process(ctx, program, wait)
	if err != nil {
		return nil, err
	}
	return p.handshakeOf(program), nil
}

// process returns the process of a program, and starts it if necessary.
func (h *Host) process(ctx context.Context, program *Program, wait Wait) (*process, error) {
	key := program.processKey()
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

// An exchange sends requests to a process and receives the replies.
type exchange func(context.Context, *process) error

// withProcess calls exchange with the process of a program. The time limit of ctx, if any, applies
// to exchange, but not to the start of the program. An error other than a Refusal ends the process.
func (h *Host) withProcess(ctx context.Context, program *Program, exchange exchange) error {
	p, err := h.process(ctx, program, Wait{})
	if err != nil {
		return err
	}
	limited, stopClock := startClock(ctx)
	err = exchange(limited, p)
	stopClock()
	return h.endAfterFault(program, err)
}

// withFresh is like withProcess, but repeats the request with a new process if the program ended
// before it read the request.
func (h *Host) withFresh(ctx context.Context, program *Program, exchange exchange) error {
	err := h.withProcess(ctx, program, exchange)
	if errors.Is(err, errUnread) {
		return h.withProcess(ctx, program, exchange)
	}
	return err
}

// endAfterFault ends the program's process unless err is nil or a Refusal. It returns err.
func (h *Host) endAfterFault(program *Program, err error) error {
	if err != nil && !refused(err) {
		h.end(program.processKey())
	}
	return err
}
