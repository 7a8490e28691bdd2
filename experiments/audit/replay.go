package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Replay compares a stored trial with the recomputed trial.
type Replay struct {
	Stored          *trial.Trial // with the results that the key selects
	Levels          string       // factor levels of the cell, as factor=level, ...
	Draw            *trial.Draw  // data drawn again; nil if they could not be drawn
	NotDrawn        string       // why this computer cannot draw the data, or ""; Results is then empty
	DataDifferences []string     // differences between the data
	Results         []Replayed
	Why             []string // likely causes of the differences
}

// A Replayed contains a stored result, the recomputed result and their differences.
type Replayed struct {
	Stored      records.Record
	Now         trial.Outcome
	Differences []string // such as "errors 35, stored 34"

	NotRun       string // why this computer cannot run the program, or ""; Differences is then empty
	OtherWarning bool   // only the text of a program's warning differs; Differences is then empty

	program string // specification of the external program; "" for a built-in classifier
}

// Differs reports whether the recomputed data or results differ from the stored ones.
func (r *Replay) Differs() bool {
	resultDiffers := func(x Replayed) bool { return len(x.Differences) > 0 }
	return len(r.DataDifferences) > 0 || slices.ContainsFunc(r.Results, resultDiffers)
}

// Identical reports whether all data and results were recomputed and are equal to the stored ones.
func (r *Replay) Identical() bool {
	return !r.Differs() && r.notCompared() == 0
}

// notCompared returns the number of stored results that this computer cannot compute again.
func (r *Replay) notCompared() (n int) {
	if r.NotDrawn != "" {
		return len(r.Stored.Results)
	}
	for _, x := range r.Results {
		if x.NotRun != "" {
			n++
		}
	}
	return n
}

// Replay recomputes a stored trial. If the cell is unknown, the returned Replay has no Results, and
// its DataDifferences states the reason.
func (a *Archive) Replay(ctx context.Context, key Key) (*Replay, error) {
	stored, err := a.find(key)
	if err != nil {
		return nil, err
	}
	r := &Replay{Stored: stored, Levels: stored.Levels.Describe(a.Study.Factors)}
	from := a.originOf(stored)
	if from.cell == nil {
		r.DataDifferences = []string{a.whyNoCell(stored)}
		return r, nil
	}
	if source := from.cell.Data; source.Absent {
		r.NotDrawn = "cannot be read again: " + source.Source() + " is not available; " + source.WhereToFind()
		return r, nil
	}
	worker := trial.NewWorker(a.Study)
	defer worker.Close()
	draw, drawErr := worker.Draw(ctx, from.cell, stored.Replicate)
	if drawErr == nil {
		defer draw.Close(ctx)
	}
	r.compareData(draw, drawErr) // an error counts as a difference unless the stored trial also has it
	for _, result := range stored.Results {
		r.Results = append(r.Results, replayResult(ctx, from, result, draw, drawErr))
	}
	if generator := from.cell.Data.Program; drawErr != nil && generator != nil && r.Differs() &&
		cannotRun(ctx, a.Study, generator, drawErr) {
		r.NotDrawn = "cannot be drawn again: the generator cannot run on this computer: " +
			trial.OneLine(drawErr.Error())
		r.DataDifferences, r.Results = nil, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // an interrupted fit has no valid result
	}
	if r.Differs() {
		r.Why = a.likelyCauses(r)
	}
	return r, nil
}

// replayResult repeats a stored result on the drawn data and compares both results. If drawErr is
// not nil, the new result is a failure with this error.
func replayResult(
	ctx context.Context, from origin, stored records.Record, draw *trial.Draw, drawErr error,
) Replayed {
	x := Replayed{Stored: stored}
	classifier, known := from.classifiers[stored.Classifier]
	if !known {
		x.Differences = []string{whyNoClassifier(from.cell, stored)}
		return x
	}
	if drawErr != nil {
		x.Now.Record = trial.Undrawn(stored.Classifier, stored.Spec, drawErr)
	} else {
		x.Now = fitAgain(ctx, classifier, from.cell, stored, draw)
		if p := classifier.entry.Program; p != nil {
			x.program = p.Spec()
		}
	}
	x.compare()
	if p := classifier.entry.Program; p != nil && drawErr == nil && len(x.Differences) > 0 &&
		x.Now.Status == records.Failed && cannotRun(ctx, classifier.study, p, errors.New(x.Now.Message)) {
		x.NotRun, x.Differences = x.Now.Message, nil
	}
	return x
}

// cannotRun reports whether a program failed because this computer cannot run it: it does not start,
// or a package is missing. err is the error of the program.
func cannotRun(ctx context.Context, s *study.Study, program *external.Program, err error) bool {
	if external.LacksPackage(err.Error()) || errors.As(err, new(*external.NotStarted)) {
		return true
	}
	if program.Kind == external.CSVGenerator { // has no handshake
		return false
	}
	host := external.NewHost(s.Folder())
	defer host.Close()
	_, err = host.Handshake(ctx, program, external.Wait{})
	return err != nil
}

// fitAgain repeats the fit of a stored result and computes the same metrics. A new worker starts a
// new process of an external program, so that earlier trials cannot affect the result.
func fitAgain(
	ctx context.Context, classifier configured, c *study.Cell, stored records.Record, d *trial.Draw,
) trial.Outcome {
	s := *classifier.study
	s.Predictions = true // also keeps the predictions of external programs
	s.Metrics = nil      // the study's metrics may have changed since the result was stored
	for name := range stored.Metrics {
		if _, err := metrics.Lookup(name); err == nil {
			s.Metrics = append(s.Metrics, name)
		}
	}
	w := trial.NewWorker(&s)
	defer w.Close()
	return w.Fit(ctx, c, stored.Replicate, classifier.entry, d)
}

