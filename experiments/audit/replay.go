package audit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// A Replay is a stored trial computed once more.
type Replay struct {
	Stored  *trial.Trial // the results that were asked for, as they are stored
	Levels  string
	Draw    *trial.Draw // nil when the data could not be drawn
	Data    []string
	Results []Replayed
	Why     []string // likely causes of the differences
}

// A Replayed compares a stored result with what it comes to now.
type Replayed struct {
	Stored      records.Record
	Now         trial.Outcome
	Differences []string // "errors: 35, stored 34"

	program string // the identity of the program that it is of; "": copse's own
}

// Differs tells whether anything is not as it is stored, bit for bit.
func (r *Replay) Differs() bool {
	return len(r.Data) > 0 || slices.ContainsFunc(r.Results, func(x Replayed) bool { return len(x.Differences) > 0 })
}

// Replay computes a stored trial again, from the configuration of the session
// that made it and its key alone.
func (a *Archive) Replay(ctx context.Context, key Key) (*Replay, error) {
	stored, err := a.find(key)
	if err != nil {
		return nil, err
	}
	r := &Replay{Stored: stored, Levels: stored.Levels.Describe(a.Study.Factors)}
	from := a.origin(stored)
	if from.cell == nil {
		r.Data = []string{from.missing}
		return r, nil
	}
	if from.cell.Data.Absent { // nothing is known of the results
		r.Data = []string{
			"cannot be read again: " + from.cell.Data.Source() + " is not here; " + from.cell.Data.Whereabouts(),
		}
		return r, nil
	}
	drawer := trial.NewWorker(a.Study, a.Dir)
	defer drawer.Close()
	draw, err := drawer.Draw(ctx, from.cell, stored.Replicate)
	if err == nil {
		defer draw.Close(ctx)
	}
	data := redrawn{stored.Replicate, draw, err}
	switch {
	case err != nil:
		if stored.Data != "" {
			r.Data = append(
				r.Data,
				fmt.Sprintf(
					"could not be drawn (%s), stored with fingerprint %s",
					trial.OneLine(err.Error()),
					stored.Data,
				),
			)
		}
	case stored.Data == "":
		r.Data = append(r.Data, "drawn now, could not be drawn when it was stored")
	default:
		r.Draw = draw
		r.compare("fingerprint", draw.Fingerprint, stored.Data)
		r.compare("test rows", draw.Test.N(), stored.NTest)
	}
	for _, result := range stored.Results {
		x, err := a.again(ctx, &from, data, result)
		if err != nil {
			return nil, err
		}
		r.Results = append(r.Results, x)
	}
	if r.Differs() {
		r.Why = a.why(r)
	}
	return r, nil
}

// redrawn is the data of a replicate, drawn anew.
type redrawn struct {
	replicate int
	draw      *trial.Draw
	err       error // why there are none, which every classifier then bears
}

// again computes one stored result once more. It fails only when ctx is done.
func (a *Archive) again(ctx context.Context, from *origin, data redrawn, stored records.Record) (Replayed, error) {
	x := Replayed{Stored: stored}
	m, ok := from.entries[stored.Classifier]
	switch {
	case !ok:
		x.Differences = []string{a.whyGone(from.cell, stored)}
		return x, nil
	case data.err != nil:
		x.Now.Record = trial.Undrawn(stored.Classifier, stored.Spec, data.err)
	default:
		x.Now = a.fit(ctx, m, from.cell, data)
		if m.entry.Program != nil {
			x.program = m.entry.Program.Spec()
		}
	}
	x.compareResults()
	return x, ctx.Err()
}

// fit runs an entry anew; a program in a fresh process, where nothing is left of
// other trials.
func (a *Archive) fit(ctx context.Context, m maker, c *study.Cell, data redrawn) trial.Outcome {
	s := *m.study
	s.Predictions = true // what a process of its own says of the rows, too
	w := trial.NewWorker(&s, a.Dir)
	defer w.Close()
	return w.Fit(ctx, c, data.replicate, m.entry, data.draw)
}

