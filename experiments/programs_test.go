package experiments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"copse/experiments/audit"
	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/dataset"
	"copse/stats/records"
)

const (
	slowStart = 1500 * time.Millisecond // of a program that starts slowly
	slowFit   = 300 * time.Millisecond  // of a program that fits slowly
)

// foreign is the centroid classifier as an external program, run by the test binary. It misbehaves as
// instructed.
func foreign(mode string) {
	var out io.Writer = os.Stdout
	const lacksPackage = "ModuleNotFoundError: No module named 'numpy'"
	computer := os.Getenv("FOREIGN_COMPUTER")
	if computer == "lacks a package" {
		fmt.Fprintln(os.Stderr, lacksPackage)
		os.Exit(1)
	}
	switch mode {
	case "marks its start":
		file, err := os.OpenFile(os.Getenv("FOREIGN_MARK"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = file.WriteString("started\n")
		}
		if err != nil {
			panic(err)
		}
	case "no handshake":
		time.Sleep(time.Hour)
	case "starts slowly":
		time.Sleep(slowStart)
	case "takes little":
		out = edited{out, `"missing":true`, `"missing":false`}
	case "warns of its process":
		out = edited{out, `"fit_s":`, fmt.Sprintf(`"warnings":["process %d is old"],"fit_s":`, os.Getpid())}
	}
	asked := 0
	err := toys.Serve(os.Stdin, out, func(train, test *dataset.Set, params map[string]any) ([]int, error) {
		asked++
		switch {
		case computer == "lacks a package of the fit":
			return nil, errors.New(lacksPackage)
		case mode == "always fails" || computer == "makes fits fail":
			return nil, errors.New("no such thing")
		case mode == "edits its file and ends":
			if err := os.WriteFile(os.Getenv("FOREIGN_MARK"), []byte("2"), 0o600); err != nil {
				panic(err)
			}
			os.Exit(3)
		case mode == "fits slowly":
			time.Sleep(slowFit)
		case mode == "hangs":
			fmt.Println("about to hang")
			time.Sleep(time.Hour)
		case mode == "crashes with its secrets":
			here, _ := os.Getwd()
			fmt.Fprintln(os.Stderr, os.Getenv("TMPDIR"), here, os.Getenv("COPSE_CLIENT"))
			os.Exit(3)
		case mode == "crashes on large sets" && train.N() > 20:
			os.Exit(3)
		}
		axis, _ := params["axis"].(float64)
		rule, err := (&toys.Centroid{Axis: int(axis)}).Fit(context.Background(), train, nil)
		if err != nil {
			return nil, err
		}
		labels := rule.Predict(test.X)
		if mode == "counts" { // it remembers what was before
			for i := range min(asked, len(labels)) {
				labels[i] = 0
			}
		}
		return labels, nil
	})
	if err != nil {
		panic(err)
	}
}

// edited is a writer that replaces a text before it writes to out.
type edited struct {
	out      io.Writer
	old, new string
}

func (e edited) Write(p []byte) (int, error) {
	_, err := e.out.Write(bytes.Replace(p, []byte(e.old), []byte(e.new), 1))
	return len(p), err
}

// A warning may contain the number of a process. The results are the same, so verify accepts them.
func TestOtherWarningIsNoDifference(t *testing.T) {
	s := toys.Load(t, foreignStudy(t, "warns of its process"), "replicates=1")
	dir := t.TempDir()
	toys.RunIn(t, s, dir)
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{Trials: 1})
	if err != nil {
		t.Fatal(err)
	}
	last := checks[len(checks)-1]
	const want = "results that differ only in the text of a program's warning: 1"
	if len(last.Problems) > 0 || !strings.Contains(last.Seen, want) {
		t.Errorf("%+v", last)
	}
}

