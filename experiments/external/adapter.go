package external

import (
	"context"
	"errors"
	"fmt"
)

// The recipes of an adapter share one process of a worker: the start of an interpreter with a
// large library takes seconds. Every request has the parameters of its recipe.

// process identifies the process that runs the program.
func (p *Program) process() string {
	if p.Adapter == "" {
		return p.Spec()
	}
	shared := *p
	shared.Params = nil
	return fmt.Sprintf("%s threads=%d memory=%d", shared.Spec(), p.Threads, p.Memory)
}

// describe asks an adapter, once, for the name, version and capabilities of a recipe.
func (p *process) describe(ctx context.Context, program *Program) error {
	spec := program.Spec()
	if program.Adapter == "" || p.recipes[spec] != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	answer, err := p.ask(ctx, request{Op: "describe", Params: program.Params})
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

// helloOf returns what the process states of a program.
func (p *process) helloOf(program *Program) *Hello {
	if described := p.recipes[program.Spec()]; described != nil {
		return described
	}
	return &p.hello
}
