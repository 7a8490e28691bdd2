package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/classifiers/classics"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// Tests that need real processes start the test binary as copse. These variables set the limits of the
// process.
const (
	actAsCopse   = "COPSE_TEST_MAIN"  // any value
	maxFileBytes = "COPSE_TEST_FSIZE" // no file grows beyond
	userID       = "COPSE_TEST_UID"   // privileges are dropped to this user
	maxMemory    = "COPSE_TEST_AS"    // bytes of address space; glutton takes them all
	methodsGo    = "COPSE_TEST_GO"    // version of Go that the method declares; empty: the real one
)

func TestMain(m *testing.M) {
	if os.Getenv(actAsCopse) == "" {
		list, err := os.MkdirTemp("", "copse-test-")
		must(err)
		must(os.Setenv("COPSE_COMMANDS", filepath.Join(list, "commands"))) // not the user's own
		code := m.Run()
		must(os.RemoveAll(list))
		os.Exit(code)
	}
	limitProcess()
	classifiers.Registry = append(classifiers.Registry, classifiers.Spec{Entry: recipe.Entry[classifiers.Classifier]{
		Name: "glutton", Version: 1, New: func() classifiers.Classifier { return &glutton{} },
	}})
	if len(os.Args) > 1 && os.Args[1] == "method" {
		must(toys.Serve(os.Stdin, goVersion{os.Getenv(methodsGo)}, nearest))
		os.Exit(0)
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// goVersion writes to standard output and replaces the version of Go, unless it is empty.
type goVersion struct{ version string }

func (g goVersion) Write(text []byte) (int, error) {
	if g.version != "" {
		text = bytes.Replace(text, []byte(runtime.Version()), []byte(g.version), 1)
	}
	return os.Stdout.Write(text)
}

// nearest is copse's nearest-neighbour classifier as an external program, with zeros for missing values.
func nearest(train, test *dataset.Set, _ map[string]any) ([]int, error) {
	for _, set := range []*dataset.Set{train, test} {
		set.X.Apply(func(_, _ int, v float64) float64 {
			if math.IsNaN(v) {
				return 0
			}
			return v
		}, set.X)
	}
	rule, err := classics.NewKNN().Fit(context.Background(), train, nil)
	if err != nil {
		return nil, err
	}
	return rule.Predict(test.X), nil
}

// withMethod adds an external classifier to a study.
func withMethod(text string) string {
	entry := fmt.Sprintf("[{id: mine, classifier: external, command: [%q, method], files: [notes.txt]}, 5nn,",
		os.Args[0])
	return strings.Replace(text, "[5nn,", entry, 1)
}

// glutton is a nearest-neighbour rule. In one of ten fits, if memory is limited, it allocates without bound.
type glutton struct{}

func (*glutton) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*classifiers.Rule, error) {
	greedy := rng.Intn(10) == 0 && os.Getenv(maxMemory) != ""
	for kept := [][]byte{}; greedy; {
		kept = append(kept, make([]byte, 1<<26))
	}
	return classics.NewKNN().Fit(ctx, train, rng)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A process is a copse process with its own process group.
type process struct {
	*exec.Cmd
	log lockedBuffer // of both output streams
}

func (p *process) output() string { return p.log.String() }

// A lockedBuffer can be read while a process writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(text)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start starts copse. Leading arguments of the form NAME=value set environment variables.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	settings := 0
	for settings < len(args) && strings.HasPrefix(args[settings], "COPSE_") {
		settings++
	}
	p := &process{Cmd: exec.Command(os.Args[0], args[settings:]...)}
	tmp := "TMPDIR=" + t.TempDir() // for what a killed process leaves
	p.Env = slices.Concat(os.Environ(), []string{actAsCopse + "=1", tmp}, args[:settings])
	p.Stdout, p.Stderr = &p.log, &p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// end waits for at most five minutes and returns the exit code, or -1 after a kill.
func (p *process) end(t *testing.T) int {
	t.Helper()
	late := time.AfterFunc(5*time.Minute, func() { p.Process.Kill() })
	defer late.Stop()
	p.Wait()
	return p.ProcessState.ExitCode()
}

// finish runs copse and tests its exit code and that the output contains a text.
func finish(t *testing.T, want int, text string, args ...string) {
	t.Helper()
	p := start(t, args...)
	if code := p.end(t); code != want || !strings.Contains(p.output(), text) {
		t.Fatalf("%q: exit %d, want %d with %q; printed\n%s", args, code, want, text, p.output())
	}
}

// The trials of killStudy take a few milliseconds, so a run divides its time about equally between starting,
// trials, collecting and drawing.
const killStudy = `study: kill
seed: 11
replicates: 12
design: {n: [30, 60]}
data:
  generator: {name: forest, d: 3}
  train: {n: $n}
  test: {n: 40}
classifiers: [5nn, lda, oracle]
report:
  tables: [{name: errors, rows: [n]}]
  figures: [{name: box, panel: [n]}]
`

// outputs reads all files that must not depend on how a study was run: it omits the journals, the times and
// the names of sessions.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case name == "journal":
			return fs.SkipDir
		case d.IsDir() || name == "manifest.json" || name == "timings.csv" || name == "report.html":
			return nil
		}
		text, err := os.ReadFile(path)
		if name == "outputs.sha256" { // lists the page, too
			text = regexp.MustCompile(`(?m)^.*  report\.html\n`).ReplaceAll(text, nil)
		}
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameOutputs fails the test if two folders differ or contain leftovers.
func sameOutputs(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if other != text {
			t.Errorf("%s differs: %s", name, firstDifference(other, text))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too many", name)
		}
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// undisturbed runs a study without interruption.
func undisturbed(t *testing.T, text string) (file string, want map[string]string) {
	t.Helper()
	file = writeStudy(t, text)
	filetest.Write(t, filepath.Join(filepath.Dir(file), "notes.txt"), "") // of withMethod
	dir := filepath.Join(t.TempDir(), "r")
	finish(t, 0, "", "run", file, "--out", dir, "-j", "1")
	return file, outputs(t, dir)
}

// waitFor polls until a condition holds, for at most five minutes.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 300_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("waited five minutes for %s", what)
}

func exists(pattern string) bool {
	files, _ := filepath.Glob(pattern)
	return len(files) > 0
}