// A program that this computer cannot run does not give different results. This also holds for a fit
// that failed in the run.
func TestProgramThatCannotRunHere(t *testing.T) {
	s := toys.Load(t, foreignStudy(t, "crashes on large sets"), "replicates=1")
	dir := t.TempDir()
	toys.RunIn(t, s, dir)
	text := filetest.Read(t, filepath.Join(dir, folder.Records))
	if !strings.Contains(text, ",mine,failed,") || !strings.Contains(text, ",mine,ok,") {
		t.Fatal(text)
	}
	const seen = "results that cannot be computed on this computer: "
	for computer, want := range map[string]struct{ seen, unchecked, problems string }{
		"": {},
		"lacks a package": {seen: seen + strconv.Itoa(len(s.Cells)),
			unchecked: "mine: cannot run on this computer: ended before it answered (exit status 1): a package is"},
		"lacks a package of the fit": {seen: seen + strconv.Itoa(len(s.Cells)),
			unchecked: "mine: cannot run on this computer: ModuleNotFoundError: No module named 'numpy'"},
		"makes fits fail": {problems: "in a new process, the program gives a different result"},
	} {
		t.Setenv("FOREIGN_COMPUTER", computer)
		checks, err := audit.Verify(t.Context(), dir, audit.Sample{Trials: 100})
		if err != nil {
			t.Fatal(err)
		}
		c := checks[len(checks)-1]
		problems := strings.Join(c.Problems, "\n")
		if c.Skipped || !strings.Contains(c.Seen, want.seen) || (problems != "") != (want.problems != "") ||
			!strings.Contains(problems, want.problems) || (len(c.Unchecked) == 1) != (want.unchecked != "") ||
			!strings.HasPrefix(strings.Join(c.Unchecked, "\n"), want.unchecked) {
			t.Errorf("computer %q: %+v", computer, c)
		}
	}
}

// A generator that this computer cannot run does not draw different data.
func TestGeneratorThatCannotRunHere(t *testing.T) {
	needShell(t)
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "draw.sh"), `if [ "$FOREIGN_COMPUTER" ]; then
  echo "No module named 'numpy'" >&2
  exit 1
fi
awk -v s="$1" -v k="$2" 'BEGIN { srand(s); split(k, n, ","); print "a,class"
  for (c = 0; c < 2; c++) for (i = 0; i < n[c+1]; i++) print rand() + c "," c }' > "$3"`)
	s := loadIn(t, dir, generatorStudy(
		`{name: external-csv, command: [sh, draw.sh, "{seed}", "{counts}", "{out}"], files: [draw.sh]}`))
	out := t.TempDir()
	toys.RunIn(t, s, out)
	verify(t, out)
	t.Setenv("FOREIGN_COMPUTER", "lacks a package")
	r, err := audit.NewArchive(toys.Open(t, out)).Replay(t.Context(), audit.Key{Cell: s.Cells[0].ID, Replicate: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Differs() || r.Identical() || len(r.Results) > 0 ||
		!strings.Contains(r.NotDrawn, "the generator cannot run on this computer: ended before") {
		t.Errorf("%+v", r)
	}
	verify(t, out) // finds no problem
}

// foreignStudy is the toy study with an external classifier among the others.
func foreignStudy(t *testing.T, mode string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	entry := fmt.Sprintf(
		"[centroid, {id: mine, classifier: external, command: [%q, method, %q]}, coin, oracle]",
		self,
		mode,
	)
	return strings.Replace(toys.Study, "[centroid, coin, oracle]", entry, 1)
}

// verify tests that copse verify finds no problem in a results folder.
func verify(t *testing.T, dir string) {
	t.Helper()
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{Trials: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if len(c.Problems) > 0 {
			t.Errorf("%s: %v", c.Name, c.Problems)
		}
	}
}

// compareWithCentroid tests that in each of the 24 trials, the external classifier makes as many errors as the same
// rule inside copse.
func compareWithCentroid(t *testing.T, dir string) {
	t.Helper()
	errorsOf, compared := map[string]int{}, 0
	for _, r := range toys.Records(t, dir).Rows {
		at := fmt.Sprint(r.Cell, r.Replicate)
		switch r.Classifier {
		case "centroid":
			errorsOf[at] = r.Errors
		case "mine":
			if compared++; r.Status != records.OK || r.Errors != errorsOf[at] {
				t.Fatalf("%+v; centroid errs %d times", r, errorsOf[at])
			}
		}
	}
	if compared != 24 {
		t.Errorf("%d trials compared", compared)
	}
}

// An external classifier gives the same results as the same rule inside copse, for any number of workers, shards
// and interruptions. The results can be verified.
func TestExternalClassifier(t *testing.T) {
	s := toys.Load(t, foreignStudy(t, "behaves"))
	reference := filepath.Join(t.TempDir(), "r")
	toys.Run(t, s, run.Options{Dir: reference, Workers: 1})
	want := filetest.Read(t, filepath.Join(reference, folder.Records))
	compareWithCentroid(t, reference)
	for name, way := range map[string]func(dir string){
		"3 workers": func(dir string) { toys.Run(t, s, run.Options{Dir: dir, Workers: 3}) },
		"shards": func(dir string) {
			for _, k := range []int{2, 1} {
				toys.Run(t, s, run.Options{Dir: dir, Shard: run.Shard{Index: k, Count: 2}})
			}
			if err := toys.Collect(dir, s); err != nil {
				t.Fatal(err)
			}
		},
		"drained": func(dir string) {
			drain := make(chan struct{}, 1)
			drain <- struct{}{}
			if _, err := run.Run(t.Context(), drain, s, run.Options{Dir: dir}); !errors.Is(err, run.ErrDrained) {
				t.Fatal(err)
			}
			toys.RunIn(t, toys.Load(t, foreignStudy(t, "behaves"), "replicates=2"), dir)
			toys.RunIn(t, s, dir)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "r")
			way(dir)
			if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
				t.Errorf("records differ:\n%s\nwant\n%s", got, want)
			}
		})
	}
	verify(t, reference)
	opened := toys.Open(t, reference)
	if m := opened.Manifest; len(m.Sessions) != 1 || len(m.Sessions[0].Programs) != 1 {
		t.Errorf("the manifest tells of the programs %+v", m.Sessions[0].Programs)
	}
}

