package external

import (
	"context"
	"errors"
	"fmt"
)

// An adapter is a program in copse that runs the classifiers of a library, such as scikit-learn.
// Its classifiers share one process per worker, because loading the library takes seconds.

// processKey returns the key of the process that runs a program. Programs with equal keys share a
// process.
func (p *Program) processKey() string {
	if p.Adapter == "" {
		return p.Spec()
	}
	shared := *p
	shared.Params = nil
	return fmt.Sprintf("%s threads=%d memory=%d", shared.Spec(), p.Threads, p.Memory)
}

// describe requests the adapter's description of a classifier and stores it in p.descriptions.
// Programs without an adapter have no description.
func (p *process) describe(ctx context.Context, program *Program) error {
	spec := program.Spec()
	if program.Adapter == "" || p.descriptions[spec] != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	answer, err := p.exchange(ctx, request{Op: "describe", Params: program.requested()})
	refusal, isRefusal := errors.AsType[*Refusal](err)
	switch {
	case isRefusal: // the adapter's own error; hint adds how to install a missing package
		return &Refusal{Msg: refusal.Msg + p.hint(refusal.Msg)}
	case err != nil:
		return err
	case answer.Described == nil:
		return p.fault("sent no description of the classifier")
	}
	p.descriptions[spec] = answer.Described
	return nil
}

// handshakeOf returns the handshake of a program or, for a classifier of an adapter, the adapter's
// description of the classifier.
func (p *process) handshakeOf(program *Program) *Handshake {
	if described := p.descriptions[program.Spec()]; described != nil {
		return described
	}
	return &p.hello
}
