package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
)

// notes is a Progress that stores its notes.
type notes struct {
	silent
	text  []string
	done  int
	after int           // trials after which stop is closed; 0: never
	stop  chan struct{} // drains the run
}

func (n *notes) Note(text string) { n.text = append(n.text, text) }

func (n *notes) Done(*trial.Trial, Task) {
	if n.done++; n.done == n.after {
		close(n.stop)
	}
}

// runIn runs a study in a folder and returns its plan, its records.csv and its notes.
func runIn(t *testing.T, dir string, s *study.Study) (*Plan, string, []string) {
	t.Helper()
	told := &notes{}
	p, err := Run(t.Context(), nil, s, Options{Dir: dir, Workers: 1, Progress: told})
	if err != nil {
		t.Fatal(err)
	}
	return p, readRecords(t, dir), told.text
}

func readRecords(t *testing.T, dir string) string {
	t.Helper()
	return filetest.Read(t, filepath.Join(dir, folder.Records))
}

const measuredStudy = `study: small
seed: 3
replicates: 2
design: {n: [30, 60]}
data: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: 40}}
classifiers: [nb, svm, oracle]
`

// A metric that is added to a finished study is computed once for all results. The fits are repeated, and the
// records equal those of a study that requested the metric from the beginning. svm has no probabilities, so
// its log_loss stays empty, and its fits do not run again.
func TestMetricRequestedLater(t *testing.T) {
	for _, keep := range []string{"", "predictions: keep\n"} {
		before := load(t, measuredStudy, "seed: 3\n", "seed: 3\n"+keep)
		after := load(t, measuredStudy, "seed: 3\n", "seed: 3\nmetrics: [auc, log_loss]\n"+keep)
		_, want, _ := runIn(t, t.TempDir(), after)
		dir := t.TempDir()
		_, plain, _ := runIn(t, dir, before)
		if plain == want {
			t.Fatal("the metrics do not change the study")
		}
		f, err := results.OpenFor(dir, after)
		if err != nil {
			t.Fatal(err)
		}
		p := NewPlan(f)
		if reason := "stored without a metric that the study now requests"; p.Missing != 12 || p.Done != 0 ||
			p.Reasons()[reason] != 12 {
			t.Errorf("%q: %d results to run, %d are there, %v", keep, p.Missing, p.Done, p.Reasons())
		}
		ran, got, told := runIn(t, dir, after)
		if got != want {
			t.Errorf("%q: records\n%s\nwant\n%s", keep, got, want)
		}
		if keep == "" && ran.Missing != 12 ||
			keep != "" &&
				(ran.Missing != 0 || len(told) != 1 || !strings.Contains(told[0], "missing metrics of 12 results "+
					"from their stored predictions")) {
			t.Errorf("%q: %d results ran, reported %q", keep, ran.Missing, told)
		}
		if again, same, _ := runIn(t, dir, after); again.Missing != 0 || same != want {
			t.Errorf("%q: %d results run again, records\n%s", keep, again.Missing, same)
		}
		if _, back, _ := runIn(t, dir, before); back != plain {
			t.Errorf("%q: without the metrics the records are\n%s\nwant\n%s", keep, back, plain)
		}
	}
}

// As long as some results lack a metric, no record shows it, and a note names it.
func TestPartialMetricIsHidden(t *testing.T) {
	dir := t.TempDir()
	_, plain, _ := runIn(t, dir, load(t, measuredStudy))
	after := load(t, measuredStudy, "seed: 3\n", "seed: 3\nmetrics: [auc]\n")
	open := func() *results.Folder {
		f, err := results.OpenFor(dir, after)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const note = "the records omit auc because %d results lack it; `copse run` computes it"
	if notes := open().Select().Notes; !slices.Equal(notes, []string{fmt.Sprintf(note, 12)}) {
		t.Errorf("notes %q if all results lack the metric", notes)
	}
	told := &notes{after: 1, stop: make(chan struct{})}
	_, err := Run(t.Context(), told.stop, after, Options{Dir: dir, Workers: 1, Progress: told})
	if !errors.Is(err, ErrDrained) {
		t.Fatal(err)
	}
	f := open()
	selected := f.Records()
	for _, r := range selected.Rows {
		if len(r.Metrics) > 0 {
			t.Errorf("%s, replicate %d, %s has %v", r.Cell, r.Replicate, r.Classifier, r.Metrics)
		}
	}
	p := NewPlan(f)
	if p.Missing == 0 || p.Missing == 12 {
		t.Errorf("%d results are left to run", p.Missing)
	}
	if !slices.Equal(selected.Notes, []string{fmt.Sprintf(note, p.Missing)}) {
		t.Errorf("notes %q", selected.Notes)
	}
	p, whole, _ := runIn(t, dir, after)
	header, _, _ := strings.Cut(plain, "\n")
	if strings.Count(whole, "\n") != strings.Count(plain, "\n") || !strings.HasPrefix(whole, header+",auc\n") {
		t.Errorf("records\n%s", whole)
	}
	if notes := p.Folder.Select().Notes; len(notes) > 0 {
		t.Errorf("notes %q although no result lacks the metric", notes)
	}
}

// If a repeated fit gives another result, it is rejected and not stored.
func TestRepeatedFitThatDiffers(t *testing.T) {
	dir, s := t.TempDir(), load(t, measuredStudy)
	runIn(t, dir, s)
	f, err := results.OpenFor(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range f.Trials() {
		if err := f.CheckRepeated(stored); err != nil {
			t.Error(err)
		}
		stored.Results[0].Errors++
		const want = "repeated to compute a metric"
		errtest.Case(t, "one more error").Contains(f.CheckRepeated(stored), want)
		stored.Results[0].Errors--
		stored.Results[0].Data = "other"
		if f.CheckRepeated(stored) == nil {
			t.Error("other data were accepted")
		}
	}
}