// The data are prepared in the same way for built-in classifiers and for programs.
func TestExternalPreparation(t *testing.T) {
	prepared := ", impute: knn, discrete: [x1]}"
	text := strings.Replace(foreignStudy(t, "behaves"), "[centroid,", "[{classifier: centroid"+prepared+",", 1)
	text = strings.Replace(text, "\"behaves\"]}", "\"behaves\"]"+prepared, 1)
	text = strings.Replace(text, "  test: {n: 60}\n", "  test: {n: 60}\n  missing: {mcar: 0.3, where: both}\n", 1)
	text = strings.Replace(text, ", oracle]", "]", 1)
	s, dir := toys.Load(t, text), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir, Workers: 2})
	compareWithCentroid(t, dir)
	verify(t, dir)
	other := toys.Load(t, text, "classifiers.mine.impute=mean")
	if p := run.NewPlan(toys.OpenFor(t, dir, other)); p.Missing != 24 {
		t.Errorf("with another imputation, %d results of the program are missing, want 24", p.Missing)
	}
}

// A program is tuned like a built-in classifier, in one process, with identical results.
func TestTunedProgram(t *testing.T) {
	mark, dir := filepath.Join(t.TempDir(), "mark"), t.TempDir()
	t.Setenv("FOREIGN_MARK", mark)
	const tune = ", tune: {axis: [1, 0]}, by: {folds: 3}}"
	text := strings.Replace(foreignStudy(t, "marks its start"), "[centroid,", "[{classifier: centroid"+tune+",", 1)
	text = strings.Replace(text, `"marks its start"]}`, `"marks its start"]`+tune, 1)
	text = strings.Replace(text, ", coin, oracle]", "]", 1)
	s := toys.Load(t, text)
	toys.Run(t, s, run.Options{Dir: dir, Workers: 1})
	builtin, compared := map[string]records.Record{}, 0
	for _, r := range toys.Records(t, dir).Rows {
		at := fmt.Sprint(r.Cell, r.Replicate)
		if r.Classifier == "centroid" {
			builtin[at] = r
			continue
		}
		choice, err := records.ParseTuned(r.Tuned)
		fixed, fixedErr := records.ParseTuned(builtin[at].Tuned)
		if err := errors.Join(err, fixedErr); err != nil {
			t.Fatalf("%v in %+v", err, r)
		}
		same := choice.Values != fixed.Values || r.Errors == builtin[at].Errors
		if compared++; choice.Candidates != 2 || choice.Failed != 0 || !same {
			t.Errorf("%+v, built in %+v", r, builtin[at])
		}
	}
	if compared != 24 {
		t.Errorf("%d trials compared", compared)
	}
	if n := strings.Count(filetest.Read(t, mark), "started"); n != 1 {
		t.Errorf("%d starts for the candidates of 24 trials", n)
	}
	checkFitTimes(t, dir, "mine", 2*3+1)
	verify(t, dir)
}

