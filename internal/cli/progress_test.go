package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"copse/experiments/run"
	"copse/experiments/trial"
	"copse/stats/records"
)

// From the first trial on, the remaining time assumes equal trials, for any number of workers. Before that,
// it uses only measured times. Results that existed before the run take no time.
func TestTimeLeft(t *testing.T) {
	p := &run.Plan{Trials: 30, AllTimed: true}
	for range 20 {
		p.Tasks = append(p.Tasks, run.Task{Cost: 3})
	}
	tally := &tally{}
	tally.begin(p, 4)
	if tally.done != 10 || tally.trials != 30 {
		t.Errorf("begins at %d of %d trials, want 10 of 30", tally.done, tally.trials)
	}
	if left, known := tally.left(5 * time.Second); !known || left != 10*time.Second { // 20 x 3 s on 4 workers less 5 s
		t.Errorf("before the first: %v, %t", left, known)
	}
	tally.known = false
	if _, known := tally.left(5 * time.Second); known {
		t.Error("claims to know without a measured time")
	}
	for range 8 {
		tally.add(&trial.Trial{}, run.Task{Cost: 3})
	}
	tally.add(&trial.Trial{}, run.Task{Cost: 3, Divided: true}) // some of its results must wait
	if tally.done != 18 {
		t.Errorf("%d trials are done, want 18", tally.done)
	}
	// After two rounds of 3 s and 1.5 s more, 8 trials are done and 4 are half done: 10 of 20 in 7.5 s.
	if left, known := tally.left(7500 * time.Millisecond); !known || left != 7500*time.Millisecond {
		t.Errorf("in the middle: %v, %t", left, known)
	}
	tally.add(nil, run.Task{Cost: 3}) // another process ran it
	if tally.done != 19 || tally.own != 8 {
		t.Errorf("%d trials are done, %d of them in this run, want 19 and 8", tally.done, tally.own)
	}
	// That leaves 9 of 19 trials.
	if left, _ := tally.left(7500 * time.Millisecond); left != 6750*time.Millisecond {
		t.Errorf("after a trial of another process: %v", left)
	}
	for text, d := range map[string]time.Duration{"<1s": 0, "9m59s": 599 * time.Second, "1h2m": 62*time.Minute +
		3*time.Second} {
		if got := aboutWords(d); got != text {
			t.Errorf("%v reads %q, want %q", d, got, text)
		}
	}
}

// Failures whose messages differ only in numbers are grouped in one line with their count. No message fills
// the screen.
func TestFailuresAreGrouped(t *testing.T) {
	var rows []records.Record
	for i := range 9 {
		rows = append(rows, records.Record{Cell: "c", Replicate: i + 1, Classifier: "lda", Status: records.Failed,
			Message: fmt.Sprintf("class %d has %d.5 rows", i%2, i)})
	}
	rows = append(rows, records.Record{Cell: "c", Replicate: 1, Classifier: "nb", Status: records.Failed,
		Message: strings.Repeat("x", 5000)}, records.Record{Status: records.OK})
	for i := range 4 { // two draws, each with a record for two classifiers
		rows = append(rows, records.Record{Cell: "d", Replicate: 1 + i/2, Classifier: []string{"lda", "nb"}[i%2],
			Status: records.Failed, Cause: records.NotDrawn, Message: "data: empty"})
	}
	var b strings.Builder
	printFailures(&b, "results/a b", rows)
	if out := b.String(); strings.Count(out, "failed:") != 3 ||
		!strings.Contains(out, "lda, 9 fits: class 0 has 0.5 rows") ||
		!strings.Contains(out, "failed: 2 draws of data: data: empty\n") ||
		!strings.Contains(out, "copse repro results/a\\ b c/1/lda") || len(out) > 800 {
		t.Errorf("got\n%s", out)
	}
	if words := failedWords(rows); words != "10 fits and 2 draws of data" {
		t.Errorf("counted: %s", words)
	}
}

// A shard prints what the other shards lack. The last one prints the next step.
func TestShardsPrintTheNextStep(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	attempt(t, "run", file, "--out", dir, "--shard", "1/2", "--set", "seed=4").logs(
		"shard 1/2 is done; these shards still lack 12 results: 2\n",
		"copse run "+file+" --set seed=4 --out "+dir+" --shard 2/2\n", "4 of 4 trials")
	attempt(t, "run", file, "--out", dir, "--shard", "2/2", "--set", "seed=4").logs(
		"all other shards are done, too\nnext: copse report " + dir)
}

// The table is plain text unless Markdown is asked for.
func TestTableFormat(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	if code, out, errOut := copse("run", file, "--out", dir); code != 0 || strings.Contains(out, "| n |") ||
		!strings.Contains(out, "\nn ") {
		t.Errorf("text: exit %d\n%s%s", code, out, errOut)
	}
	attempt(t, "report", dir, "--format", "markdown").prints("| n |")
	attempt(t, "report", dir, "--format", "pdf").fails(exitUsage, "want one of text, markdown")
}