func (r *Replay) compare(what string, now, stored any) {
	if now != stored {
		r.Data = append(r.Data, fmt.Sprintf("%s %v, stored %v", what, now, stored))
	}
}

func (x *Replayed) compareResults() {
	differ := func(what string, now, stored any) {
		x.Differences = append(x.Differences, fmt.Sprintf("%s %v, stored %v", what, now, stored))
	}
	if x.Now.Status != x.Stored.Status {
		differ("status", x.Now.Status, x.Stored.Status)
	}
	if x.Now.Errors != x.Stored.Errors {
		differ("errors", x.Now.Errors, x.Stored.Errors)
	}
	if math.Float64bits(x.Now.BER) != math.Float64bits(x.Stored.BER) {
		differ("ber", strconv.FormatFloat(x.Now.BER, 'g', -1, 64), strconv.FormatFloat(x.Stored.BER, 'g', -1, 64))
	}
	if len(x.Stored.Confusion) > 0 && !slices.Equal(x.Now.Confusion, x.Stored.Confusion) {
		differ("confusion matrix", x.Now.Confusion, x.Stored.Confusion)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Stored.Metrics)) {
		now, again := x.Now.Metrics[name]
		if stored := x.Stored.Metrics[name]; !again || math.Float64bits(now) != math.Float64bits(stored) {
			differ(name, strconv.FormatFloat(now, 'g', -1, 64), strconv.FormatFloat(stored, 'g', -1, 64))
		}
	}
	if x.Now.Tuned != x.Stored.Tuned {
		differ("tuned", strconv.Quote(x.Now.Tuned), strconv.Quote(x.Stored.Tuned))
	}
	if x.Now.Message != x.Stored.Message {
		differ("message", strconv.Quote(x.Now.Message), strconv.Quote(x.Stored.Message))
	}
}

// why names what may have caused a replay's differences.
func (a *Archive) why(r *Replay) []string {
	var causes []string
	unexplained := len(r.Data) > 0
	for _, x := range r.Results {
		switch {
		case x.Now.Classifier == "" || len(x.Differences) == 0:
		case x.program != "" && len(r.Data) == 0:
			causes = append(causes, a.programCauses(r.Stored, x)...)
			continue
		default:
			unexplained = true
		}
		if (x.Now.Cause == records.OutOfTime) != (x.Stored.Cause == records.OutOfTime) {
			causes = append(
				causes,
				fmt.Sprintf(
					"%s: whether a fit meets its time limit depends on the machine and its load",
					x.Stored.Classifier,
				),
			)
		}
	}
	if unexplained {
		causes = append(causes, a.platformCauses(r.Stored)...)
	}
	return causes
}

// programCauses says why a program may have given another answer to the same data
// and seed.
func (a *Archive) programCauses(t *trial.Trial, x Replayed) []string {
	causes := []string{
		fmt.Sprintf(
			"%s: the method's fault: on the same data with the same seed, in a fresh process, it answers "+
				"otherwise; it keeps something from trial to trial, or draws random numbers that its seed does "+
				"not decide (copse try tells which)",
			x.Stored.Classifier,
		),
	}
	if (x.Now.Cause == records.OutOfTime) != (x.Stored.Cause == records.OutOfTime) {
		causes = []string{
			fmt.Sprintf(
				"%s: whether a fit meets its time limit depends on the machine and its load",
				x.Stored.Classifier,
			),
		}
	}
	for _, s := range a.sessionsOf(t) {
		if hello, ok := s.Programs[x.program]; ok {
			causes = append(causes, fmt.Sprintf("%s: it was run with %s", x.Stored.Classifier, hello.Describe()))
			break
		}
	}
	return causes
}

// platformCauses compares this binary and machine with those that stored a
// trial.
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
		causes = append(
			causes,
			"platform: the same as when it was stored, so either the stored row was changed or the result is not "+
				"reproducible: please report it",
		)
	}
	return causes
}