// compareData compares newly drawn data with the data of the stored trial and sets
// r.DataDifferences. If neither draw failed, it also sets r.Draw. err is the error of the new draw.
func (r *Replay) compareData(draw *trial.Draw, err error) {
	switch {
	case err != nil && r.Stored.Data != "":
		r.DataDifferences = []string{fmt.Sprintf("could not be drawn again (%s); the stored data have the "+
			"fingerprint %s", trial.OneLine(err.Error()), r.Stored.Data)}
	case err != nil: // no difference: the data could not be drawn the first time either
	case r.Stored.Data == "":
		r.DataDifferences = []string{"can be drawn now, but could not be drawn when the trial was stored"}
	default:
		r.Draw = draw
		r.DataDifferences = difference(nil, "fingerprint", draw.Fingerprint, r.Stored.Data)
		r.DataDifferences = difference(r.DataDifferences, "test rows", draw.Test.N(), r.Stored.NTest)
	}
}

// difference appends a text such as "errors 35, stored 34" to list if now and stored differ. In the
// example, quantity is "errors".
func difference[T comparable](list []string, quantity string, now, stored T) []string {
	if now == stored {
		return list
	}
	return append(list, fmt.Sprintf("%s %v, stored %v", quantity, now, stored))
}

// compare sets x.Differences to the differences between the new result and the stored one. Numbers
// must agree bit by bit. If only the text of a program's warning differs, which may contain a
// process ID, compare sets x.OtherWarning instead.
func (x *Replayed) compare() {
	now, stored := &x.Now.Record, &x.Stored
	x.Differences = resultDifferences(now, stored)
	onlyTextDiffers := len(x.Differences) == 0 && now.Reason() != stored.Reason()
	x.OtherWarning = onlyTextDiffers && x.program != "" && now.Status == records.OK
	if !x.OtherWarning {
		x.Differences = difference(x.Differences, "message", strconv.Quote(now.Reason()),
			strconv.Quote(stored.Reason()))
	}
}

// resultDifferences returns the differences between two results, except for their messages. If only
// one of the fits failed, the measures cannot be compared.
func resultDifferences(now, stored *records.Record) []string {
	if now.Status != stored.Status {
		return difference(nil, "status", now.Status, stored.Status)
	}
	list := difference(nil, "errors", now.Errors, stored.Errors)
	list = difference(list, "ber", exact(now.BER), exact(stored.BER))
	if len(stored.Confusion) > 0 {
		list = difference(list, "confusion matrix", now.Confusion.String(), stored.Confusion.String())
	}
	for _, name := range slices.Sorted(maps.Keys(stored.Metrics)) {
		list = difference(list, name, exact(now.Metric(name)), exact(stored.Metrics[name]))
	}
	return difference(list, "tuned", strconv.Quote(now.Tuned), strconv.Quote(stored.Tuned))
}

// exact formats a number with enough digits to distinguish it from all other numbers.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// likelyCauses lists likely causes of the differences between the two trials. Another platform can
// change the data and the results of built-in classifiers. If the data differ, this alone explains
// why results of programs differ.
func (a *Archive) likelyCauses(r *Replay) (causes []string) {
	const (
		loadDecides   = ": the machine and its load decide whether a fit exceeds a time or memory limit"
		programVaries = ": in a new process, the program gives a different result for the same data and " +
			"seed. It keeps state between trials, or the seed does not determine all its random numbers; run " +
			"`copse try` to find out"
	)
	sameData := len(r.DataDifferences) == 0
	suspectsPlatform := !sameData
	for _, x := range r.Results {
		isRecomputed := x.Now.Classifier != "" // otherwise, the study no longer has the classifier
		if !isRecomputed || len(x.Differences) == 0 {
			continue
		}
		isBuiltin := x.program == ""
		suspectsProgram := !isBuiltin && sameData
		switch {
		case x.differsByLimit():
			causes = append(causes, x.Stored.Classifier+loadDecides)
		case isBuiltin:
			suspectsPlatform = true
		case suspectsProgram:
			causes = append(causes, x.Stored.Classifier+programVaries)
		}
		if suspectsProgram { // another version of the program also explains the result
			causes = append(causes, a.programVersion(r.Stored, x)...)
		}
	}
	if suspectsPlatform {
		causes = append(causes, a.platformCauses(r.Stored)...)
	}
	return causes
}

// differsByLimit reports whether exactly one of the two fits exceeded a time or memory limit.
func (x *Replayed) differsByLimit() bool {
	return results.ExceededLimit(&x.Now.Record) != results.ExceededLimit(&x.Stored)
}

// programVersion returns a line with the version of the external program that computed a stored
// result, or nil if no session recorded the version.
func (a *Archive) programVersion(t *trial.Trial, x Replayed) []string {
	for _, s := range a.sessionsOf(t) {
		if handshake, ok := s.Programs[x.program]; ok {
			return []string{fmt.Sprintf("%s: the stored result was computed with %s", x.Stored.Classifier,
				handshake.Describe())}
		}
	}
	return nil
}

// platformCauses lists the differences between this platform and the platforms that computed the
// stored trial. If there are none, it returns one line with other possible causes.
func (a *Archive) platformCauses(t *trial.Trial) []string {
	here := results.ThisPlatform()
	var causes []string
	for _, s := range a.sessionsOf(t) {
		for _, difference := range here.Differences(&s.Platform) {
			if text := "platform: " + difference; !slices.Contains(causes, text) {
				causes = append(causes, text)
			}
		}
	}
	if causes == nil {
		return []string{"platform: unchanged since the trial was stored. Either the stored result was edited, or " +
			"copse is not reproducible here; please report this"}
	}
	return causes
}
