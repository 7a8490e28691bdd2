package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// startPrograms starts each program that a plan needs and returns their handshakes, by
// recipe. It finds missing interpreters and packages, and data that a program does not
// take, before anything runs. A value on drain returns ErrDrained.
func startPrograms(
	ctx context.Context,
	w *trial.Worker,
	s *study.Study,
	p *Plan,
	drain <-chan struct{},
	progress Progress,
) (map[string]external.Hello, error) {
	handshakes := map[string]external.Hello{}
	for _, program := range p.Programs() {
		if program.Kind == external.CSVGenerator { // it has no handshake
			if _, err := program.Find(s.Folder()); err != nil {
				return nil, err
			}
			continue
		}
		command := program.String()
		wait := external.Wait{Notify: func(text string) { progress.Note(command + " " + text) }, Stop: drain}
		hello, err := w.Host().Handshake(ctx, program, wait)
		refusal := (*external.Refusal)(nil)
		switch {
		case errors.Is(err, external.ErrStopped):
			return nil, ErrDrained
		case errors.As(err, &refusal): // an adapter's: the library has no such classifier
			return nil, s.Refused(program, refusal)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		handshakes[program.Spec()] = *hello
	}
	return handshakes, checkCapabilities(s, p, handshakes)
}

// checkUnchanged refuses programs whose version and packages differ from those in all
// earlier sessions of the folder.
func checkUnchanged(f *results.Folder, p *Plan, handshakes map[string]external.Hello) error {
	var refusals []error
	for _, program := range p.Programs() {
		now, ran := handshakes[program.Spec()], f.Handshakes(program)
		isSame := func(earlier external.Hello) bool { return len(earlier.Changes(&now)) == 0 }
		if f.Len() == 0 || len(ran) == 0 || slices.ContainsFunc(ran, isSame) {
			continue
		}
		refusals = append(refusals, fmt.Errorf("%s changed since its results in %s: %s; --accept-change adds results "+
			"to these; to compute all of them again, raise the version in its file",
			program, f.Dir, strings.Join(ran[len(ran)-1].Changes(&now), ", ")))
	}
	return errors.Join(refusals...)
}

// checkCapabilities refuses programs that do not take the data of a cell.
func checkCapabilities(s *study.Study, p *Plan, handshakes map[string]external.Hello) error {
	seen := map[string]bool{}
	var refusals []error
	for _, t := range p.Tasks {
		for _, e := range t.Entries {
			at := t.Cell.ID + " " + e.ID
			if e.Program == nil || seen[at] {
				continue
			}
			seen[at] = true
			can := handshakes[e.Program.Spec()].Capabilities
			ability := study.Ability{MaxClasses: can.MaxClasses, Discrete: can.Discrete, Missing: can.Missing}
			for _, why := range t.Cell.Data.Refusals(e, ability) {
				refusals = append(
					refusals,
					fmt.Errorf(
						"%s: classifiers.%s: the program %s; limit it to other cells with only: (the cell is %s)",
						s.File,
						e.ID,
						why,
						strings.TrimPrefix(t.Cell.ID+", "+s.Describe(t.Cell), ", "),
					),
				)
			}
		}
	}
	return errors.Join(refusals...)
}
