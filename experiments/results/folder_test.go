package results_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/metrics"
	"copse/stats/records"
)

// newSession returns a session of the study s.
func newSession(s *study.Study) *results.Session {
	return &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed}
}

// store writes trials to a journal in dir.
func store(t *testing.T, dir, name string, session *results.Session, trials ...*trial.Trial) {
	t.Helper()
	j, err := results.OpenJournal(dir, name, session)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range trials {
		if err := j.Append(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// If records were damaged or edited, they are written again from the journals. Without journals, they are an
// error.
func TestDamagedRecordsAreWrittenAgain(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=2")
	for name, damage := range map[string]func(text string) string{
		"a torn row":         func(text string) string { return text + "x\n" },
		"an impossible row":  func(text string) string { return strings.Replace(text, ",ok,60,", ",ok,60,1", 1) },
		"an edited number":   func(text string) string { return strings.Replace(text, ",ok,60,1", ",ok,60,2", 1) },
		"a row less":         func(text string) string { return text[:strings.LastIndex(text[:len(text)-1], "\n")+1] },
		"no rows, no header": func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			toys.RunIn(t, s, dir)
			path := filepath.Join(dir, folder.Records)
			whole := filetest.Read(t, path)
			damaged := damage(whole)
			if damaged == whole {
				t.Fatal("no damage")
			}
			filetest.Write(t, path, damaged)
			f := toys.Open(t, dir)
			const remedy = "run `copse report` to write both files again"
			if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], remedy) {
				t.Errorf("warnings: %q", f.Warnings)
			}
			if err := f.Collect(); err != nil {
				t.Fatal(err)
			}
			if got := filetest.Read(t, path); got != whole {
				t.Errorf("records of %d bytes, want %d", len(got), len(whole))
			}
			filetest.Write(t, path, damaged)
			filetest.Remove(t, filepath.Join(dir, "journal"))
			if _, err := results.Open(dir); err == nil {
				t.Error("damaged records without journals are read")
			}
		})
	}
}

// Refresh reads the lines that other processes have appended, each once. If a journal was replaced, it reads
// the whole folder again.
func TestRefresh(t *testing.T) {
	s, dir, other := toys.Load(t, toys.Study, "replicates=2"), t.TempDir(), t.TempDir()
	toys.RunIn(t, s, dir)
	toys.Run(t, s, run.Options{Dir: other, Shard: run.Shard{Index: 2, Count: 2}})
	f := toys.Open(t, dir)
	if err := f.Refresh(); err != nil || f.Len() != 24 || f.Repeated != 0 || len(f.Sessions()) != 1 {
		t.Fatalf("no new lines: %d results, %d repeated, %d sessions, %v", f.Len(), f.Repeated, len(f.Sessions()), err)
	}
	more := toys.Load(t, toys.Study, "replicates=3")
	toys.RunIn(t, more, dir)
	if err := f.Refresh(); err != nil || f.Len() != 36 || f.Repeated != 0 || len(f.Sessions()) != 2 {
		t.Fatalf("another session: %d results, %d repeated, %d sessions, %v",
			f.Len(), f.Repeated, len(f.Sessions()), err)
	}
	shard := filepath.Join("journal", "2-of-2.jsonl")
	filetest.Write(t, filepath.Join(dir, shard), filetest.Read(t, filepath.Join(other, shard)))
	if err := f.Refresh(); err != nil || f.Len() != 36 || f.Repeated != 12 || len(f.Sessions()) != 3 {
		t.Fatalf("another journal: %d results, %d repeated, %d sessions, %v",
			f.Len(), f.Repeated, len(f.Sessions()), err)
	}
	filetest.Remove(t, filepath.Join(dir, "journal", "main.jsonl"))
	if err := f.Refresh(); err != nil || len(f.Sessions()) < 1 {
		t.Fatal(err)
	}
	if anew := toys.Open(t, dir); anew.Len() != f.Len() || f.Len() != 36 { // records.csv has the others
		t.Errorf("without its journal %d results, opened anew %d", f.Len(), anew.Len())
	}
	filetest.Write(t, filepath.Join(dir, shard), "{}\n")
	errtest.Case(t, "a damaged journal").Contains(f.Refresh(), "2-of-2.jsonl:1: damaged line")
}

