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

// startPrograms starts the programs that a plan needs and returns their handshakes, by recipe. So it
// finds missing interpreters and packages, and data that a program does not take, before anything
// runs. A value on drain ends it with ErrDrained.
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
		notify := func(text string) { progress.Note(command + " " + text) }
		hello, err := w.Host().Handshake(ctx, program, external.Wait{Notify: notify, Stop: drain})
		if err != nil {
			return nil, startError(s, program, err)
		}
		handshakes[program.Spec()] = *hello
	}
	return handshakes, checkCapabilities(s, p, handshakes)
}

// startError returns the error of a program that did not start, for the user of the study.
func startError(s *study.Study, program *external.Program, err error) error {
	refusal := (*external.Refusal)(nil)
	switch {
	case errors.Is(err, external.ErrStopped):
		return ErrDrained
	case errors.As(err, &refusal): // the library of an adapter has no such classifier
		return s.Refused(program, refusal)
	}
	return fmt.Errorf("%s: %w", program, err)
}

// checkUnchanged returns an error for each program whose version or packages differ from all earlier
// sessions of the folder.
func checkUnchanged(f *results.Folder, p *Plan, handshakes map[string]external.Hello) error {
	if f.Len() == 0 {
		return nil
	}
	var refusals []error
	for _, program := range p.Programs() {
		now, earlier := handshakes[program.Spec()], f.Handshakes(program)
		isSame := func(h external.Hello) bool { return len(h.Changes(&now)) == 0 }
		if len(earlier) == 0 || slices.ContainsFunc(earlier, isSame) {
			continue
		}
		last := earlier[len(earlier)-1]
		refusals = append(refusals, fmt.Errorf("%s changed since its results in %s: %s; --accept-change adds results "+
			"to these; to compute all of them again, raise the version in its file",
			program, f.Dir, strings.Join(last.Changes(&now), ", ")))
	}
	return errors.Join(refusals...)
}

// checkCapabilities returns an error for each program and cell whose data the program does not take.
func checkCapabilities(s *study.Study, p *Plan, handshakes map[string]external.Hello) error {
	type cellEntry struct{ cell, entry string } // ids
	checked := map[cellEntry]bool{}
	var refusals []error
	for _, t := range p.Tasks {
		for _, e := range t.Entries {
			at := cellEntry{t.Cell.ID, e.ID}
			if e.Program == nil || checked[at] {
				continue
			}
			checked[at] = true
			declared := handshakes[e.Program.Spec()].Capabilities
			refusals = append(refusals, checkEntry(s, t.Cell, e, declared)...)
		}
	}
	return errors.Join(refusals...)
}

// checkEntry returns the errors of a program's entry with the data of a cell.
func checkEntry(s *study.Study, c *study.Cell, e study.Entry, declared external.Capabilities) (refusals []error) {
	where := c.ID
	if levels := s.Describe(c); levels != "" {
		where += ", " + levels
	}
	ability := study.Ability{MaxClasses: declared.MaxClasses, Discrete: declared.Discrete, Missing: declared.Missing}
	for _, reason := range c.Data.Refusals(e, ability) {
		refusals = append(refusals, fmt.Errorf("%s: classifiers.%s: the program %s; limit it to other cells with "+
			"only: (the cell is %s)", s.File, e.ID, reason, where))
	}
	return refusals
}
