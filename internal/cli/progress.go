package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"copse/experiments/plan"
	"copse/experiments/runner"
	"copse/experiments/trial"
	"copse/stats/records"
)

// newProgress returns a bar on a terminal and plain lines elsewhere.
func newProgress(out io.Writer, study string) runner.Progress {
	t := &tally{study: study}
	if f, ok := out.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 { // a bar needs room
			return &bar{tally: t, out: out}
		}
	}
	return &lines{tally: t, out: out}
}

// tally counts what is done and guesses what is left. A bar draws it in its own
// time.
type tally struct {
	mu             sync.Mutex // of what changes while it is drawn
	study          string
	trials, done   int
	failed         int
	cost, costDone float64 // expected seconds of all and of the finished trials
	start          time.Time
}

func (t *tally) begin(plan *plan.Plan) {
	t.trials, t.start, t.done, t.failed, t.cost, t.costDone = len(plan.Tasks), time.Now(), 0, 0, 0, 0
	for _, task := range plan.Tasks {
		t.cost += task.Cost
	}
}

func (t *tally) add(trial *trial.Trial, task plan.Task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	t.costDone += task.Cost
	for _, r := range trial.Results {
		if r.Status == records.Failed {
			t.failed++
		}
	}
}

// left is the time that the unfinished trials will take if they go as fast,
// beside their expected costs, as the finished ones.
func (t *tally) left() time.Duration {
	if t.costDone == 0 {
		return 0
	}
	perCost := time.Since(t.start).Seconds() / t.costDone
	return time.Duration(perCost * (t.cost - t.costDone) * float64(time.Second)).Round(time.Second)
}

// bar shows progress on a terminal.
type bar struct {
	*tally
	out   io.Writer
	group *mpb.Progress
	bar   *mpb.Bar
}

func (b *bar) Start(plan *plan.Plan, _ int) {
	b.begin(plan)
	b.group = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(40))
	b.bar = b.group.AddBar(int64(b.trials),
		mpb.PrependDecorators(decor.Name(b.study+" "), decor.CountersNoUnit("%d/%d trials")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			return fmt.Sprintf("%d failed  %s left", b.failed, b.left())
		})))
}

func (b *bar) Done(trial *trial.Trial, task plan.Task) {
	b.add(trial, task)
	b.bar.Increment()
}

func (b *bar) Note(text string) { fmt.Fprintf(b.group, "%s: %s\n", b.study, text) }

func (b *bar) Finish() {
	b.bar.Abort(false) // keeps the line when the run was drained
	b.group.Wait()
}

// lines prints a line every ten seconds or five percent, whichever is later,
// and a last one.
type lines struct {
	*tally
	out     io.Writer
	printed time.Time
	percent int
}

const (
	lineEvery   = 10 * time.Second
	percentStep = 5
)

func (l *lines) Start(plan *plan.Plan, workers int) {
	l.begin(plan)
	l.printed = l.start
	fmt.Fprintf(l.out, "%s: %d trials (%d results) to run, %d at a time; %d results are there\n", l.study, l.trials, plan.Rows, workers, plan.Done)
}

func (l *lines) Done(trial *trial.Trial, task plan.Task) {
	l.add(trial, task)
	percent := 100 * l.done / l.trials
	if time.Since(l.printed) < lineEvery && percent < l.percent+percentStep || l.done == l.trials {
		return
	}
	if time.Since(l.printed) < time.Second {
		return // short studies need few lines
	}
	l.printed, l.percent = time.Now(), percent
	fmt.Fprintf(l.out, "%s: %d/%d trials, %d failed fits, %s left\n", l.study, l.done, l.trials, l.failed, l.left())
}

func (l *lines) Note(text string) { fmt.Fprintf(l.out, "%s: %s\n", l.study, text) }

func (l *lines) Finish() {
	fmt.Fprintf(l.out, "%s: %d/%d trials done in %s, %d failed fits\n", l.study, l.done, l.trials, time.Since(l.start).Round(time.Second/10), l.failed)
}