// checkFitTimes tests that every row of a program has the time of the given number of fits of at least a
// millisecond.
func checkFitTimes(t *testing.T, dir, id string, fits int) {
	t.Helper()
	for line := range strings.Lines(filetest.Read(t, filepath.Join(dir, folder.Timings))) {
		fields := strings.Split(line, ",")
		if fields[2] != id {
			continue
		}
		seconds, err := strconv.ParseFloat(fields[3], 64)
		if err != nil || seconds < 0.001*float64(fits) || seconds > 0.1 {
			t.Errorf("%s: error %v, want %d ms", line, err, fits)
		}
	}
}

// A worker starts a program once, however many trials it runs. The peak memory of the program is stored with
// the times, also if only these remain.
func TestProgramsStartOncePerWorker(t *testing.T) {
	mark, dir := filepath.Join(t.TempDir(), "mark"), t.TempDir()
	t.Setenv("FOREIGN_MARK", mark)
	s := toys.Load(t, foreignStudy(t, "marks its start"))
	toys.Run(t, s, run.Options{Dir: dir, Workers: 2})
	if n := strings.Count(filetest.Read(t, mark), "started"); n < 1 || n > 2 {
		t.Errorf("%d starts for 24 trials of 2 workers", n)
	}
	want := filetest.Read(t, filepath.Join(dir, folder.Timings))
	if runtime.GOOS == "linux" &&
		!strings.HasPrefix(want, "cell,replicate,classifier,fit_seconds,predict_seconds,peak_bytes\n") {
		t.Errorf("times:\n%s", want)
	}
	filetest.Remove(t, filepath.Join(dir, "journal"))
	if err := toys.Collect(dir, s); err != nil {
		t.Fatal(err)
	}
	if got := filetest.Read(t, filepath.Join(dir, folder.Timings)); got != want {
		t.Errorf("read back, the times are\n%s\nwant\n%s", got, want)
	}
}

// verify finds state that leaks from one trial to the next, and names the program.
func TestLeakingStateIsFound(t *testing.T) {
	s, dir := toys.Load(t, foreignStudy(t, "counts")), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir, Workers: 1})
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{Trials: 24, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(checks[len(checks)-1].Problems, "\n")
	if !strings.Contains(text, "mine: in a new process, the program gives a different result") ||
		strings.Contains(text, "platform") {
		t.Errorf("problems:\n%s", text)
	}
}

func TestExternalFailures(t *testing.T) {
	s, dir := toys.Load(t, foreignStudy(t, "crashes on large sets")), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir, Workers: 2})
	failed := 0
	for _, r := range toys.Records(t, dir).Rows {
		if r.Status != records.Failed {
			continue
		}
		failed++
		if r.Classifier != "mine" || r.Levels.Of(s.Factors[0].Name) != "40" ||
			r.Message != "ended before it answered (exit status 3)" {
			t.Errorf("%+v", r)
		}
	}
	if failed != 12 {
		t.Errorf("%d failures; want the 12 trials with 40 rows", failed)
	}
}

// Two runs of a program that crashes and prints different texts give equal records.
func TestCrashesAreRecordedAlike(t *testing.T) {
	s := toys.Load(t, foreignStudy(t, "crashes with its secrets"), "replicates=2")
	var texts []string
	for workers := 1; workers <= 2; workers++ {
		dir := t.TempDir()
		toys.Run(t, s, run.Options{Dir: dir, Workers: workers})
		texts = append(texts, filetest.Read(t, filepath.Join(dir, folder.Records)))
	}
	if want := "it printed: FOLDER FOLDER/files FOLDER/client"; texts[0] != texts[1] ||
		!strings.Contains(texts[0], want) {
		t.Errorf("records:\n%s\nand\n%s\nwant twice %q", texts[0], texts[1], want)
	}
}

func TestExternalTimeLimit(t *testing.T) {
	s, dir := toys.Load(t, foreignStudy(t, "hangs"), "time_limit=300ms", "replicates=1", "design.n=20"), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir, Workers: 2})
	text := filetest.Read(t, filepath.Join(dir, folder.Records))
	if strings.Count(text, "time limit of 300ms exceeded; it printed: about to hang") != 2 {
		t.Errorf("records:\n%s", text)
	}
}

