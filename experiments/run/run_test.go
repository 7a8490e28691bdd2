package run_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/classifiers"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/records"
)

// The bytes of records.csv depend only on the study, and not on the number of workers, the shards and their
// order, repeated merging or an earlier sweep.
func TestRecordsDependOnTheStudyAlone(t *testing.T) {
	s := toys.Load(t, toys.Study)
	reference := filepath.Join(t.TempDir(), "r")
	toys.Run(t, s, run.Options{Dir: reference, Workers: 1})
	want := filetest.Read(t, filepath.Join(reference, folder.Records))
	if lines := strings.Count(want, "\n"); lines != 1+4*6*3 {
		t.Fatalf("%d lines", lines)
	}
	ways := map[string]func(dir string){
		"8 workers": func(dir string) { toys.Run(t, s, run.Options{Dir: dir, Workers: 8}) },
		"shards in odd order, two of them twice": func(dir string) {
			for _, k := range []int{5, 2, 7, 1, 3, 2, 6, 4, 5} {
				toys.Run(t, s, run.Options{Dir: dir, Shard: run.Shard{Index: k, Count: 7}})
			}
			if err := toys.Collect(dir, s); err != nil {
				t.Fatal(err)
			}
		},
		"classifier by classifier": func(dir string) {
			toys.RunIn(t, toys.Load(t, strings.Replace(toys.Study, "centroid, coin, oracle", "coin", 1)), dir)
			toys.RunIn(t, s, dir)
		},
		"level by level, then more replicates": func(dir string) {
			toys.RunIn(t, toys.Load(t, toys.Study, "design.n=40", "replicates=2"), dir)
			toys.RunIn(t, toys.Load(t, toys.Study, "design.balance=balanced"), dir)
			toys.RunIn(t, s, dir)
		},
		"from records without a journal": func(dir string) {
			toys.RunIn(t, toys.Load(t, toys.Study, "replicates=3"), dir)
			filetest.Remove(t, filepath.Join(dir, "journal"))
			plan := toys.RunIn(t, s, dir)
			if plan.Done != 4*3*3 {
				t.Errorf("%d results were reused, want %d", plan.Done, 4*3*3)
			}
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "r")
			way(dir)
			if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
				t.Errorf("records differ:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// After a change, exactly the affected rows are missing.
func TestPlanAfterChanges(t *testing.T) {
	s, dir := toys.Load(t, toys.Study), t.TempDir()
	toys.RunIn(t, s, dir)
	changes := []struct {
		name   string
		text   string
		set    []string
		rows   int
		reason string
	}{
		{"nothing", toys.Study, nil, 0, ""},
		{"a new level", toys.Study, []string{"design.n=20,40,80"}, 2 * 6 * 3, "new cell"},
		{"a changed level", toys.Study, []string{"design.n=20,50"}, 2 * 6 * 3, "new cell"},
		{"replicates", toys.Study, []string{"replicates=7"}, 4 * 3, "new replicate"},
		{"fewer replicates", toys.Study, []string{"replicates=2"}, 0, ""},
		{
			"a parameter",
			toys.Study,
			[]string{"classifiers.centroid.axis=1"},
			24,
			"changed classifier centroid: was centroid/1{axis=0}, is centroid/1{axis=1}",
		},
		{
			"a classifier",
			strings.Replace(toys.Study, "[centroid", "[{id: other, classifier: centroid}, centroid", 1),
			nil,
			24,
			"new classifier other",
		},
		{
			"the data",
			toys.Study,
			[]string{"data.generator.d=4"},
			72,
			"changed data: was generator=toy/1{d=3,shift=1}, is generator=toy/1{d=4,shift=1}",
		},
		{"the title", "title: new\n" + toys.Study, nil, 0, ""},
	}
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			changed := toys.Load(t, c.text, c.set...)
			ledger := toys.OpenFor(t, dir, changed)
			plan := run.NewPlan(ledger)
			if plan.Missing != c.rows || c.rows > 0 && plan.Reasons()[c.reason] != c.rows {
				t.Errorf("%d rows, reasons %v; want %d for %q", plan.Missing, plan.Reasons(), c.rows, c.reason)
			}
			listed := 0
			for _, g := range plan.Gaps {
				listed += len(g.IDs) * len(g.Replicates)
			}
			if listed != c.rows {
				t.Errorf("%d rows are listed, want %d", listed, c.rows)
			}
		})
	}
	reseeded, renamed := *s, *s
	reseeded.Seed, renamed.Name = 43, "other"
	_, err := results.OpenFor(dir, &reseeded)
	errtest.Case(t, "another seed").Contains(err, "seed 42")
	_, err = results.OpenFor(dir, &renamed)
	errtest.Case(t, "another study").Contains(err, `study "toy"`)
}

