package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/records"
)

// A Check is one thing that Verify looked at.
type Check struct {
	Name     string
	Seen     string   // what was looked at, or why nothing was
	Problems []string // what is not as it should be, and why
}

// A Sample is how many trials Verify computes again, chosen at random by the seed.
type Sample struct {
	Trials int
	Seed   uint64

	// Consent gets the folder's programs before they may start; its error ends Verify. nil: there
	// is nothing to ask.
	Consent func([]*external.Program) error
}

// Verify checks a results folder: that its files read without damage, that they
// agree with one another, that no result is missing, that every trial's results
// saw the same data, and that the sampled trials come out the same bit for bit. It
// changes nothing.
func Verify(ctx context.Context, dir string, sample Sample) ([]Check, error) {
	f, damage, err := results.Salvage(dir)
	if errors.Is(err, config.ErrConfig) {
		return []Check{{Name: folder.Study, Problems: []string{err.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	a, selected := newArchive(f), f.Select()
	if sample.Trials > 0 && sample.Consent != nil {
		if err := sample.Consent(a.Programs()); err != nil {
			return nil, err
		}
	}
	checks := []Check{
		checkStored(f, damage), a.checkRecords(selected), a.checkManifest(selected), a.checkTimings(selected),
		checkPredictions(dir), checkOutputs(dir), a.checkComplete(), a.checkPairing(),
	}
	recomputed, err := a.checkSample(ctx, sample.Trials, sample.Seed)
	return append(checks, recomputed), err
}

// checkStored tells whether what holds the results could be read.
func checkStored(f *results.Folder, damage []error) Check {
	c := Check{Name: "stored results"}
	for _, err := range damage {
		c.Problems = append(c.Problems, err.Error())
	}
	what := "records without journals"
	if results.HasJournals(f.Dir) {
		what = "every line's checksum"
	}
	sessions := "1 session"
	if n := len(f.Sessions()); n != 1 {
		sessions = fmt.Sprintf("%d sessions", n)
	}
	c.Seen = fmt.Sprintf("%d results of %s, %s", f.Len(), sessions, what)
	if f.Repeated > 0 {
		c.Seen += fmt.Sprintf("; %d of them more than once, all equal", f.Repeated)
	}
	for _, w := range slices.Concat(f.Warnings, f.ProgramChanges()) {
		c.Seen += "; " + w
	}
	return c
}

// checkPredictions holds the files of predictions to their checksums.
func checkPredictions(dir string) Check {
	c := Check{Name: folder.Predictions, Seen: "none are kept"}
	problems, files, err := results.CheckPredictions(dir)
	if err != nil {
		problems = append(problems, err.Error())
	}
	waiting, err := results.WaitingPredictions(dir)
	if err != nil {
		problems = append(problems, err.Error())
	}
	if c.Problems = problems; files > 0 || waiting > 0 {
		c.Seen = fmt.Sprintf("checksums of %d files", files)
	}
	if waiting > 0 {
		c.Seen += fmt.Sprintf("; those of %s wait for run or report, which gathers them", trials(waiting))
	}
	return c
}

// Completeness is the name of the check that no result is missing.
const Completeness = "completeness"

// checkComplete lists the results that the study asks for and the folder lacks.
func (a *Archive) checkComplete() Check {
	plan := run.NewPlan(a.Folder, false)
	c := Check{
		Name: Completeness,
		Seen: fmt.Sprintf("%d results of this study, %d of them failed", plan.Done, plan.Failed),
	}
	for _, line := range plan.ReasonLines() {
		c.problem("missing: %s", line)
	}
	return c
}

// checkPairing tells whether all results on the same data saw the same
// fingerprint: those of one trial, and those of the same replicate of cells that
// draw the same data.
func (a *Archive) checkPairing() Check {
	c := Check{Name: "pairing"}
	type draw struct {
		key       string
		replicate int
	}
	keys := map[string]string{}
	for _, s := range append([]*study.Study{a.Study}, a.earlier...) {
		for _, cell := range s.Cells {
			keys[cell.ID] = cell.Key
		}
	}
	seen := map[draw]records.Record{}
	rows := 0
	for r := range a.Rows() {
		if r.Data == "" {
			continue // the draw failed
		}
		rows++
		at := draw{keys[r.Cell], r.Replicate}
		if at.key == "" {
			at.key = r.Cell
		}
		first, known := seen[at]
		if !known {
			seen[at] = r
		} else if first.Data != r.Data {
			c.problem("data: %s/%d/%s saw the data %s, %s/%d/%s saw %s: their difference means nothing",
				r.Cell, r.Replicate, r.Classifier, r.Data, first.Cell, first.Replicate, first.Classifier, first.Data)
		}
	}
	c.Seen = fmt.Sprintf("fingerprints of %d results on %d data sets", rows, len(seen))
	return c
}

// checkSample computes trials again that are chosen at random.
func (a *Archive) checkSample(ctx context.Context, sample int, seed uint64) (Check, error) {
	c := Check{
		Name: "recomputed",
		Seen: fmt.Sprintf("%s, chosen with seed %d", trials(min(sample, len(a.trials))), seed),
	}
	chosen := stream.New(seed, "", 0, "verify").Perm(len(a.trials))[:min(sample, len(a.trials))]
	slices.Sort(chosen)
	for _, i := range chosen {
		t := a.trials[i]
		r, err := a.Replay(ctx, Key{Cell: t.Cell, Replicate: t.Replicate})
		if err != nil {
			return c, err
		}
		key := fmt.Sprintf("%s/%d", t.Cell, t.Replicate)
		for _, d := range r.Data {
			c.problem("%s: data: %s", key, d)
		}
		for _, x := range r.Results {
			for _, d := range x.Differences {
				c.problem("%s/%s: %s", key, x.Stored.Classifier, d)
			}
		}
		for _, w := range r.Why {
			if !slices.Contains(c.Problems, w) {
				c.problem("%s", w)
			}
		}
	}
	return c, nil
}

// trials returns a number of trials in words.
func trials(n int) string {
	if n == 1 {
		return "1 trial"
	}
	return fmt.Sprintf("%d trials", n)
}
