package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

// killRounds is the number of rounds. The environment variable COPSE_KILLS sets another one.
const killRounds = 20

// A study is killed at random times, up to three times, and then runs to its end. Its records, predictions,
// tables and figures are the same as without kills: nothing is lost, and no other files remain. One round in
// five divides the study into two shards, and one in five sends SIGTERM instead.
func TestKilledRunsEndTheSame(t *testing.T) {
	rounds := killRounds
	if n, err := strconv.Atoi(os.Getenv("COPSE_KILLS")); err == nil {
		rounds = n
	} else if testing.Short() {
		rounds = 5
	}
	file, want := undisturbed(t, withMethod(killStudy)+"predictions: keep\n")
	k := killer{file: file, want: want, span: time.Hour, tally: map[string]int{}}
	for range 3 {
		began := time.Now()
		finish(t, 0, "", "run", file, "--out", filepath.Join(t.TempDir(), "r"))
		k.span = min(k.span, time.Since(began))
	}
	t.Run("rounds", func(t *testing.T) {
		for round := range rounds {
			t.Run(fmt.Sprint(round), func(t *testing.T) {
				t.Parallel()
				k.round(t, randtest.New(uint64(round)), round%5)
			})
		}
	})
	left := methods(t)
	for patience := time.Now().Add(10 * time.Second); left != "" && time.Now().Before(patience); left = methods(t) {
		time.Sleep(10 * time.Millisecond) // a signal takes its time
	}
	if left != "" {
		t.Errorf("processes of methods were left:\n%s", left)
	}
	var lines []string
	for state, n := range k.tally {
		lines = append(lines, fmt.Sprintf("%5d %s", n, state))
	}
	sort.Strings(lines)
	t.Logf("| runs killed at random instants, then run to the end | %d | files of a run that was not killed: %d |",
		rounds,
		rounds)
	t.Logf("%d rounds; found after the kills:\n%s", rounds, strings.Join(lines, "\n"))
}

// methods lists the processes of external classifiers that are still running.
func methods(t *testing.T) string {
	t.Helper()
	text, err := exec.Command("ps", "-A", "-o", "pid=,stat=,args=").Output()
	if err != nil {
		t.Log("SKIPPED: no ps here, so nobody looks for processes that were left")
	}
	var left []string
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(strings.TrimSpace(line), os.Args[0]+" method") {
			left = append(left, line)
		}
	}
	return strings.Join(left, "")
}

type killer struct {
	file  string
	want  map[string]string
	span  time.Duration // of a run without interruption
	mu    sync.Mutex
	tally map[string]int
}

func (k *killer) round(t *testing.T, rng *rand.Rand, kind int) {
	dir := filepath.Join(t.TempDir(), "r")
	blow := syscall.SIGKILL
	if kind == 4 {
		blow = syscall.SIGTERM
	}
	for kill := range 1 + rng.Intn(3) {
		args := []string{"run", k.file, "--out", dir, "-j", fmt.Sprint(1 + rng.Intn(3))}
		if kind == 3 {
			args = append(args, "--shard", fmt.Sprintf("%d/2", 1+kill%2))
		}
		p := start(t, args...)
		delay := rng.Float64() * float64(k.span)
		if rng.Intn(2) == 0 {
			delay /= 3 // before the drawing, which takes the longest
		}
		time.Sleep(time.Duration(delay))
		p.Process.Signal(blow) // fails when it has ended already
		code := p.end(t)
		if code != -1 && code != exitDone && code != exitDrained {
			t.Fatalf("exit %d: %s", code, p.output())
		}
		k.count(state(dir, code))
		if code == exitDone && kind != 3 {
			break // all is done
		}
	}
	finish(t, 0, "", "run", k.file, "--out", dir)
	sameOutputs(t, outputs(t, dir), k.want)
	if rng.Intn(10) == 0 {
		finish(t, 0, "recomputed: ok", "verify", dir, "--sample", "1")
	}
}

func (k *killer) count(state string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tally[state]++
}

// state describes what a process that ended in the given way left in its folder.
func state(dir string, code int) string {
	switch code {
	case exitDone:
		return "ended before the signal came"
	case exitDrained:
		return "drained"
	}
	where := "before the journal"
	if _, err := os.Stat(dir); err != nil {
		where = "before the folder"
	}
	journals, _ := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	for _, j := range journals {
		where = "during the trials"
		if text, _ := os.ReadFile(j); len(text) == 0 {
			where = "an empty journal"
		} else if !bytes.HasSuffix(text, []byte("\n")) {
			where = "a torn line"
		}
	}
	for _, stage := range []struct{ file, where string }{{"records.csv", "while collecting"},
		{"manifest.json", "before drawing"},
		{"tables", "while writing tables"}, {"figures", "while drawing figures"}, {"report.html", "at the very end"}} {
		if _, err := os.Stat(filepath.Join(dir, stage.file)); err == nil {
			where = stage.where
		}
	}
	for _, pattern := range []string{".*.part", "*/.*.part", "predictions/parts/.*.part"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
			where += ", with a temporary file left"
		}
	}
	return where
}