// A process replaces the study.yaml of another process that started later.
func TestStudyOfAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	f := toys.OpenFor(t, dir, toys.Load(t, toys.Study, "replicates=1", "design.n=20"))
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1", "design.n=30"), dir)
	if err := f.WriteStudy(); err != nil {
		t.Error(err)
	}
	path := filepath.Join(dir, folder.Study)
	filetest.Write(t, path, filetest.Read(t, path)+"# edited\n")
	errtest.Case(t, "an edited file").Contains(f.WriteStudy(), "was edited")
}

// For every result, the session that stored it and the configuration are found.
func TestSessionsOfResults(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1", "design.n=20"), dir)
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1", "design.n=30"), dir)
	f := toys.Open(t, dir)
	for r := range f.Rows() {
		s := f.SessionOf(&r)
		if s == nil || !strings.Contains(s.Config, "n: ["+r.Levels.Of("n")+"]") {
			t.Errorf("%+v leads to %+v", r, s)
		}
	}
	if f.SessionOf(&records.Record{Cell: "none"}) != nil {
		t.Error("a result that is not there has a session")
	}
	earlier, broken := f.Earlier()
	if len(earlier) != 1 || len(broken) != 0 || !slices.Equal(earlier[0].Factors[0].Levels, []string{"20"}) {
		t.Errorf("%d earlier studies, %q", len(earlier), broken)
	} else if earlier[0].Folder() != dir {
		t.Errorf("the files of an earlier study are sought in %s instead of %s", earlier[0].Folder(), dir)
	}
	// Without journals, the rows belong to none of two sessions. Without timings.csv, they have no times.
	clone := toys.Clone(t, dir, false)
	filetest.Remove(t, filepath.Join(clone, folder.Timings))
	cloned := toys.Open(t, clone)
	for r := range cloned.Rows() {
		if s := cloned.SessionOf(&r); s != nil || r.Fit != 0 || r.Predict != 0 {
			t.Errorf("%+v leads to %+v", r, s)
		}
	}
	if results, sessions := cloned.Len(), len(cloned.Sessions()); results != 6 || sessions != 2 {
		t.Errorf("%d results of %d sessions", results, sessions)
	}
}

// If a fit was repeated, the stored result does not depend on the order in which the journals were read.
func TestRepeatedResultsInAnyOrder(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=1")
	c := s.Cells[0]
	result := func(seconds float64, change func(r *records.Record)) *trial.Trial {
		e := c.Classifiers[0]
		r := records.Record{Classifier: e.ID, Spec: e.Spec, Status: records.OK, Fit: seconds}
		change(&r)
		return &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: 1, Data: "d", NTest: 6,
			Results: []records.Record{r}}
	}
	success := func(*records.Record) {}
	failure := func(r *records.Record) { r.Status, r.Cause = records.Failed, records.OutOfTime }
	withAUC := func(r *records.Record) { r.Metrics = map[string]float64{"auc": 0.75} }
	for name, test := range map[string]struct {
		first, second func(r *records.Record)
		want          float64 // seconds
	}{
		"equal":             {success, success, 1},
		"metric later":      {success, withAUC, 1},
		"metric first":      {withAUC, success, 1},
		"success later":     {failure, success, 2},
		"success first":     {success, failure, 1},
		"repeated failures": {failure, failure, 2},
	} {
		for _, files := range [][]string{{"a", "b"}, {"b", "a"}} { // in the order of writing
			dir := t.TempDir()
			f := toys.OpenFor(t, dir, s)
			// Both sessions start in the same second if the later one has the later name.
			started := "2026-11-24T00:00:00Z"
			for i, file := range files {
				if file == "a" && i == 1 {
					started = "2026-11-24T00:00:01Z"
				}
				change := []func(r *records.Record){test.first, test.second}[i]
				session := newSession(s)
				session.Started = started
				store(t, dir, file, session, result(float64(i+1), change))
				if err := f.Refresh(); err != nil {
					t.Fatal(err)
				}
			}
			again := toys.OpenFor(t, dir, s)
			for _, opened := range []*results.Folder{f, again} {
				r, _ := opened.Row(c.ID, 1, c.Classifiers[0].ID, c.Classifiers[0].Spec)
				if r.Fit != test.want {
					t.Errorf("%s in %v: the fit took %v s, want %v s", name, files, r.Fit, test.want)
				}
			}
		}
	}
}

