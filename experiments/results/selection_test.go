package results_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/trial"
	"copse/internal/toys"
	"copse/stats/records"
)

// If levels are renamed, the cells keep their results under the new names. A note on results that other cells do
// not use is true although the study has the levels under other names.
func TestRenamedLevels(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1"), dir)
	named := strings.Replace(toys.Study, "n: [20, 40]", "n: {few: 20, many: 40}", 1)
	levels, _ := perLevel(t, dir, toys.Load(t, named, "replicates=1"))
	if levels["few"] != 6 || levels["many"] != 6 || len(levels) != 2 {
		t.Errorf("records by level: %v", levels)
	}
	f := toys.OpenFor(t, dir, toys.Load(t, named, "replicates=1", "pair=[n]"))
	const note = "the records omit 6 results of other cells (n = 20), 6 results of other cells (n = 40);"
	if notes := f.Select().Notes; len(notes) != 1 || !strings.HasPrefix(notes[0], note) {
		t.Errorf("notes %q, want %q", notes, note)
	}
}

// A note counts the fits that failed at an earlier time or memory limit, until they have run again.
func TestNoteOfAnEarlierLimit(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.FaultyStudy, "time_limit=20ms"), dir)
	toys.CopyJournal(t, dir, other, func(line string) string {
		return strings.NewReplacer("time limit of 20ms exceeded", "memory limit of 1.0 GB exceeded; it printed: x",
			`"cause":"time limit"`, `"cause":"fit"`).Replace(line)
	})
	later := toys.Load(t, toys.FaultyStudy, "time_limit=30ms")
	check := func(dir string, want ...string) {
		t.Helper()
		f := toys.OpenFor(t, dir, later)
		if notes := f.Select().Notes; !slices.Equal(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
	const note = "failed fits at an earlier limit (%s exceeded): 2; `copse run --retry-failed` repeats them"
	check(dir, fmt.Sprintf(note, "time limit of 20ms"))
	check(other, fmt.Sprintf(note, "memory limit of 1.0 GB"))
	toys.Run(t, later, run.Options{Dir: dir, RetryFailed: true})
	check(dir)
}

func TestExceededLimit(t *testing.T) {
	for message, want := range map[string]string{
		"time limit of 3s exceeded":                        "time limit of 3s exceeded",
		"data: time limit of 3s exceeded by the generator": "time limit of 3s exceeded",
		"memory limit of 1.0 GB exceeded; it printed: x":   "memory limit of 1.0 GB exceeded",
		"its own time limit of 3s exceeded":                "",
	} {
		r := records.Record{Status: records.Failed, Message: message}
		if got := results.ExceededLimit(&r); got != want {
			t.Errorf("%q: limit %q, want %q", message, got, want)
		}
	}
}

// Ran lists recipes by cell, id and recipe, with the seconds of those that succeeded.
func TestRan(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=1")
	dir := t.TempDir()
	var trials []*trial.Trial
	result := func(id, spec string, change func(*records.Record)) records.Record {
		r := records.Record{Classifier: id, Spec: spec, Status: records.OK, Errors: 1, Fit: 3, Predict: 0.5}
		change(&r)
		return r
	}
	succeeds := func(*records.Record) {}
	late := func(r *records.Record) { r.Status, r.Errors, r.Cause = records.Failed, 0, records.OutOfTime }
	breaks := func(r *records.Record) { r.Status, r.Errors, r.Cause = records.Failed, 0, records.FitFailed }
	for _, c := range []string{"c2", "c1"} {
		for replicate, ending := range []func(*records.Record){succeeds, succeeds, late, breaks} {
			one := &trial.Trial{Cell: c, Replicate: 1 + replicate, Data: "d", NTest: 9, Results: []records.Record{
				result("b", "b/2{}", ending), result("b", "b/1{}", ending), result("a", "a/3{}", ending)}}
			trials = append(trials, one)
		}
	}
	store(t, dir, "main", newSession(s), trials...)
	f := toys.OpenFor(t, dir, s)
	var want []results.History
	for _, c := range []string{"c1", "c2"} {
		for _, spec := range []string{"a/3{}", "b/1{}", "b/2{}"} {
			want = append(want, results.History{Cell: c, ID: spec[:1], Spec: spec, Succeeded: 2, OutOfTime: 1,
				Microseconds: 7e6})
		}
	}
	if got := f.Ran(); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// A replicate counts as drawn if one of its classifiers got data, even if an earlier draw failed.
func TestRepeatedDataAfterAFailedDraw(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 2\ndata:\n  train: {n: 100}\n  test: {n: 10}\n" +
		`  generator: {name: external-csv, command: [unused, "{seed}", "{counts}", "{out}"]}` +
		"\nclassifiers: [centroid, coin]\n"
	s, dir := toys.Load(t, text), t.TempDir()
	cell := s.Cells[0]
	first, second := cell.Classifiers[0], cell.Classifiers[1]
	var trials []*trial.Trial
	for replicate := 1; replicate <= 2; replicate++ {
		undrawn := records.Record{Classifier: first.ID, Spec: first.Spec, Status: records.Failed,
			Cause: records.NotDrawn}
		drawn := records.Record{Classifier: second.ID, Spec: second.Spec, Status: records.OK}
		trials = append(trials,
			&trial.Trial{Cell: cell.ID, Replicate: replicate, Results: []records.Record{undrawn}},
			&trial.Trial{Cell: cell.ID, Replicate: replicate, Data: "d", NTest: 10, Results: []records.Record{drawn}})
	}
	store(t, dir, "main", newSession(s), trials...)
	faults, _ := toys.OpenFor(t, dir, s).Select().RepeatedData()
	if len(faults) != 1 || !strings.Contains(faults[0], "the data of 1 of 2 replicates repeat") {
		t.Errorf("faults %q", faults)
	}
}
