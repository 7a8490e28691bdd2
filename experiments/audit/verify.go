package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/stream"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Check is the outcome of one of the checks that Verify performs.
type Check struct {
	Name      string
	Seen      string   // the checked data, or the reason why nothing was checked
	Skipped   bool     // nothing was checked
	Unchecked []string // what this computer cannot compute again, with the reasons
	Problems  []string // problems that the check found
}

func (c *Check) problem(format string, args ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

// unchecked adds a line about something that this computer cannot compute again. Each line occurs
// once, because many trials have the same reason.
func (c *Check) unchecked(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(c.Unchecked, line) {
		c.Unchecked = append(c.Unchecked, line)
	}
}

// A Sample selects the trials that Verify recomputes.
type Sample struct {
	Trials int    // number of trials
	Seed   uint64 // seed for the random choice of trials

	// Consent is called before any external program of the folder starts. Verify returns its error.
	// If Consent is nil, all programs may start.
	Consent func([]*external.Program) error
}

// Verify checks that the files of a results folder are undamaged, consistent and complete, and that a
// sample of recomputed trials has identical results. It does not change the folder. Trials that this
// computer cannot compute again, for example because a package is missing, are not problems.
func Verify(ctx context.Context, dir string, sample Sample) ([]Check, error) {
	f, damage, err := results.Salvage(dir) // skips unreadable files
	if errors.Is(err, config.ErrConfig) {
		return []Check{{Name: folder.Study, Problems: []string{err.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	a := NewArchive(f)
	selected := f.Select()
	if sample.Trials > 0 && sample.Consent != nil {
		if err := sample.Consent(a.Programs()); err != nil {
			return nil, err
		}
	}
	checks := []Check{
		checkStored(f, damage), a.checkRecords(selected), a.checkManifest(selected), a.checkTimings(selected),
		a.checkPredictions(), a.checkOutputs(), a.checkComplete(selected), a.checkPairing(selected),
	}
	if packed, isPacked := a.checkPacked(); isPacked {
		checks = append(checks, packed)
	}
	recomputed, err := a.checkSample(ctx, sample)
	return append(checks, recomputed), err
}

// checkStored reports damage that was found while the folder was read.
func checkStored(f *results.Folder, damage []error) Check {
	c := Check{Name: "stored results"}
	for _, err := range damage {
		c.problem("%v", err)
	}
	for _, path := range f.ChangedJournals() {
		c.problem("%s was removed or changed after the records were written; restore the file, or "+
			"write the records again with `copse report %s`", path, f.Dir)
	}
	checked := "checksum of every line"
	switch {
	case !results.HasJournals(f.Dir):
		checked = "records without journals"
	case f.HasImports:
		checked += " of the journals, which lack some results"
	}
	seen := []string{fmt.Sprintf("%d results of %s, %s", f.Len(), counted(len(f.Sessions()), "session"), checked)}
	if f.Repeated > 0 {
		seen = append(seen, fmt.Sprintf("%d results are stored more than once, with equal values", f.Repeated))
	}
	c.Seen = strings.Join(slices.Concat(seen, f.Warnings, f.ProgramChanges()), "; ")
	return c
}

// checkPredictions compares the prediction files of cells with their checksums.
func (a *Archive) checkPredictions() Check {
	c := Check{Name: folder.Predictions, Seen: "the folder has no predictions"}
	problems, files, err := results.CheckPredictions(a.Dir)
	c.Problems = problems
	if err != nil {
		c.problem("%v", err)
	}
	// The files for single trials have no checksums, so only check that they can be read.
	waiting, err := results.WaitingPredictions(a.Dir)
	if err != nil {
		c.problem("%v", err)
	}
	if files > 0 || len(waiting) > 0 {
		c.Seen = fmt.Sprintf("checksums of %d files", files)
	}
	if len(waiting) > 0 {
		c.Seen += fmt.Sprintf("; files of %s, to be merged once no result is missing", counted(len(waiting), "trial"))
	}
	return c
}

// Completeness is the name of the check for missing results.
const Completeness = "completeness"

// checkComplete reports missing results. The field Seen of the check also lists two choices that the
// authors can make after they know the results: omitted results and additional replicates.
func (a *Archive) checkComplete(selected *results.Selection) Check {
	plan := run.NewPlan(a.Folder)
	seen := []string{fmt.Sprintf("%d results of this study, %d of them failed", plan.Done, plan.Failed)}
	if len(selected.Omitted) > 0 {
		seen = append(seen, "the records omit "+strings.Join(results.OmittedInWords(selected.Omitted), ", "))
	}
	if extensions := a.NewManifest(selected).Extensions(); len(extensions) > 0 {
		seen = append(seen, "the study was extended "+strings.Join(extensions, ", "))
	}
	c := Check{Name: Completeness, Seen: strings.Join(seen, "; ")}
	for _, line := range plan.ReasonLines() {
		c.problem("missing: %s", line)
	}
	return c
}

// checkPairing checks that all results for the same draw have the same data fingerprint. It also
// reports different draws with equal fingerprints, unless chance may explain them.
func (a *Archive) checkPairing(selected *results.Selection) Check {
	c := Check{Name: "pairing"}
	type draw struct {
		key       string // key of the random stream
		replicate int
	}
	keys := a.streamKeys()
	firsts := map[draw]records.Record{} // first result of each draw
	fingerprints := map[string]bool{}   // of the data of all results
	rows := 0
	for r := range a.Rows() {
		if r.Data == "" {
			continue // the data could not be drawn
		}
		rows++
		fingerprints[r.Data] = true
		key := cmp.Or(keys[r.Cell], r.Cell) // if the key is unknown, use the cell ID
		drawn := draw{key, r.Replicate}
		first, known := firsts[drawn]
		if !known {
			firsts[drawn] = r
		} else if first.Data != r.Data {
			c.problem("%s/%d/%s used data with the fingerprint %s, but %s/%d/%s used data with the fingerprint %s, "+
				"so the two results cannot be compared", r.Cell, r.Replicate, r.Classifier, r.Data,
				first.Cell, first.Replicate, first.Classifier, first.Data)
		}
	}
	// Equal data in different draws indicate a fault or, in small samples, a coincidence.
	faults, coincidences := selected.RepeatedData()
	c.Problems = append(c.Problems, faults...)
	seen := fmt.Sprintf("fingerprints of %d results on %s", rows, counted(len(fingerprints), "data set"))
	c.Seen = strings.Join(append([]string{seen}, coincidences...), "; ")
	return c
}

// streamKeys returns the key of the random stream of each cell in all configurations, by cell ID.
func (a *Archive) streamKeys() map[string]string {
	keys := map[string]string{}
	for _, s := range a.studies() {
		for _, cell := range s.Cells {
			keys[cell.ID] = cell.Key
		}
	}
	return keys
}

// checkSample recomputes randomly chosen trials and reports differences with their likely causes.
// It excludes trials that copse can no longer recompute (see isFormer).
func (a *Archive) checkSample(ctx context.Context, sample Sample) (Check, error) {
	known := slices.DeleteFunc(slices.Clone(a.trials), a.isFormer)
	size := min(sample.Trials, len(known))
	c := Check{Name: "recomputed"}
	c.Seen = fmt.Sprintf("%d of %s, chosen with seed %d", size, counted(len(known), "trial"), sample.Seed)
	if former := len(a.trials) - len(known); former > 0 {
		c.Seen += fmt.Sprintf("; not counting %s from outdated data, programs or versions", counted(former, "trial"))
	}
	chosen := stream.New(sample.Seed, "", 0, "verify").Perm(len(known))[:size]
	slices.Sort(chosen)
	otherWarnings := 0            // results that differ only in the text of a warning
	compared, notCompared := 0, 0 // results
	for _, i := range chosen {
		t := known[i]
		r, err := a.Replay(ctx, Key{Cell: t.Cell, Replicate: t.Replicate})
		if err != nil {
			return c, err
		}
		otherWarnings += a.reportReplay(&c, t, r)
		notCompared += r.notCompared()
		compared += len(r.Stored.Results) - r.notCompared()
	}
	c.Skipped = compared == 0
	if notCompared > 0 {
		c.Seen += fmt.Sprintf("; results that cannot be computed on this computer: %d", notCompared)
	}
	if otherWarnings > 0 {
		c.Seen += fmt.Sprintf("; results that differ only in the text of a program's warning: %d", otherWarnings)
	}
	return c, nil
}

// reportReplay adds the differences between trial t and its repetition r to c.Problems, with their
// likely causes, and what could not be repeated to c.Unchecked. It returns how many results differ
// only in the text of a warning.
func (a *Archive) reportReplay(c *Check, t *trial.Trial, r *Replay) (otherWarnings int) {
	key := fmt.Sprintf("%s/%d", t.Cell, t.Replicate)
	if r.NotDrawn != "" {
		c.unchecked("data: %s", r.NotDrawn)
	}
	for _, d := range r.DataDifferences {
		c.problem("%s: data: %s", key, d)
	}
	from := a.originOf(t)
	for _, x := range r.Results {
		if a.isFormerResult(t, from, x.Stored) {
			continue // it can no longer be recomputed
		}
		if x.NotRun != "" {
			c.unchecked("%s: cannot run on this computer: %s", x.Stored.Classifier, x.NotRun)
		}
		for _, d := range x.Differences {
			c.problem("%s/%s: %s", key, x.Stored.Classifier, d)
		}
		if x.OtherWarning {
			otherWarnings++
		}
	}
	for _, w := range r.Why {
		if !slices.Contains(c.Problems, w) { // an earlier trial may have the same cause
			c.problem("%s", w)
		}
	}
	return otherWarnings
}

// isFormer reports whether a trial cannot be recomputed because its data or all of its classifiers
// have changed.
func (a *Archive) isFormer(t *trial.Trial) bool {
	_, isRecorded := a.Manifest.Cell(t.Cell)
	isRecorded = isRecorded && t.Replicate <= a.Study.Replicates
	if a.Manifest == nil || isRecorded && len(a.dataChanges) == 0 {
		return false
	}
	from := a.originOf(t)
	isCurrent := func(r records.Record) bool { return !a.isFormerResult(t, from, r) }
	return from.cell == nil || !slices.ContainsFunc(a.currentResults(t, ""), isCurrent)
}

// isFormerResult reports whether result r of trial t can no longer be recomputed, and the study no
// longer needs it. from is the origin of t.
func (a *Archive) isFormerResult(t *trial.Trial, from origin, r records.Record) bool {
	_, isKnown := from.classifiers[r.Classifier]
	_, isWanted := a.recipes(t.Cell)[r.Classifier]
	isRecord := isWanted && t.Replicate <= a.Study.Replicates
	return !isKnown && !isRecord
}

// counted returns a number with a noun, such as "1 trial" or "2 trials".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