// A failed fit gives one failed row. The other fits of its trial run on data with the same fingerprint.
func TestFailuresAreRecords(t *testing.T) {
	s := toys.Load(t, toys.FaultyStudy)
	dir := t.TempDir()
	toys.RunIn(t, s, dir)
	rows := toys.Records(t, dir)
	messages := map[string]string{
		"error": "faulty: on purpose", "panic": "panic: on purpose", "label": "test row 1: predicted label 7 is " +
			"not a class",
		"short": "1 predictions for 20 test rows", "none": "panic: runtime error: invalid memory address",
		"hang": "time limit of 200ms exceeded",
	}
	for _, r := range rows.Rows {
		want, fails := messages[r.Classifier]
		if fails != (r.Status == records.Failed) || !strings.HasPrefix(r.Message, want) {
			t.Errorf("%s: status %s, message %q", r.Classifier, r.Status, r.Message)
		}
		if r.Data != rows.Rows[0].Data && r.Replicate == rows.Rows[0].Replicate {
			t.Errorf("%s saw other data", r.Classifier)
		}
	}
}

// A problem that cannot be drawn fails every classifier of its trial.
func TestFailedDraw(t *testing.T) {
	s, dir := toys.Load(t, strings.NewReplacer("d: 3", "shift: 13", ", oracle", "").Replace(toys.Study)), t.TempDir()
	toys.RunIn(t, s, dir)
	rows := toys.Records(t, dir)
	for _, r := range rows.Rows {
		if r.Status != records.Failed || r.Message != "data: unlucky shift" {
			t.Errorf("%+v", r)
		}
	}
}

func TestFailFast(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "coin", "faulty", 1))
	_, err := run.Run(t.Context(), nil, s, run.Options{Dir: t.TempDir(), Workers: 1, FailFast: true})
	if !errors.Is(err, run.ErrFailFast) {
		t.Errorf("got %v", err)
	}
}

// A drained run keeps its finished trials, and the next run does the remaining ones.
func TestDrain(t *testing.T) {
	s, dir := toys.Load(t, toys.Study), t.TempDir()
	drain := make(chan struct{})
	progress := &stopAfter{n: 3, stop: drain}
	_, err := run.Run(t.Context(), drain, s, run.Options{Dir: dir, Workers: 2, Progress: progress})
	if !errors.Is(err, run.ErrDrained) {
		t.Fatalf("got %v", err)
	}
	if progress.done < 3 || progress.done > 5 {
		t.Errorf("%d trials after the request at 3 with 2 workers", progress.done)
	}
	if plan := toys.RunIn(t, s, dir); len(plan.Tasks) != 24-progress.done {
		t.Errorf("%d trials were left, %d had been done", len(plan.Tasks), progress.done)
	}
}

type stopAfter struct {
	n, done int
	stop    chan struct{}
}

func (p *stopAfter) Start(*run.Plan, int) {}

func (p *stopAfter) Note(string) {}

func (p *stopAfter) Finish() {}

func (p *stopAfter) Done(*trial.Trial, run.Task) {
	if p.done++; p.done == p.n {
		close(p.stop)
	}
}

