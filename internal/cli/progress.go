package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"copse/experiments/run"
	"copse/experiments/trial"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// A screen prints messages above a status line, which is always the last line of a terminal.
type screen struct {
	out    io.Writer
	mu     sync.Mutex // protects status: a signal handler may print a message at any time
	status string     // text of the status line, "" if there is none
}

// newScreen returns a screen that writes directly to the terminal or file behind errOut.
func newScreen(errOut io.Writer) *screen { return &screen{out: rawWriter(errOut)} }

// clearLine moves the cursor of a terminal to the start of its line and clears the line.
const clearLine = "\r\x1b[K"

// Write prints a message above the status line.
func (s *screen) Write(message []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := displayed(message, width(s.out))
	if s.status != "" {
		text = clearLine + text + s.status
	}
	if _, err := io.WriteString(s.out, text); err != nil {
		return 0, err
	}
	return len(message), nil
}

// show replaces the text of the status line.
func (s *screen) show(status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
	io.WriteString(s.out, clearLine+status)
}

// release ends the status line. Its text stays on the terminal, and later messages appear below it.
func (s *screen) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = ""
	io.WriteString(s.out, "\n")
}

// width returns the number of columns of a terminal. It returns 0 if out is not a terminal or the
// size is unknown.
func width(out io.Writer) int {
	f, ok := rawWriter(out).(*os.File)
	if !ok {
		return 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || rows <= 0 {
		return 0
	}
	return max(columns, 0)
}

// newProgress returns a progress reporter for a run. On a terminal it draws a progress bar;
// otherwise it prints lines of text.
func newProgress(s *screen, study string) run.Progress {
	shown := shownTally{tally{study: strings.Map(sheet.Shown, study)}, s}
	if columns := width(s.out); columns > 0 {
		return &bar{shownTally: shown, columns: columns}
	}
	return &lines{shownTally: shown}
}

// A tally counts the finished trials of a study or shard and estimates the time that is left.
type tally struct {
	study    string
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
	*t = tally{study: t.study, trials: plan.Trials, done: finished, known: plan.AllTimed, workers: workers,
		start: time.Now()}
	for _, task := range plan.Tasks {
		t.costs = append(t.costs, task.Cost)
		t.cost += task.Cost
	}
}

// add counts a finished task. computed contains the results of the task, or is nil if another
// process finished the trial.
//
// The last task of a divided trial completes it. The earlier ones have task.Divided set.
func (t *tally) add(computed *trial.Trial, task run.Task) {
	if computed == nil {
		t.done++
		t.cost -= task.Cost // this process no longer has to run it
		return
	}
	for _, r := range computed.Results {
		if r.Status == records.Failed {
			t.failed++
		}
	}
	if task.Divided {
		return // a later task finishes the trial
	}
	t.done++
	t.own++
	t.costDone += task.Cost
}

// left estimates the remaining time of a run from the elapsed time and the expected costs. It
// assumes that running trials are half done. known is false if no trial has finished and the costs
// are not measured.
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
	running := -t.costDone // becomes the cost of the started trials minus the cost of the finished ones
	for _, c := range t.costs[:started] {
		running += c
	}
	return max(running, 0)
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

// aboutSeconds formats a rounded number of seconds, such as "35s" or "2h10m".
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

// A shownTally prints notes on a screen and counts the progress that is shown there.
type shownTally struct {
	tally
	screen *screen
}

// Note prints a note with the name of the study.
func (t *shownTally) Note(text string) { fmt.Fprintf(t.screen, "%s: %s\n", t.study, text) }

// explain prints the most frequent reasons why results are missing from a folder with stored results,
// such as "12 results: changed data: was n=100, is n=200". An unintended change is then visible before
// the run ends.
func (t *shownTally) explain(plan *run.Plan) {
	if plan.Folder == nil || plan.Folder.Len() == 0 { // a calibration has no folder
		return
	}
	const maxReasons = 3
	reasons := plan.ReasonLines()
	for _, line := range reasons[:min(maxReasons, len(reasons))] {
		fmt.Fprintf(t.screen, "%s: %s\n", t.study, line)
	}
	if more := len(reasons) - maxReasons; more > 0 {
		fmt.Fprintf(t.screen, "%s: `copse check` lists %s\n", t.study, view.Plural(more, "more reason", "more reasons"))
	}
}

// A bar shows the progress of a run in the status line of a terminal.
type bar struct {
	shownTally
	columns int
	drawn   time.Time
}

func (b *bar) Start(plan *run.Plan, workers int) {
	b.begin(plan, workers)
	if b.done > 0 {
		fmt.Fprintf(b.screen, "%s: resuming an earlier run; %d of %d trials are already done\n",
			b.study, b.done, b.trials)
	}
	b.explain(plan)
	b.draw()
}

// Done counts a finished trial. It redraws the bar unless the bar was drawn very recently.
func (b *bar) Done(trial *trial.Trial, task run.Task) {
	b.add(trial, task)
	if time.Since(b.drawn) >= progressEvery {
		b.draw()
	}
}

func (b *bar) Finish() {
	b.draw()
	b.screen.release()
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
	b.screen.show(truncate(b.study+": "+b.describe()+graph, b.columns-1))
}

// lines prints the progress of a run as lines of text. It prints a line whenever ten seconds have
// passed or five percent of the trials have finished since the last line. It prints at most one
// line per second.
type lines struct {
	shownTally
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
	fmt.Fprintf(l.screen, "%s: %s (%s) to run, %d in parallel; %s\n", l.study,
		view.Plural(len(plan.Tasks), "trial", "trials"), view.Plural(plan.Rows, "result", "results"), workers,
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
	fmt.Fprintf(l.screen, "%s: %d of %d trials done, %d of them in this run (%s); %s\n", l.study, l.done, l.trials,
		l.own, time.Since(l.start).Round(time.Second/10), view.Plural(l.failed, "failed result", "failed results"))
}
