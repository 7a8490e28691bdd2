package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// A Key names a trial, or one result of it: CELL/REPLICATE[/CLASSIFIER], where
// the first digits of a cell's identity do.
type Key struct {
	Cell       string
	Replicate  int
	Classifier string // "": all of the trial
}

// ParseKey reads CELL/REPLICATE[/CLASSIFIER].
func ParseKey(text string) (Key, error) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) >= 2 && parts[0] != "" {
		if replicate, err := strconv.Atoi(parts[1]); err == nil && replicate > 0 {
			return Key{parts[0], replicate, strings.Join(parts[2:], "")}, nil
		}
	}
	return Key{}, fmt.Errorf("%q is no key; write CELL/REPLICATE or CELL/REPLICATE/CLASSIFIER, as copse status does", text)
}

// A Replay is a stored trial computed once more.
type Replay struct {
	Stored  *Trial // the results that were asked for, as they are stored
	Levels  string
	Draw    *Draw // nil when the data could not be drawn
	Data    []string
	Results []Replayed
	Why     []string // likely causes of the differences
}

// A Replayed is one stored result and what it comes to now.
type Replayed struct {
	Stored, Now Result
	Predictions []int    // nil when none were made
	Stack       string   // of a panic
	Differences []string // "errors: 35, stored 34"
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
	r := &Replay{Stored: stored, Levels: describeLevels(a.Study, stored.Levels)}
	made := a.makers(stored)
	if made.cell == nil {
		r.Data = []string{made.missing}
		return r, nil
	}
	draw, err := made.cell.drawSafely(a.Study.Seed, stored.Replicate)
	failure := "" // of the draw: every classifier then bears it
	switch {
	case err != nil:
		failure = "data: " + oneLine(err.Error())
		if stored.Data != "" {
			r.Data = append(r.Data, fmt.Sprintf("could not be drawn (%s), stored with fingerprint %s", oneLine(err.Error()), stored.Data))
		}
	case stored.Data == "":
		r.Data = append(r.Data, "drawn now, could not be drawn when it was stored")
	default:
		r.Draw = draw
		r.compare("fingerprint", draw.Fingerprint, stored.Data)
		r.compare("test rows", draw.Test.N(), stored.NTest)
	}
	for _, result := range stored.Results {
		x := Replayed{Stored: result}
		m, ok := made.entries[result.ID]
		switch {
		case !ok:
			x.Differences = []string{a.whyGone(made.cell, result)}
		case failure != "":
			x.Now = Result{ID: result.ID, Spec: result.Spec, Status: records.Failed, Message: failure}
			x.compareResults()
		default:
			o := m.study.fitAndScore(ctx, made.cell, stored.Replicate, m.entry, draw)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			x.Now, x.Predictions, x.Stack = o.Result, o.predictions, o.stack
			x.compareResults()
		}
		r.Results = append(r.Results, x)
	}
	if r.Differs() {
		r.Why = a.why(r)
	}
	return r, nil
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
	if x.Now.Message != x.Stored.Message {
		differ("message", strconv.Quote(x.Now.Message), strconv.Quote(x.Stored.Message))
	}
}

// why names what may have caused a replay's differences.
func (a *Archive) why(r *Replay) []string {
	var causes []string
	unexplained := len(r.Data) > 0
	for _, x := range r.Results {
		if x.Now.ID != "" && len(x.Differences) > 0 {
			unexplained = true
		}
		if isTimeLimit(x.Now.Message) != isTimeLimit(x.Stored.Message) {
			causes = append(causes, fmt.Sprintf("%s: whether a fit meets its time limit depends on the machine and its load", x.Stored.ID))
		}
	}
	if unexplained {
		causes = append(causes, a.platformCauses(r.Stored)...)
	}
	return causes
}

// platformCauses compares this binary and machine with those that stored a
// trial.
func (a *Archive) platformCauses(t *Trial) []string {
	here := ThisPlatform()
	var causes []string
	for _, s := range a.sessionsOf(t) {
		for _, difference := range here.differences(&s.Platform) {
			if text := "platform: " + difference; !slices.Contains(causes, text) {
				causes = append(causes, text)
			}
		}
	}
	if len(causes) == 0 {
		causes = append(causes, "platform: the same as when it was stored, so either the stored row was changed or the result is not reproducible: please report it")
	}
	return causes
}

// differences lists what may change the last bits of a result, "go go1.26.1
// here, go1.26.0 there".
func (p *Platform) differences(q *Platform) []string {
	var list []string
	add := func(what, here, there string) {
		if here != there {
			list = append(list, fmt.Sprintf("%s %q here, %q there", what, here, there))
		}
	}
	add("source revision", p.source(), q.source())
	add("Go", p.Go, q.Go)
	add("system", p.OS, q.OS)
	add("architecture", strings.TrimSpace(p.Arch+" "+p.Level), strings.TrimSpace(q.Arch+" "+q.Level))
	add("processor", p.CPU, q.CPU)
	for _, path := range sortedKeys(p.Modules, q.Modules) {
		add("module "+path, p.Modules[path], q.Modules[path])
	}
	return list
}

func (p *Platform) source() string {
	if p.Modified {
		return p.Revision + " with changes"
	}
	return p.Revision
}

func sortedKeys(maps ...map[string]string) []string {
	var keys []string
	for _, m := range maps {
		for key := range m {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