// Two stored copies of a trial become one: a success replaces a failure, metrics and confusion matrices of
// both are kept, and contradictions are errors.
func TestJoinedResults(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "seed: 42\n", "seed: 42\nmetrics: [auc, brier]\n", 1), "replicates=1")
	c := s.Cells[0]
	result := func(i int, change func(r *records.Record)) *trial.Trial {
		r := records.Record{
			Classifier: c.Classifiers[i].ID,
			Spec:       c.Classifiers[i].Spec,
			Status:     records.OK,
			Errors:     3,
			BER:        0.5,
		}
		change(&r)
		return &trial.Trial{
			Cell:      c.ID,
			Levels:    c.Levels,
			Replicate: 1,
			Data:      "d",
			NTest:     6,
			Results:   []records.Record{r},
		}
	}
	as := func(change func(r *records.Record)) *trial.Trial { return result(0, change) }
	dir := t.TempDir()
	write := func(name, requested string, trials ...*trial.Trial) {
		t.Helper()
		session := newSession(s)
		session.Config = "metrics: " + requested + "\n"
		store(t, dir, name, session, trials...)
	}
	read := func() (records.Record, results.State, *results.Folder) {
		t.Helper()
		f := toys.OpenFor(t, dir, s)
		r, ok := f.Row(c.ID, 1, c.Classifiers[0].ID, c.Classifiers[0].Spec)
		if !ok {
			t.Fatal("no result")
		}
		return r, f.State(c.ID, 1, &c.Classifiers[0]), f
	}
	// If a metric is not defined, its value is missing. The trial still records both requested metrics.
	undefined := func(*records.Record) {}
	write("a0", "[auc]", result(1, undefined))
	write("a1", "[brier]", result(1, undefined))
	f, err := results.OpenFor(dir, s)
	if err != nil || f.State(c.ID, 1, &c.Classifiers[1]) != results.Done ||
		f.State(c.ID, 1, &c.Classifiers[0]) != results.Missing {
		t.Errorf("metrics without a value: %v", err)
	}
	filetest.Remove(t, filepath.Join(dir, "journal"))
	write(
		"a",
		"[]",
		as(func(r *records.Record) { r.Status, r.Errors, r.BER, r.Cause = records.Failed, 0, 0, records.OutOfTime }),
	)
	if r, state, f := read(); r.Status != records.Failed || r.Cause != records.OutOfTime || state != results.Failed ||
		f.Repeated != 0 {
		t.Errorf("%+v, state %v", r, state)
	}
	write("b", "[auc]", as(func(r *records.Record) { r.Metrics = map[string]float64{"auc": 0.75} }))
	if r, state, _ := read(); r.Status != records.OK || r.Metrics["auc"] != 0.75 || state != results.LacksMetric {
		t.Errorf("%+v, state %v", r, state)
	}
	write("c", "[brier]", as(func(r *records.Record) {
		r.Metrics, r.Confusion = map[string]float64{"brier": 0.25}, metrics.Confusion{2, 1, 2, 1}
	}))
	if r, state, f := read(); len(r.Metrics) != 2 || r.Metrics["auc"] != 0.75 || r.Metrics["brier"] != 0.25 ||
		!slices.Equal(r.Confusion, []int{2, 1, 2, 1}) ||
		state != results.Done ||
		f.Repeated != 1 ||
		f.Len() != 1 {
		t.Errorf("%+v, state %v, %d repeated", r, state, f.Repeated)
	}
	write("ca", "[accuracy]", as(func(r *records.Record) { r.Metrics = map[string]float64{"accuracy": 0.5} }))
	if r, _, _ := read(); len(r.Metrics) != 3 || !slices.Equal(r.Confusion, []int{2, 1, 2, 1}) {
		t.Errorf("a metric without a confusion matrix: %+v", r)
	}
	filetest.Remove(t, filepath.Join(dir, "journal", "ca.jsonl"))
	write(
		"d",
		"[]",
		as(func(r *records.Record) { r.Status, r.Errors, r.BER, r.Message = records.Failed, 0, 0, "late" }),
	)
	if r, state, _ := read(); r.Status != records.OK || len(r.Metrics) != 2 || r.Message != "" ||
		state != results.Done {
		t.Errorf("a later failure: %+v, state %v", r, state)
	}
	for name, change := range map[string]func(r *trial.Trial){
		"errors": func(o *trial.Trial) { o.Results[0].Errors = 4 },
		"ber":    func(o *trial.Trial) { o.Results[0].BER = 0.25 },
		"data":   func(o *trial.Trial) { o.Data = "e" },
		"rows":   func(o *trial.Trial) { o.NTest = 7 },
	} {
		other := as(func(*records.Record) {})
		change(other)
		write("z", "[]", other)
		_, err := results.OpenFor(dir, s)
		errtest.Case(t, "other "+name).Contains(err, "differs from the one in", "or one of the two files was edited",
			filepath.Join(dir, "journal", "b.jsonl")+":2", "z.jsonl:2: ")
		filetest.Remove(t, filepath.Join(dir, "journal", "z.jsonl"))
	}
}