// The time limit applies to all requests of a tuned fit together, but not to the start of the program.
func TestTimeLimitOfTunedPrograms(t *testing.T) {
	for mode, want := range map[string]string{"starts slowly": "", "fits slowly": "time limit of 1s exceeded"} {
		text := strings.Replace(foreignStudy(t, mode), "]}", "], tune: {axis: [1, 0]}, by: {folds: 2}}", 1)
		s := toys.Load(t, text, "time_limit=1s")
		r := runTrial(t, s)[1]
		if r.Classifier != "mine" || r.Message != want {
			t.Errorf("%s: %+v, want the message %q", mode, r, want)
		}
		if isOutOfTime := r.Cause == records.OutOfTime; isOutOfTime != (want != "") {
			t.Errorf("%s: cause %s", mode, r.Cause)
		}
	}
}

// runTrial runs the first replicate of the first cell with a new worker, in which no program runs yet.
func runTrial(t *testing.T, s *study.Study) []records.Record {
	t.Helper()
	w := trial.NewWorker(s)
	defer w.Close()
	done, err := w.Run(t.Context(), s.Cells[0], 1, s.Cells[0].Classifiers)
	if err != nil {
		t.Fatal(err)
	}
	return done.Results
}

// copse stops on request, even while it waits for a program.
func TestStopBeforeAHandshake(t *testing.T) {
	s, dir := toys.Load(t, foreignStudy(t, "no handshake")), t.TempDir()
	drain := make(chan struct{})
	close(drain)
	if _, err := run.Run(t.Context(), drain, s, run.Options{Dir: dir}); !errors.Is(err, run.ErrDrained) {
		t.Errorf("error %v", err)
	}
}

// Twenty equal failures in a row stop only the method that failed.
func TestFailingMethodIsStopped(t *testing.T) {
	s, dir := toys.Load(t, foreignStudy(t, "always fails"), "replicates=10"), t.TempDir()
	_, err := run.Run(t.Context(), nil, s, run.Options{Dir: dir, Workers: 2})
	errtest.Contains(t, err, `copse stopped running mine: it failed 20 times in a row with "no such thing"`)
	p := run.NewPlan(toys.OpenFor(t, dir, s))
	if p.Failed < 20 || p.Failed > 22 || p.Missing != 40-p.Failed {
		t.Errorf("%d failures are kept, %d results missing, of 40", p.Failed, p.Missing)
	}
}

// loadIn writes a study into a folder and loads it.
func loadIn(t *testing.T, dir, text string, assignments ...string) *study.Study {
	t.Helper()
	file := filepath.Join(dir, "study.yaml")
	filetest.Write(t, file, text)
	s, err := study.Load(file, assignments...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A file that is listed twice, with ./ or together with its folder counts once.
func TestFilesListedTwice(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "sub", "data.txt"), "1")
	var want string
	for _, files := range []string{
		"sub/data.txt",
		"./sub/data.txt",
		"sub//data.txt, sub/",
		"sub/data.txt, sub/data.txt",
	} {
		text := strings.Replace(foreignStudy(t, "behaves"), "]}", "], files: ["+files+"]}", 1)
		s := loadIn(t, dir, text, "replicates=1")
		spec := s.Cells[0].Classifiers[1].Spec
		if want == "" {
			want = spec
		}
		if spec != want {
			t.Errorf("%s: %s, want %s", files, spec, want)
		}
		toys.RunIn(t, s, t.TempDir())
	}
}