// A second process on the same study is refused.
func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	j, err := results.OpenJournal(dir, "main", &results.Session{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if second, err := results.OpenJournal(dir, "main", &results.Session{}); err == nil {
		second.Close()
		t.Error("was let in")
	}
}

// If the version of a classifier changes, only its rows run again. The other records do not change.
func TestChangedVersion(t *testing.T) {
	s, dir := toys.Load(t, toys.Study), t.TempDir()
	toys.RunIn(t, s, dir)
	want := filetest.Read(t, filepath.Join(dir, folder.Records))
	i := slices.IndexFunc(classifiers.Registry, func(s classifiers.Spec) bool { return s.Name == "coin" })
	classifiers.Registry[i].Version++
	defer func() { classifiers.Registry[i].Version-- }()
	changed := toys.Load(t, toys.Study)
	if err := toys.Collect(dir, changed); err != nil { // as report does
		t.Fatal(err)
	}
	if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
		t.Errorf("the records of version 1 changed:\n%s\nwant\n%s", got, want)
	}
	l := toys.OpenFor(t, dir, changed)
	if notes := strings.Join(l.Select().Notes, ";"); !strings.Contains(notes, "coin/1{} (this binary has coin/2{})") {
		t.Errorf("reported %q", notes)
	}
	const reason = "changed classifier coin: was coin/1{}, is coin/2{}"
	half := toys.Clone(t, dir, false)
	toys.Run(t, changed, run.Options{Dir: half, Shard: run.Shard{Index: 1, Count: 2}})
	l = toys.OpenFor(t, half, changed)
	if reasons := run.NewPlan(l).Reasons(); len(reasons) != 1 || reasons[reason] != 12 {
		t.Errorf("after half of the results ran again: %v", reasons)
	}
	plan := toys.RunIn(t, changed, dir)
	if plan.Missing != 24 || plan.Reasons()[reason] != 24 {
		t.Errorf("%d rows, %v", plan.Missing, plan.Reasons())
	}
	l = toys.OpenFor(t, dir, changed)
	selected := l.Select()
	if notes := strings.Join(selected.Notes, ";"); !strings.Contains(notes, "24 results of other versions of coin") {
		t.Errorf("reported %q", notes)
	}
	if len(selected.Omitted) > 0 { // the report must not suggest that users chose these results
		t.Errorf("omitted %v", selected.Omitted)
	}
	for _, task := range plan.Tasks {
		if len(task.Entries) != 1 || task.Entries[0].ID != "coin" {
			t.Errorf("ran %v", task.Entries)
		}
	}
	if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
		t.Errorf("the records changed:\n%s\nwant\n%s", got, want)
	}
}

// The oracle has neither a score nor a label for a row with missing values, because its density is that of
// complete rows.
func TestOracleNeedsCompleteRows(t *testing.T) {
	text := strings.Replace(toys.Study, "centroid, coin, oracle", "oracle", 1)
	s, dir := toys.Load(t, text, "replicates=1"), t.TempDir()
	for _, c := range s.Cells {
		c.Data.Missing = study.Missing{MCAR: 0.3, Where: "both"} // as if the file could say so
	}
	toys.RunIn(t, s, dir)
	rows := toys.Records(t, dir)
	if len(rows.Rows) != len(s.Cells) {
		t.Fatalf("%d rows", len(rows.Rows))
	}
	for _, r := range rows.Rows {
		if r.Status != records.Failed || !strings.Contains(r.Message, "densities are only defined for complete rows") {
			t.Errorf("%+v", r)
		}
	}
}

// A run that waits for the journal of another process does not repeat the trials that this process stores.
func TestRunPlansAgainAfterWaiting(t *testing.T) {
	s, done, dir := toys.Load(t, toys.Study), t.TempDir(), t.TempDir()
	toys.RunIn(t, s, done)
	session := &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed}
	other, err := results.OpenJournal(dir, "main", session)
	if err != nil {
		t.Fatal(err)
	}
	var plan *run.Plan
	finished := make(chan error)
	go func() {
		var err error
		plan, err = run.Run(t.Context(), nil, s, run.Options{Dir: dir})
		finished <- err
	}()
	time.Sleep(300 * time.Millisecond) // the run then waits for the journal, for at most a second
	journal := filepath.Join(done, "journal", "main.jsonl")
	text := strings.NewReader(filetest.Read(t, journal))
	_, err = results.ReadJournal(journal, text, func(_ int, content any) error {
		if _, ok := content.(*trial.Trial); ok {
			return other.Append(content)
		}
		return nil
	})
	if err := errors.Join(err, other.Close(), <-finished); err != nil {
		t.Fatal(err)
	}
	if len(plan.Tasks) > 0 || plan.Done != 4*6*3 || plan.Folder.Repeated > 0 {
		t.Errorf("%d tasks, %d results done, %d repeated", len(plan.Tasks), plan.Done, plan.Folder.Repeated)
	}
	if filetest.Read(t, filepath.Join(dir, folder.Records)) != filetest.Read(t, filepath.Join(done, folder.Records)) {
		t.Error("the records differ")
	}
}
