package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/results"
	"copse/experiments/run"
)

// followEvery is how often a running study is looked at, and followShare the least
// time between two looks in units of what a look takes.
const (
	followEvery = 2 * time.Second
	followShare = 10
)

// A watched study is one that others run.
type watched struct {
	dir   string
	begun time.Time
	first int // results when we came
	said  string
}

// followAll tells how studies go on until all their results are there.
func followAll(cmd *cobra.Command, dirs []string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	list := make([]*watched, len(dirs))
	for i, dir := range dirs {
		list[i] = &watched{dir: dir, first: -1}
	}
	for {
		began, complete := time.Now(), true
		for _, w := range list {
			done, err := w.look(cmd.OutOrStdout(), began)
			if err != nil {
				return err
			}
			complete = complete && done
		}
		if complete || !sleep(ctx, max(followEvery, followShare*time.Since(began))) {
			return nil
		}
	}
}

// sleep tells whether the time has passed.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// look prints a line where something has changed, and tells whether all is there.
func (w *watched) look(out io.Writer, now time.Time) (bool, error) {
	s, err := loadRecorded(w.dir)
	if err != nil {
		return false, err
	}
	l, err := results.Read(w.dir, s.Name, s.Seed)
	if err != nil {
		return false, err
	}
	p := run.NewPlan(l, s, false)
	if w.first < 0 {
		w.first, w.begun = p.Done, now
	}
	line := fmt.Sprintf("%s: %d/%d results, %d failed", s.Name, p.Done, p.Done+p.Rows, p.Failed)
	if line == w.said {
		return p.Rows == 0, nil
	}
	w.said = line
	if since, came := now.Sub(w.begun), p.Done-w.first; p.Rows > 0 && came > 0 {
		line += fmt.Sprintf(", %s left", aboutWords(time.Duration(float64(since)/float64(came)*float64(p.Rows))))
	}
	fmt.Fprintln(out, line)
	if p.Rows == 0 {
		fmt.Fprintf(out, "next: copse report %s\n", cluster.Word(w.dir))
	}
	return p.Rows == 0, nil
}