// After a change of a file, only the rows of its method run again.
func TestChangedFileRerunsItsRows(t *testing.T) {
	folderOf, dir := t.TempDir(), t.TempDir()
	text := strings.Replace(foreignStudy(t, "behaves"), "]}", "], files: [sub/data.txt]}", 1)
	file, data := filepath.Join(folderOf, "study.yaml"), filepath.Join(folderOf, "sub", "data.txt")
	filetest.Write(t, file, text)
	_, err := study.Load(file)
	errtest.Case(t, "a missing file").Contains(err, "sub/data.txt does not exist")
	filetest.Write(t, data, "1")
	toys.RunIn(t, loadIn(t, folderOf, text), dir)
	if got := filetest.Read(t, filepath.Join(dir, "sub/data.txt")); got != "1" {
		t.Errorf("the results hold %q", got)
	}
	if p := toys.RunIn(t, loadIn(t, folderOf, text), dir); p.Missing != 0 {
		t.Errorf("%d results run again without a change", p.Missing)
	}
	filetest.Write(t, data, "2")
	p := toys.RunIn(t, loadIn(t, folderOf, text), dir)
	if p.Missing != 24 || !strings.Contains(strings.Join(p.ReasonLines(), ""), "changed classifier mine") {
		t.Errorf("%d results run again: %v", p.Missing, p.ReasonLines())
	}
	back := toys.Open(t, dir) // reads the copies of the files in dir
	if p := run.NewPlan(toys.OpenFor(t, dir, back.Study)); p.Missing != 0 {
		t.Errorf("read back, %d results are missing", p.Missing)
	}
	filetest.Write(t, filepath.Join(dir, "sub/data.txt"), "edited")
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{})
	problems := fmt.Sprint(checks)
	const cause = "records.csv differs from the journals: a program or version has changed"
	if err != nil || !strings.Contains(problems, cause) ||
		strings.Contains(problems, "another version of copse wrote it") {
		t.Errorf("after an edit of a file: %s, %v", problems, err)
	}
}

// The results folder has the program files of the study that was run last: a file that was reverted is copied
// again, and a file that was deleted is removed. A file that the user wrote or edited stops the run.
func TestKeptFilesAreTheFilesOfTheStudy(t *testing.T) {
	source, dir := t.TempDir(), t.TempDir()
	text := strings.Replace(foreignStudy(t, "behaves"), "]}", "], files: [main.txt, lib]}", 1)
	runAgain := func() (*run.Plan, error) {
		t.Helper()
		return run.Run(t.Context(), nil, loadIn(t, source, text), run.Options{Dir: dir})
	}
	check := func(step string, rows int, want string) {
		t.Helper()
		p, err := runAgain()
		if err != nil || p.Missing != rows {
			t.Fatalf("%s: %d results to run, want %d; error %v", step, p.Missing, rows, err)
		}
		got := ""
		for _, name := range []string{"main.txt", "lib/a.txt", "lib/b.txt"} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				got += " " + name + "=" + string(text)
			}
		}
		if got != want {
			t.Errorf("%s: the folder has%s, want%s", step, got, want)
		}
		verify(t, dir)
	}
	main := filepath.Join(source, "main.txt")
	a, b := filepath.Join(source, "lib", "a.txt"), filepath.Join(source, "lib", "b.txt")
	filetest.Write(t, main, "1")
	filetest.Write(t, a, "1")
	filetest.Write(t, b, "1")
	check("first", 4*24, " main.txt=1 lib/a.txt=1 lib/b.txt=1")
	filetest.Write(t, main, "2")
	check("edited", 24, " main.txt=2 lib/a.txt=1 lib/b.txt=1")
	filetest.Write(t, main, "1")
	check("reverted", 0, " main.txt=1 lib/a.txt=1 lib/b.txt=1")
	filetest.Remove(t, b)
	check("deleted", 24, " main.txt=1 lib/a.txt=1")
	filetest.Write(t, b, "1")
	check("restored", 0, " main.txt=1 lib/a.txt=1 lib/b.txt=1")
	filetest.Remove(t, b)
	check("deleted again", 0, " main.txt=1 lib/a.txt=1")
	filetest.Write(t, filepath.Join(dir, "main.txt"), "damaged")
	check("damaged", 0, " main.txt=1 lib/a.txt=1")

	filetest.Write(t, b, "1")
	check("restored again", 0, " main.txt=1 lib/a.txt=1 lib/b.txt=1")
	filetest.Remove(t, b)
	edited := filepath.Join(dir, "lib", "b.txt")
	filetest.Write(t, edited, "by the user")
	_, err := runAgain()
	errtest.Case(t, "with an edited copy of a file").Contains(err, "b.txt has no original")
	if got := filetest.Read(t, edited); got != "by the user" {
		t.Errorf("the refused run left %q", got)
	}
	filetest.Remove(t, edited)

	notes := filepath.Join(dir, "lib", "notes.txt")
	filetest.Write(t, notes, "by the user")
	filetest.Write(t, main, "3")
	_, err = runAgain()
	errtest.Case(t, "with a file of the user").Contains(err, "notes.txt has no original")
	if got := filetest.Read(t, notes) + filetest.Read(t, filepath.Join(dir, "main.txt")); got != "by the user1" {
		t.Errorf("the refused run left %q", got)
	}
}

