package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"copse/experiments/run"
	"copse/experiments/trial"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// A screen is where messages go, each in one piece: above the bar while there is one,
// so that it does not overwrite them.
type screen struct {
	out   io.Writer
	above atomic.Pointer[mpb.Progress]
}

func (s *screen) Write(text []byte) (int, error) {
	if bar := s.above.Load(); bar != nil {
		line := "\r" + displayed(text, width(s.out)) // the terminal's ^C has moved the cursor
		if _, err := io.WriteString(bar, line); err == nil {
			return len(text), nil
		}
	}
	if _, err := io.WriteString(s.out, displayed(text, width(s.out))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// width is the number of columns of a terminal; 0: it is none, or has no room.
func width(out io.Writer) int {
	if f, ok := behind(out).(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
			return width
		}
	}
	return 0
}

// newProgress returns a bar on a terminal and plain lines elsewhere.
func newProgress(s *screen, study string) run.Progress {
	t := &tally{study: strings.Map(sheet.Shown, study)}
	if columns := width(s.out); columns > 0 {
		return &bar{tally: t, screen: s, columns: columns}
	}
	return &lines{tally: t, out: s}
}

// tally counts what is done, what was there before among it, and guesses what is
// left. A bar draws it in its own time.
type tally struct {
	mu           sync.Mutex // of what changes while it is drawn
	study        string
	trials, done int // of the study or shard
	before       int // were done when the run began
	failed       int // fits, of this run
	costs        []float64
	cost         float64 // expected seconds of this run
	costDone     float64 // of its finished trials
	known        bool    // the costs are measured times
	workers      int
	start        time.Time
}

func (t *tally) begin(plan *run.Plan, workers int) {
	t.trials, t.before, t.done, t.known, t.workers = plan.Trials, plan.Trials-len(plan.Tasks),
		plan.Trials-len(plan.Tasks), plan.Known, workers
	t.start, t.failed, t.costs, t.cost, t.costDone = time.Now(), 0, nil, 0, 0
	for _, task := range plan.Tasks {
		t.costs = append(t.costs, task.Cost)
		t.cost += task.Cost
	}
}

func (t *tally) add(trial *trial.Trial, task run.Task) {
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

// left is the time that the unfinished trials will take if they go as fast, beside
// their expected costs, as the finished ones. Those under way, handed out in order,
// count as half done. Before the first is done only measured times can tell.
func (t *tally) left(elapsed time.Duration) (left time.Duration, known bool) {
	finished := t.done - t.before
	seconds := t.cost/float64(max(t.workers, 1)) - elapsed.Seconds()
	if finished > 0 {
		underWay := -t.costDone
		for _, c := range t.costs[:min(finished+t.workers, len(t.costs))] {
			underWay += c
		}
		spent := t.costDone + max(underWay, 0)/2
		seconds = elapsed.Seconds() / spent * (t.cost - spent)
	}
	return time.Duration(seconds * float64(time.Second)), finished > 0 || t.known
}

// leftWords are the time left as people read it.
func (t *tally) leftWords() string {
	left, known := t.left(time.Since(t.start))
	switch {
	case t.done == t.trials:
		return "done"
	case !known:
		return "time left unknown"
	}
	return aboutWords(left) + " left"
}

// aboutSeconds is aboutWords of some seconds.
func aboutSeconds(seconds float64) string {
	return aboutWords(time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second)))
}

// aboutWords rounds a time to what a guess is worth.
func aboutWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return "<1s"
	case d < 10*time.Minute:
		return d.Round(time.Second).String()
	}
	return d.Round(time.Minute).String()[:len(d.Round(time.Minute).String())-len("0s")]
}

// bar shows progress on a terminal.
type bar struct {
	*tally
	screen  *screen
	columns int
	group   *mpb.Progress
	bar     *mpb.Bar
}

// What fits beside the numbers: a bar from barColumns on, else the study's name
// where it leaves numbersColumns.
const (
	barColumns     = 62
	numbersColumns = 38
)

func (b *bar) Start(plan *run.Plan, workers int) {
	b.begin(plan, workers)
	if b.before > 0 {
		fmt.Fprintf(b.screen, "%s: goes on; %d of %d trials are there\n", b.study, b.before, b.trials)
	}
	b.group = mpb.New(mpb.WithOutput(b.screen.out), mpb.WithWidth(b.columns))
	numbers := decor.Any(func(decor.Statistics) string {
		b.mu.Lock()
		defer b.mu.Unlock()
		return fmt.Sprintf("%d/%d, %d failed, %s", b.done, b.trials, b.failed, b.leftWords())
	})
	name := ""
	if b.columns >= len(b.study)+2+numbersColumns {
		name = b.study + ": "
	}
	filler := mpb.NopStyle()
	if b.columns >= len(name)+barColumns {
		filler = mpb.BarStyle()
	}
	b.bar = b.group.MustAdd(int64(b.trials), filler.Build(), mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Name(name), numbers, decor.Name(" ")))
	b.bar.SetCurrent(int64(b.done))
	b.screen.above.Store(b.group)
}

func (b *bar) Done(trial *trial.Trial, task run.Task) {
	b.add(trial, task)
	b.bar.Increment()
}

func (b *bar) Note(text string) { fmt.Fprintf(b.screen, "%s: %s\n", b.study, text) }

func (b *bar) Finish() {
	b.bar.Abort(false) // keeps the line when the run was drained
	b.group.Wait()
	b.screen.above.Store(nil)
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

func (l *lines) Start(plan *run.Plan, workers int) {
	l.begin(plan, workers)
	l.printed = l.start
	fmt.Fprintf(l.out, "%s: %s (%s) to run, %d at a time; %s\n", l.study,
		view.Plural(len(plan.Tasks), "trial", "trials"), view.Plural(plan.Rows, "result", "results"), workers,
		view.Plural(plan.Done, "result is there", "results are there"))
}

func (l *lines) Done(trial *trial.Trial, task run.Task) {
	l.add(trial, task)
	percent := 100 * l.done / l.trials
	if time.Since(l.printed) < lineEvery && percent < l.percent+percentStep || l.done == l.trials {
		return
	}
	if time.Since(l.printed) < time.Second {
		return // short studies need few lines
	}
	l.printed, l.percent = time.Now(), percent
	fmt.Fprintf(l.out, "%s: %d/%d trials, %d failed fits, %s\n", l.study, l.done, l.trials, l.failed, l.leftWords())
}

func (l *lines) Note(text string) { fmt.Fprintf(l.out, "%s: %s\n", l.study, text) }

func (l *lines) Finish() {
	fmt.Fprintf(l.out, "%s: %d/%d trials done, %d of them in %s, %d failed fits\n", l.study, l.done, l.trials,
		l.done-l.before, time.Since(l.start).Round(time.Second/10), l.failed)
}