// Results of an earlier version of a recipe stay in the records until they are computed again. Of several
// versions, the latest one counts. Results with other parameters never count.
func TestRecordsOfEarlierVersions(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=1")
	c, e := s.Cells[0], s.Cells[0].Classifiers[0] // centroid/1{axis=0}
	write := func(specs ...string) *results.Selection {
		t.Helper()
		dir := t.TempDir()
		one := &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: 1, Data: "d", NTest: 60}
		for i, spec := range specs {
			r := records.Record{Classifier: e.ID, Spec: spec, Status: records.OK, Errors: i + 1}
			one.Results = append(one.Results, r)
		}
		store(t, dir, "main", newSession(s), one)
		return toys.OpenFor(t, dir, s).Records()
	}
	version := func(n string) string { return strings.Replace(e.Spec, "/1", "/"+n, 1) }
	for _, x := range []struct {
		specs []string
		want  int // errors of the record; 0: there is none
	}{
		{[]string{version("2"), version("9"), version("10")}, 3},
		{[]string{version("10"), version("2")}, 1},
		{[]string{version("10"), e.Spec}, 2},
		{[]string{e.Spec, version("10")}, 1},
		{[]string{strings.Replace(e.Spec, "axis=", "axis=1", 1)}, 0},
		{[]string{strings.Replace(e.Spec, "centroid", "other", 1)}, 0},
	} {
		selected := write(x.specs...)
		got := 0
		for _, r := range selected.Rows {
			got += r.Errors
		}
		if got != x.want {
			t.Errorf("of %q the record has %d errors, want %d", x.specs, got, x.want)
		}
		notes := strings.Join(selected.Notes, "\n")
		older := x.want > 0 && x.specs[x.want-1] != e.Spec
		if older != strings.Contains(notes, "(this binary has "+e.Spec+")") {
			t.Errorf("%q: notes %s", x.specs, notes)
		}
		omitted := " results of other versions of centroid"
		if x.want == 0 {
			omitted = " results of centroid with other settings"
		}
		if left := len(x.specs) - min(x.want, 1); left > 0 != strings.Contains(notes, omitted) {
			t.Errorf("%q: notes %s", x.specs, notes)
		}
	}
}

