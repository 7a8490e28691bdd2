package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Replay compares a stored trial with the same trial computed again.
type Replay struct {
	Stored  *trial.Trial // as stored, with the results of the key
	Levels  string
	Draw    *trial.Draw // data of the trial; nil if they could not be drawn
	Data    []string    // differences of the data
	Results []Replayed
	Why     []string // likely causes of the differences
}

// A Replayed compares a stored result with the same result computed again.
type Replayed struct {
	Stored      records.Record
	Now         trial.Outcome
	Differences []string // such as "errors 35, stored 34"

	program string // specification of the external program; "": a classifier of copse
}

// Differs reports whether any data or result is not equal to the stored one, bit for bit.
func (r *Replay) Differs() bool {
	return len(r.Data) > 0 || slices.ContainsFunc(r.Results, func(x Replayed) bool { return len(x.Differences) > 0 })
}

// Replay computes a stored trial again. It uses only the configuration of its session and its key.
func (a *Archive) Replay(ctx context.Context, key Key) (*Replay, error) {
	stored, err := a.find(key)
	if err != nil {
		return nil, err
	}
	r := &Replay{Stored: stored, Levels: stored.Levels.Describe(a.Study.Factors)}
	from := a.origin(stored)
	if from.cell == nil {
		r.Data = []string{a.whyNoCell(stored)}
		return r, nil
	}
	if source := from.cell.Data; source.Absent {
		r.Data = []string{"cannot be read again: " + source.Source() + " is not here; " + source.Whereabouts()}
		return r, nil
	}
	drawer := trial.NewWorker(a.Study, a.Dir)
	defer drawer.Close()
	draw, drawErr := drawer.Draw(ctx, from.cell, stored.Replicate)
	if drawErr == nil {
		defer draw.Close(ctx)
	}
	r.compareData(draw, drawErr)
	for _, result := range stored.Results {
		x := Replayed{Stored: result}
		made, known := from.classifiers[result.Classifier]
		switch {
		case !known:
			x.Differences = []string{whyNoClassifier(from.cell, result)}
		case drawErr != nil:
			x.Now.Record = trial.Undrawn(result.Classifier, result.Spec, drawErr)
			x.compare()
		default:
			x.Now = a.fit(ctx, made, from.cell, stored.Replicate, draw)
			if made.entry.Program != nil {
				x.program = made.entry.Program.Spec()
			}
			x.compare()
		}
		r.Results = append(r.Results, x)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // fits were interrupted
	}
	if r.Differs() {
		r.Why = a.why(r)
	}
	return r, nil
}

// fit computes one result again. It uses a new worker, so that a program runs in a fresh process
// without memory of other trials.
func (a *Archive) fit(ctx context.Context, made configured, c *study.Cell, replicate int, d *trial.Draw) trial.Outcome {
	s := *made.study
	s.Predictions = true // also of a program
	w := trial.NewWorker(&s, a.Dir)
	defer w.Close()
	return w.Fit(ctx, c, replicate, made.entry, d)
}

// compareData sets Draw and the differences of the data. err is the reason why they could not be
// drawn now; nil: they were drawn.
func (r *Replay) compareData(draw *trial.Draw, err error) {
	switch {
	case err != nil && r.Stored.Data != "":
		r.Data = append(r.Data, fmt.Sprintf("could not be drawn (%s), stored with fingerprint %s",
			trial.OneLine(err.Error()), r.Stored.Data))
	case err != nil: // as when it was stored
	case r.Stored.Data == "":
		r.Data = append(r.Data, "drawn now, could not be drawn when it was stored")
	default:
		r.Draw = draw
		r.Data = difference(r.Data, "fingerprint", draw.Fingerprint, r.Stored.Data)
		r.Data = difference(r.Data, "test rows", draw.Test.N(), r.Stored.NTest)
	}
}

// difference adds "what NOW, stored THEN" to a list unless both values are equal.
func difference[T comparable](list []string, what string, now, stored T) []string {
	if now == stored {
		return list
	}
	return append(list, fmt.Sprintf("%s %v, stored %v", what, now, stored))
}

// compare sets the differences of a result. Numbers are compared bit for bit.
func (x *Replayed) compare() {
	now, stored := &x.Now.Record, &x.Stored
	list := difference(nil, "status", now.Status, stored.Status)
	list = difference(list, "errors", now.Errors, stored.Errors)
	list = difference(list, "ber", exact(now.BER), exact(stored.BER))
	if len(stored.Confusion) > 0 {
		list = difference(list, "confusion matrix", now.Confusion.String(), stored.Confusion.String())
	}
	for _, name := range slices.Sorted(maps.Keys(stored.Metrics)) {
		list = difference(list, name, exact(now.Metric(name)), exact(stored.Metrics[name]))
	}
	list = difference(list, "tuned", strconv.Quote(now.Tuned), strconv.Quote(stored.Tuned))
	x.Differences = difference(list, "message", strconv.Quote(now.Message), strconv.Quote(stored.Message))
}

// exact returns a text that differs for different bits, but for NaN.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// why returns likely causes of a replay's differences.
func (a *Archive) why(r *Replay) []string {
	var causes []string
	unexplained := len(r.Data) > 0
	for _, x := range r.Results {
		if x.Now.Classifier == "" || len(x.Differences) == 0 {
			continue // not computed again, or equal
		}
		nearLimit := (x.Now.Cause == records.OutOfTime) != (x.Stored.Cause == records.OutOfTime)
		ofProgram := x.program != "" && len(r.Data) == 0
		switch {
		case nearLimit:
			causes = append(causes, x.Stored.Classifier+": whether a fit meets its time limit depends on the "+
				"machine and its load")
		case ofProgram:
			causes = append(causes, x.Stored.Classifier+": the program gives another result for the same data and "+
				"seed in a fresh process. It keeps state between trials, or its seed does not set all random numbers "+
				"(copse try shows which)")
		}
		if ofProgram {
			causes = append(causes, a.programVersion(r.Stored, x)...)
		} else {
			unexplained = true
		}
	}
	if unexplained {
		causes = append(causes, a.platformCauses(r.Stored)...)
	}
	return causes
}

// programVersion returns the version of the program that made a stored result, if a session
// recorded it.
func (a *Archive) programVersion(t *trial.Trial, x Replayed) []string {
	for _, s := range a.sessionsOf(t) {
		if hello, ok := s.Programs[x.program]; ok {
			return []string{fmt.Sprintf("%s: it was run with %s", x.Stored.Classifier, hello.Describe())}
		}
	}
	return nil
}

// platformCauses returns the differences of this platform and the platforms that stored a trial.
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
	if len(causes) == 0 {
		causes = append(causes, "platform: the same as when it was stored, so either the stored row was changed or "+
			"the result is not reproducible: please report it")
	}
	return causes
}
