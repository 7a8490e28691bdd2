package cli

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/floats"

	"copse/experiments/run"
	"copse/experiments/trial"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// newProgress returns a progress reporter for a run, which writes to standard error. On a terminal
// it draws a progress bar; otherwise it prints lines of text.
func newProgress(cmd *cobra.Command, study string) run.Progress {
	messages := cmd.ErrOrStderr().(*display) // see Main
	t := tally{study: strings.Map(sheet.Shown, study), messages: messages}
	if columns := width(messages); columns > 0 {
		return &bar{tally: t, columns: columns}
	}
	return &lines{tally: t}
}

// A tally counts the finished trials of a study or shard and estimates the time that is left.
type tally struct {
	study    string
	messages *display  // nil with --json
	trials   int       // of the study or shard
	done     int       // finished trials, also of earlier runs and other processes
	own      int       // trials that this process has finished
	failed   int       // failed results of this run
	costs    []float64 // expected seconds of each trial of this run on one core
	cost     float64   // sum of costs, without trials of other processes
	costDone float64   // sum of the costs of this run's finished trials
	known    bool      // whether costs are measured times
	workers  int
	start    time.Time
}

// begin resets the tally at the start of a run.
func (t *tally) begin(plan *run.Plan, workers int) {
	finished := plan.Trials - len(plan.Tasks)
	*t = tally{study: t.study, messages: t.messages, trials: plan.Trials, done: finished, known: plan.AllTimed,
		workers: workers, start: time.Now()}
	for _, task := range plan.Tasks {
		t.costs = append(t.costs, task.Cost)
		t.cost += task.Cost
	}
}

// add counts a finished task. computed contains the results of the task, or is nil if another
// process finished the trial.
func (t *tally) add(computed *trial.Trial, task run.Task) {
	if computed == nil {
		t.done++
		t.cost -= task.Cost // cost excludes trials of other processes
		return
	}
	for _, r := range computed.Results {
		if r.Status == records.Failed {
			t.failed++
		}
	}
	if task.Divided {
		return // the task fits only some classifiers of a trial, and a later task finishes the trial
	}
	t.done++
	t.own++
	t.costDone += task.Cost
}

// left estimates the remaining time of a run. It assumes that running trials are half done. known is
// false if no trial has finished and the costs are not measured.
func (t *tally) left(elapsed time.Duration) (left time.Duration, known bool) {
	if t.own == 0 {
		seconds := t.cost/float64(max(t.workers, 1)) - elapsed.Seconds()
		return durationOf(seconds), t.known
	}
	spent := t.costDone + t.costRunning()/2
	secondsPerCost := elapsed.Seconds() / spent
	return durationOf(secondsPerCost * (t.cost - spent)), true
}

// costRunning returns the total expected cost of the running trials. Trials start in the order of
// t.costs.
func (t *tally) costRunning() float64 {
	started := min(t.own+t.workers, len(t.costs))
	return max(floats.Sum(t.costs[:started])-t.costDone, 0)
}

// describe returns the state of a run, such as "12/40 trials, 0 failed results, 3m left".
func (t *tally) describe() string {
	state := "done"
	if t.done < t.trials {
		state = "time left unknown"
		if left, known := t.left(time.Since(t.start)); known {
			state = aboutWords(left) + " left"
		}
	}
	return fmt.Sprintf("%d/%d trials, %s, %s", t.done, t.trials,
		view.Plural(t.failed, "failed result", "failed results"), state)
}

// durationOf converts seconds to a duration of at most 29 years. A time.Duration would overflow at
// 292 years.
func durationOf(seconds float64) time.Duration {
	return time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second))
}

func aboutSeconds(seconds float64) string { return aboutWords(durationOf(seconds)) }

// aboutWords formats a rounded duration, such as "<1s" or "35s". From ten minutes on, it omits
// seconds, as in "2h10m".
func aboutWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return "<1s"
	case d < 10*time.Minute:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

// Note prints a note with the name of the study.
func (t *tally) Note(text string) { fmt.Fprintf(t.messages, "%s: %s\n", t.study, text) }

// explain prints the most frequent reasons why results are missing from a folder with stored results,
// such as "12 results: changed data: was n=100, is n=200".
func (t *tally) explain(plan *run.Plan) {
	if plan.Folder == nil || plan.Folder.Len() == 0 { // a calibration has no folder
		return
	}
	const maxReasons = 3
	reasons := plan.ReasonLines()
	for _, line := range reasons[:min(maxReasons, len(reasons))] {
		t.Note(line)
	}
	if more := len(reasons) - maxReasons; more > 0 {
		t.Note("`copse check` lists " + view.Plural(more, "more reason", "more reasons"))
	}
}

// A bar shows the progress of a run in the status line of a terminal.
type bar struct {
	tally
	columns int
	drawn   time.Time
}

func (b *bar) Start(plan *run.Plan, workers int) {
	b.begin(plan, workers)
	if b.done > 0 {
		b.Note(fmt.Sprintf("resuming an earlier run; %d of %d trials are already done", b.done, b.trials))
	}
	b.explain(plan)
	b.draw()
}

func (b *bar) Done(trial *trial.Trial, task run.Task) {
	b.add(trial, task)
	if time.Since(b.drawn) >= progressEvery {
		b.draw()
	}
}

func (b *bar) Finish() {
	b.draw()
	b.messages.release()
}

// draw shows the name of the study, the state of the run and a progress bar on one line.
func (b *bar) draw() {
	b.drawn = time.Now()
	const length = 20 // of the bar
	filled := 0
	if b.trials > 0 {
		filled = length * b.done / b.trials
	}
	graph := " [" + strings.Repeat("=", filled) + strings.Repeat(" ", length-filled) + "]"
	b.messages.show(truncate(b.study+": "+b.describe()+graph, b.columns-1))
}

// lines prints the progress of a run as lines of text: a line whenever ten seconds have passed or
// five percent of the trials have finished since the last line, but at most one line per second.
type lines struct {
	tally
	printed time.Time
	percent int
}

const (
	lineEvery   = 10 * time.Second
	percentStep = 5
)

// Start prints the work that is left, such as "table1: 40 trials (320 results) to run, 2 in
// parallel; 1 result is already done".
func (l *lines) Start(plan *run.Plan, workers int) {
	l.begin(plan, workers)
	l.printed = l.start
	fmt.Fprintf(l.messages, "%s: %s (%s) to run, %d in parallel; %s\n", l.study,
		view.Plural(len(plan.Tasks), "trial", "trials"), view.Plural(plan.Missing, "result", "results"), workers,
		view.Plural(plan.Done, "result is already done", "results are already done"))
	l.explain(plan)
}

func (l *lines) Done(trial *trial.Trial, task run.Task) {
	l.add(trial, task)
	percent := 100 * l.done / l.trials
	elapsed := time.Since(l.printed)
	due := elapsed >= lineEvery || percent >= l.percent+percentStep
	isLast := l.done == l.trials // Finish prints the last line
	if !due || elapsed < time.Second || isLast {
		return
	}
	l.printed, l.percent = time.Now(), percent
	l.Note(l.describe())
}

func (l *lines) Finish() {
	fmt.Fprintf(l.messages, "%s: %d of %d trials done, %d of them in this run (%s); %s\n", l.study, l.done, l.trials,
		l.own, time.Since(l.start).Round(time.Second/10), view.Plural(l.failed, "failed result", "failed results"))
}