// Kept predictions are exported, iterated and measured exactly as the trials returned them.
func TestPredictionsOfAStudy(t *testing.T) {
	text := strings.Replace(toys.Study, "seed: 42\n", "seed: 42\npredictions: keep\n", 1)
	s, dir := toys.Load(t, text, "replicates=2", "design.n=20", "design.balance=balanced"), t.TempDir()
	toys.RunIn(t, s, dir)
	f := toys.Open(t, dir)
	cell := s.Cells[0].ID
	yielded := map[string]int{}
	err := f.EachPrediction(
		f.Select(),
		cell,
		func(replicate int, classifier string, p *metrics.Predictions) error {
			wrong := 0
			for i := range p.Truth {
				if p.Labels[i] != p.Truth[i] {
					wrong++
				}
			}
			i := slices.IndexFunc(s.Cells[0].Classifiers, func(e study.Entry) bool { return e.ID == classifier })
			r, ok := f.Row(cell, replicate, classifier, s.Cells[0].Classifiers[i].Spec)
			if !ok || r.Errors != wrong || len(p.Truth) != 60 {
				t.Errorf(
					"%s, replicate %d: %d of %d labels are wrong, the record has %d",
					classifier,
					replicate,
					wrong,
					len(p.Truth),
					r.Errors,
				)
			}
			yielded[classifier]++
			return nil
		},
	)
	if err != nil || yielded["centroid"] != 2 || yielded["oracle"] != 2 || len(yielded) != 3 {
		t.Errorf("%v, %v", yielded, err)
	}
	var b strings.Builder
	lines, err := results.ExportPredictions(dir, &b)
	if err != nil || lines != 2*3*60 || strings.Count(b.String(), "\n") != lines+1 ||
		!strings.HasPrefix(b.String(), "cell,n,balance,replicate,classifier,row,data_file,file_row,truth,label,") {
		t.Errorf("%d lines, %v\n%.200s", lines, err, b.String())
	}
	text = strings.Replace(text, "seed: 42\n", "seed: 42\nmetrics: [auc]\n", 1)
	measured := toys.Load(t, text, "replicates=2", "design.n=20", "design.balance=balanced")
	later := toys.OpenFor(t, dir, measured)
	completed := 0
	err = later.CompleteMetrics(func(one *trial.Trial) error {
		for _, r := range one.Results {
			if completed++; r.Classifier == "oracle" && !(r.Metrics["auc"] > 0.5 && r.Metrics["auc"] <= 1) {
				t.Errorf("%+v", r)
			}
		}
		return nil
	})
	if err != nil || completed != 6 {
		t.Errorf("%d results were completed, %v", completed, err)
	}
	err = f.CompleteMetrics(func(*trial.Trial) error { t.Error("no metric is requested"); return nil })
	if err != nil {
		t.Error(err)
	}
}

// The names of shards contain the number of parts of the study. The names of writers are parts of file names.
func TestJournalNames(t *testing.T) {
	dir := t.TempDir()
	if n, err := results.ShardCount(dir); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, name := range []string{"main.jsonl", "2-of-4.jsonl", "1-of-8.job17.jsonl", "3-of-x.jsonl", "notes.txt"} {
		filetest.Write(t, filepath.Join(dir, "journal", name), "")
	}
	if n, err := results.ShardCount(dir); n != 8 || err != nil {
		t.Errorf("%d parts, %v", n, err)
	}
}

