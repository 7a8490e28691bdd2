package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/classifiers"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// startPrograms starts the external programs that a plan needs, except generators of CSV files, and
// returns their handshakes by Spec.
//
// It returns an error if a program is not installed, does not start, or does not support the data
// of a cell. If drain is closed, it returns ErrDrained.
func startPrograms(
	ctx context.Context,
	w *trial.Worker,
	s *study.Study,
	p *Plan,
	drain <-chan struct{},
	progress Progress,
) (map[string]external.Handshake, error) {
	programs := p.Programs()
	if err := s.FindPrograms(programs); err != nil {
		return nil, err
	}
	handshakes := map[string]external.Handshake{}
	for _, program := range programs {
		if program.Kind == external.CSVGenerator {
			continue
		}
		command := program.String()
		notify := func(text string) { progress.Note(command + " " + text) }
		handshake, err := w.Host.Handshake(ctx, program, external.Wait{Notify: notify, Stop: drain})
		if err != nil {
			return nil, startError(s, program, err)
		}
		handshakes[program.Spec()] = *handshake
	}
	return handshakes, checkCapabilities(s, p, handshakes)
}

// startError adds advice to the error of a program that did not start. If the user stopped copse
// while it waited for the program, startError returns ErrDrained.
func startError(s *study.Study, program *external.Program, err error) error {
	if errors.Is(err, external.ErrStopped) {
		return ErrDrained
	}
	if refusal, ok := errors.AsType[*external.Refusal](err); ok { // the library has no classifier with this name
		return s.Refused(program, refusal)
	}
	return fmt.Errorf("%s: %w", program, err)
}

// checkUnchanged returns an error if programs have changed since they computed the stored results.
// handshakes contains the current handshakes by recipe.
func checkUnchanged(f *results.Folder, p *Plan, handshakes map[string]external.Handshake) error {
	if f.Len() == 0 {
		return nil
	}
	var refusals []error
	for _, program := range p.Programs() {
		now := handshakes[program.Spec()]
		earlier := f.Handshakes(program)
		isSame := func(h external.Handshake) bool { return len(h.Changes(&now)) == 0 }
		if len(earlier) == 0 || slices.ContainsFunc(earlier, isSame) {
			continue // the program is new or unchanged
		}
		last := earlier[len(earlier)-1]
		refusals = append(refusals, fmt.Errorf("%s has changed since it computed the results in %s: %s; "+
			"to add results of the changed program, use `--accept-change`; "+
			"to compute all its results again, raise the version in the program's file",
			program, f.Dir, strings.Join(last.Changes(&now), ", ")))
	}
	return errors.Join(refusals...)
}

// checkCapabilities returns an error that lists the programs that cannot process the data of their
// cells.
func checkCapabilities(s *study.Study, p *Plan, handshakes map[string]external.Handshake) error {
	var refusals []error
	for _, d := range missingByCell(p) {
		for _, e := range d.entries() {
			if e.Program != nil {
				declared := handshakes[e.Program.Spec()].Capabilities
				refusals = append(refusals, checkEntry(s, d.cell, e, declared)...)
			}
		}
	}
	return errors.Join(refusals...)
}

// checkEntry returns the reasons why the program of classifier e cannot process the data of a cell.
func checkEntry(s *study.Study, c *study.Cell, e study.Entry, declared external.Capabilities) (refusals []error) {
	where := strings.TrimSuffix(c.ID+", "+s.Describe(c), ", ") // a study without factors has no levels
	abilities := classifiers.Spec{
		MaxClasses: declared.MaxClasses, Discrete: declared.Discrete, Missing: declared.Missing}
	for _, reason := range c.Data.Refusals(e, abilities) {
		refusals = append(refusals, fmt.Errorf("%s: classifiers.%s: the program %s; "+
			"or limit the program to other cells with `only` (this cell is %s)", s.File, e.ID, reason, where))
	}
	return refusals
}
