package external

import (
	"context"
	"errors"
	"fmt"
)

// The recipes of an adapter share one process per worker, since an interpreter with a large
// library takes seconds to start. Every request has the parameters of its recipe.

// process returns the key of the process that runs the program.
func (p *Program) process() string {
	if p.Adapter == "" {
		return p.Spec()
	}
	shared := *p
	shared.Params = nil
	return fmt.Sprintf("%s threads=%d memory=%d", shared.Spec(), p.Threads, p.Memory)
}

// describe requests the name, version and capabilities of a recipe from an adapter, once
// per recipe. It does nothing for other programs.
func (p *process) describe(ctx context.Context, program *Program) error {
	spec := program.Spec()
	if program.Adapter == "" || p.recipes[spec] != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	answer, err := p.exchange(ctx, request{Op: "describe", Params: program.requested()})
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return &Refusal{refusal.Msg + hint(refusal.Msg)}
	case err != nil:
		return err
	case answer.Hello == nil:
		return p.fault("described no recipe")
	}
	if p.recipes == nil {
		p.recipes = map[string]*Hello{}
	}
	p.recipes[spec] = answer.Hello
	return nil
}

// helloOf returns the handshake of a program or, of an adapter, the description of its recipe.
func (p *process) helloOf(program *Program) *Hello {
	if described := p.recipes[program.Spec()]; described != nil {
		return described
	}
	return &p.hello
}