// A program may be edited while it runs: the results folder keeps the files that ran.
func TestFilesEditedDuringTheRun(t *testing.T) {
	source, dir := t.TempDir(), t.TempDir()
	text := strings.Replace(foreignStudy(t, "behaves"), "]}", "], files: [lib]}", 1)
	a, b := filepath.Join(source, "lib", "a.txt"), filepath.Join(source, "lib", "b.txt")
	filetest.Write(t, a, "1")
	filetest.Write(t, b, "1")
	s := loadIn(t, source, text)
	toys.RunIn(t, s, dir)
	filetest.Remove(t, b)
	filetest.Write(t, a, "2")
	if err := toys.Collect(dir, s); err != nil { // as at the end of the run
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		if got := filetest.Read(t, filepath.Join(dir, "lib", name)); got != "1" {
			t.Errorf("%s has %q, want the version that ran", name, got)
		}
	}
}

// If a program's file changes before copse starts the program again, the run stops. The remaining
// results are missing and not failed.
func TestFilesEditedBeforeAStart(t *testing.T) {
	source, dir := t.TempDir(), t.TempDir()
	text := strings.Replace(foreignStudy(t, "edits its file and ends"), "]}", "], files: [lib]}", 1)
	edited := filepath.Join(source, "lib", "a.txt")
	filetest.Write(t, edited, "1")
	filetest.Write(t, filepath.Join(source, "lib", "b.txt"), "1")
	s := loadIn(t, source, text)
	t.Setenv("FOREIGN_MARK", edited)
	_, err := run.Run(t.Context(), nil, s, run.Options{Dir: dir, Workers: 1})
	want := "mine: " + edited + " changed after copse read the study; run the same command again"
	errtest.Contains(t, err, want)
	if p := run.NewPlan(toys.OpenFor(t, dir, s)); p.Failed != 1 || p.Done != 4 {
		t.Errorf("%d of %d stored results failed, want 1 of 4", p.Failed, p.Done)
	}
}

// generatorStudy is the toy study with another generator and without an oracle.
func generatorStudy(generator string) string {
	return strings.NewReplacer("{name: toy, d: 3}", generator, ", oracle", "").Replace(toys.Study)
}

func needShell(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: no /bin/sh here")
	}
}

// A generator that is one shell command draws data for built-in classifiers.
func TestExternalCSVGenerator(t *testing.T) {
	needShell(t)
	script := `awk -v p="$1" -v s="$2" -v k="$3" 'BEGIN { srand(s); split(k, n, ","); print "a,b,class"; ` +
		`for (c = 0; c < 2; c++) for (i = 0; i < n[c+1]; i++) print rand() + c "," rand() * p % 7 "," c }' > "$4"`
	dir := t.TempDir()
	spare := filepath.Join(dir, "lib", "spare.sh")
	filetest.Write(t, spare, "")
	filetest.Write(t, filepath.Join(dir, "draw.sh"), script)
	text := generatorStudy(`{name: external-csv, command: [sh, draw.sh, "{problem}", "{seed}", "{counts}", "{out}"], ` +
		"files: [draw.sh, lib]}")
	s := loadIn(t, dir, text)
	var all []string
	for _, workers := range []int{1, 3} {
		out := t.TempDir()
		toys.Run(t, s, run.Options{Dir: out, Workers: workers})
		all = append(all, filetest.Read(t, filepath.Join(out, folder.Records)))
		verify(t, out)
	}
	if all[0] != all[1] || strings.Contains(all[0], "failed") {
		t.Errorf("records differ or failed:\n%s\n%s", all[0], all[1])
	}

	// The next run removes the copy of a file that was deleted. Sessions have no handshake of this generator.
	out := t.TempDir()
	toys.RunIn(t, s, out)
	if err := os.Rename(spare, filepath.Join(dir, "lib", "other.sh")); err != nil {
		t.Fatal(err)
	}
	toys.RunIn(t, loadIn(t, dir, text), out)
	if _, err := os.Stat(filepath.Join(out, "lib", "spare.sh")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of a deleted file: %v", err)
	}
}

