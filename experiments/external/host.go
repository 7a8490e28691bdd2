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

// Greet starts the program if it is not running and returns what it says of
// itself. A caller that waits long for it is told so, unless waits is nil.
func (h *Host) Greet(ctx context.Context, program *Program, waits func(text string)) (*Hello, error) {
	p, err := h.process(ctx, program, waits)
	if err != nil {
		return nil, err
	}
	return &p.hello, nil
}

func (h *Host) process(ctx context.Context, program *Program, waits func(text string)) (*process, error) {
	spec := program.Spec()
	if p, ok := h.running[spec]; ok {
		return p, nil
	}
	p, err := start(ctx, program, h.folder, waits)
	if err != nil {
		return nil, err
	}
	h.running[spec] = p
	return p, nil
}

// with runs one exchange with a program's process. Unless the program itself
// refused, a process that failed is not used again.
func (h *Host) with(ctx context.Context, program *Program, exchange func(*process) error) error {
	p, err := h.process(ctx, program, nil)
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