func TestPlatformDifferences(t *testing.T) {
	here := results.ThisPlatform()
	if d := here.Differences(&here); len(d) != 0 {
		t.Errorf("%q", d)
	}
	there := here
	there.Modified, there.Go, there.OS, there.Level, there.CPU = !here.Modified, "go1", "plan9", "v9", "other"
	there.Modules = map[string]string{"example.org/new": "v1"}
	got := strings.Join(here.Differences(&there), "\n")
	for _, want := range []string{"source revision", "Go \"" + here.Go + "\" here, \"go1\" there", "system",
		"architecture", "processor", "module example.org/new \"\" here, \"v1\" there"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// Files that cannot be read are errors, as is a very large study file. A folder without a manifest is not an error.
func TestOpenMistakes(t *testing.T) {
	if _, err := results.Open(t.TempDir()); err == nil {
		t.Error("a folder without a study was opened")
	}
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1"), dir)
	filetest.Remove(t, filepath.Join(dir, folder.Manifest))
	if f := toys.Open(t, dir); f.Manifest != nil || f.ManifestErr == nil || f.Len() != 12 {
		t.Errorf("%+v, %v, %d results", f.Manifest, f.ManifestErr, f.Len())
	}
	filetest.Write(t, filepath.Join(dir, folder.Manifest), "{")
	remedy := "delete it; `copse report " + dir + "` writes it again from the journals"
	_, err := results.Open(dir)
	errtest.Contains(t, err, "manifest.json is damaged", remedy)
	file := filepath.Join(dir, folder.Study)
	if err := os.Truncate(file, 20_000_000); err != nil {
		t.Fatal(err)
	}
	_, err = results.Open(dir)
	errtest.Equal(t, err, file+" is larger than 16 MB, so it is not a study file")
	_, err = study.Load(file)
	errtest.Equal(t, err, file+": cannot be read: "+file+" is larger than 16 MB, so it is not a study file")
}

// A row of a cell that is not in the manifest is an error with its place.
func TestRowOfAnUnknownCell(t *testing.T) {
	s, dir := toys.Load(t, toys.Study, "replicates=1"), t.TempDir()
	toys.RunIn(t, s, dir)
	clone := toys.Clone(t, dir, false)
	path := filepath.Join(clone, folder.Manifest)
	text := strings.Replace(filetest.Read(t, path), s.Cells[0].ID, "0123456789", 1)
	filetest.Write(t, path, text)
	_, err := results.OpenFor(clone, s)
	errtest.HasPrefix(t, err, filepath.Join(clone, folder.Records)+": row ")
	errtest.Contains(t, err, "manifest.json does not contain the cell "+s.Cells[0].ID)
}

// Times have a column for memory if the memory of a process was measured, and a value in the rows of that
// process.
func TestTimingsOfProcesses(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=1")
	c := s.Cells[0]
	for _, peak := range []int64{0, 5e6} {
		dir := t.TempDir()
		one := &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: 1, Data: "d", NTest: 60}
		for i, e := range c.Classifiers {
			one.Results = append(one.Results, records.Record{Classifier: e.ID, Spec: e.Spec, Status: records.OK,
				Fit: 0.25, Predict: 0.5, Peak: peak * int64(i%2)})
		}
		store(t, dir, "main", newSession(s), one)
		if err := toys.Collect(dir, s); err != nil {
			t.Fatal(err)
		}
		want := "cell,replicate,classifier,fit_seconds,predict_seconds\n" +
			c.ID + ",1,centroid,0.250000,0.500000\n" + c.ID + ",1,coin,0.250000,0.500000\n" + c.ID +
			",1,oracle,0.250000,0.500000\n"
		if peak > 0 {
			want = "cell,replicate,classifier,fit_seconds,predict_seconds,peak_bytes\n" +
				c.ID + ",1,centroid,0.250000,0.500000,\n" + c.ID + ",1,coin,0.250000,0.500000,5000000\n" + c.ID +
				",1,oracle,0.250000,0.500000,\n"
		}
		if got := filetest.Read(t, filepath.Join(dir, folder.Timings)); got != want {
			t.Errorf("peak %d: times\n%s\nwant\n%s", peak, got, want)
		}
		for _, kept := range []string{dir, toys.Clone(t, dir, false)} {
			f := toys.OpenFor(t, kept, s)
			if r, ok := f.Row(c.ID, 1, "coin", c.Classifiers[1].Spec); !ok || r.Peak != peak || r.Fit != 0.25 ||
				r.Predict != 0.5 {
				t.Errorf("peak %d: %+v", peak, r)
			}
		}
	}
}

// If somebody edits the list of checksums, it differs from the manifest. Then no predictions are returned, and
// Collect reports an error. If all predictions were deleted, Collect succeeds without them.
func TestForgedListIsRefused(t *testing.T) {
	text := strings.Replace(toys.Study, "seed: 42\n", "seed: 42\npredictions: keep\n", 1)
	s, dir := toys.Load(t, text, "replicates=2", "design.n=20", "design.balance=balanced"), t.TempDir()
	toys.RunIn(t, s, dir)
	list := filepath.Join(dir, folder.Predictions, results.PredictionSums)
	own := filetest.Read(t, list)
	filetest.Write(t, list, own+strings.Repeat("0", 64)+"  other.csv.gz\n")
	f := toys.Open(t, dir)
	err := f.EachPrediction(f.Select(), s.Cells[0].ID, func(int, string, *metrics.Predictions) error {
		t.Error("predictions are yielded")
		return nil
	})
	_, exported := results.ExportPredictions(dir, io.Discard)
	for _, err := range []error{err, exported, f.Collect()} {
		errtest.Contains(t, err, folder.Manifest+" lists ", "or delete it and run")
	}
	filetest.Write(t, list, own)
	toys.RunIn(t, toys.Load(t, text, "replicates=3", "design.n=20", "design.balance=balanced"), dir)
	filetest.Remove(t, filepath.Join(dir, folder.Predictions))
	if err := toys.Open(t, dir).Collect(); err != nil {
		t.Errorf("deleted predictions: %v", err)
	}
}