// A run stops before its first trial if a program rejects the data or if a command does not exist.
func TestUnsuitableProgramsAreFoundFirst(t *testing.T) {
	missing := strings.Replace(foreignStudy(t, "takes little"), ", oracle]", "]", 1)
	missing = strings.Replace(missing, "  test: {n: 60}\n", "  test: {n: 60}\n  missing: {mcar: 0.3}\n", 1)
	csv := generatorStudy(`{name: external-csv, command: [no-such-program, "{seed}{counts}{out}"]}`)
	for text, want := range map[string]string{
		missing: "study.yaml: classifiers.mine: " +
			"the program takes no missing values, and the key `missing` removes values from the training rows; " +
			"add `impute: mean` (or `median` or `knn`); or limit the program to other cells with `only` (",
		csv: "there is no executable no-such-program",
	} {
		s, dir := toys.Load(t, text), t.TempDir()
		_, err := run.Run(t.Context(), nil, s, run.Options{Dir: dir})
		errtest.Contains(t, err, want)
		if run.NewPlan(toys.OpenFor(t, dir, s)).Done > 0 {
			t.Error("something ran")
		}
	}
	s := toys.Load(t, strings.Replace(missing, `"takes little"]}`, `"takes little"], impute: mean}`, 1), "replicates=1")
	toys.RunIn(t, s, t.TempDir())
}

// The time limit applies to the requests to a generator, but not to its start.
func TestTimeLimitOfGenerators(t *testing.T) {
	needShell(t)
	const script = `sleep $0
echo "$COPSE_TOKEN" '{"protocol": "external/1", "kind": "generator", "name": "slow", "version": "1"}'
read -r request; sleep $1; id=${request#*\"id\":}
echo "$COPSE_TOKEN" "{\"id\": ${id%%,*}, \"ok\": false, \"error\": \"no problem\"}"; read -r end`
	for seconds, want := range map[string]string{
		`"1.5", "0"`: "data: no problem",
		`"0", "60"`:  "data: time limit of 1s exceeded by the generator",
	} {
		text := generatorStudy(fmt.Sprintf("{name: external, command: [sh, -c, %q, %s]}", script, seconds))
		s := toys.Load(t, text, "time_limit=1s")
		for _, r := range runTrial(t, s) {
			if r.Cause != records.NotDrawn || r.Message != want {
				t.Errorf("sleeps %s: %+v, want the message %q", seconds, r, want)
			}
		}
	}
}

// Programs are told to drop every problem that they drew, also if drawing the sample failed.
func TestProblemsAreForgotten(t *testing.T) {
	needShell(t)
	dir := t.TempDir()
	script := `say() { echo "$COPSE_TOKEN $1"; }
say '{"protocol": "external/1", "kind": "generator", "name": "fails", "version": "1"}'
while read -r request; do
  id=${request#*:}; id=${id%%,*}
  case $request in
  *'"op":"new"'*) echo "$id" >> "$FOREIGN_MARK.drawn"; say "{\"id\": $id, \"ok\": true, \"handle\": \"$id\"}";;
  *'"op":"drop"'*)
    handle=${request#*\"handle\":\"}; echo "${handle%%\"*}" >> "$FOREIGN_MARK.dropped"
    say "{\"id\": $id, \"ok\": true}";;
  *) say "{\"id\": $id, \"ok\": false, \"error\": \"no sample\"}";;
  esac
done`
	filetest.Write(t, filepath.Join(dir, "draw.sh"), script)
	text := generatorStudy("{name: external, command: [sh, draw.sh], files: [draw.sh]}")
	s := loadIn(t, dir, text, "replicates=2")
	mark := filepath.Join(dir, "mark")
	t.Setenv("FOREIGN_MARK", mark)
	toys.Run(t, s, run.Options{Dir: filepath.Join(dir, "results"), Workers: 1})
	drawn, dropped := filetest.Read(t, mark+".drawn"), filetest.Read(t, mark+".dropped")
	if n := strings.Count(drawn, "\n"); n != 8 || drawn != dropped {
		t.Errorf("%d problems drawn:\n%s\nforgotten:\n%s", n, drawn, dropped)
	}
}
