//go:build unix

package external

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

// Whatever a method does, it causes one clear error. The next request starts a new process, and no process or
// file remains.
func TestHostileMethods(t *testing.T) {
	if testing.Short() && !underRace {
		t.Skip("SKIPPED in short runs without the race detector: waits for limits")
	}
	const none, short = 0, 500 * time.Millisecond
	acts := []struct {
		act    string
		limit  time.Duration
		memory int64
		want   string // in the error; "": none
	}{
		{"well behaved", none, 0, ""},
		{"prints garbage", none, 0, ""},
		{"refuses", none, 0, "the matrix is singular"},
		{"crashes", none, 0, "ended before it answered (exit status 7); it printed: about to fall"},
		{"kills itself", none, 0, "ended before it answered (signal: killed)"},
		{"ends quietly", none, 0, "ended before it answered (exit status 0)"},
		{"hangs", short, 0, "deadline exceeded; it printed: about to hang"},
		{"ignores SIGTERM", short, 0, "deadline exceeded"},
		{"hangs in a child", short, 0, "deadline exceeded"},
		{"ends after its answer", none, 0, ""},
		{"ends after the next request", none, 0, ""},
		{"leaves a child", none, 0, "ended before it answered (exit status 1)"},
		{"answers garbage", none, 0, `sent the reply "{\"id\": REQUEST, \"ok\": tru"`},
		{"answers another request", none, 0, "replied to another request"},
		{"too few labels", none, 0, "labels: the labels have shape [14], but there are 15 rows"},
		{"a label too large", none, 0, "labels: row 4: label 2 is not one of the class codes 0..1"},
		{"a negative label", none, 0, "labels: row 1: label -1 is not"},
		{"no labels", none, 0, "answered without labels"},
		{"no file", none, 0, "labels: the program did not write the file nothing.npy"},
		{"a file elsewhere", none, 0, "labels: the program did not write the file passwd"},
		{"the parent folder", none, 0, "labels: FOLDER is not a regular file"},
		{"the folder", none, 0, "labels: FOLDER is not a regular file"},
		{"labels as numbers", none, 0, "labels must be int32 class codes"},
		{"NaN probability", none, 0, "probabilities: row 5: a value is NaN: [NaN"},
		{"shares of 0.9", none, 0, "row 5: "},
		{"percents", none, 0, "row 5: [30 30]; probabilities must be between 0 and 1"},
		{"another class likelier", none, 0, "row 5 has label"},
		{"NaN score", none, 0, "scores: row 2: a value is NaN: [0 NaN]"},
		{"negative seconds", none, 0, "fit_s: -1 is not a valid number of seconds"},
		{"1e308 seconds", none, 0, "predict_s: 1e+308 is not a valid number of seconds"},
		{"NaN seconds", none, 0, `sent the reply "{\"id\": REQUEST, \"ok\": true, \"fit_s\": NaN}"`},
		{"writes where the first answers were", none, 0, "labels: the program did not write the file labels.npy"},
		{"answers the next requests, too", none, 0, "replied to another request"},
		{"answers twice", none, 0, ""},
		{"labels in a FIFO", none, 0, "labels: labels.npy is not a regular file"},
		{"a link to labels", none, 0, "labels: labels.npy is not a regular file"},
		{"a device of labels", none, 0, "labels: labels.npy is not a regular file"},
		{"a folder of labels", none, 0, "labels: labels.npy is not a regular file"},
		{"40 GB of labels", none, 0, "labels: the array has 42949672832 bytes of values, but its shape [15] needs 60"},
		{"40 GB of scores", none, 0, "scores: the matrix has shape [15 360000000], not 15 x 2"},
		{"50 MB of warnings", none, 0, ""},
		{"50 MB of log", none, 0, ""},
		{"warns in red", none, 0, ""},
		{"an error of 1 MB", none, 0, "e... and 983040 more bytes"},
		{"a reply without end", none, 0, "sent a reply of more than 67108864 bytes"},
		{"tells its secrets", none, 0, "failed in FOLDER FOLDER at REQUEST with TOKEN"},
		{"hoards memory", none, 300e6, "memory limit of 300 MB exceeded; it printed: "},
		{"hoards memory in two children", none, 300e6, "memory limit of 300 MB exceeded"},
	}
	t.Logf("| acts of programs | %d | one error or answer, and the next fit is answered: %d |", len(acts), len(acts))
	for _, c := range acts {
		t.Run(c.act, func(t *testing.T) {
			if underRace && c.act == "hoards memory in two children" {
				t.Skip("NOT TESTED under the race detector: its children inherit a limit of address space in which " +
					"they cannot start")
			}
			dir := t.TempDir()
			t.Setenv("HOSTILE_DIR", dir)
			t.Setenv("TMPDIR", dir)
			host := NewHost(".")
			program := actor(c.act)
			program.Memory = c.memory
			train, test := twoSets()
			for n := 1; n <= 3; n++ { // the second misbehaves
				limit := time.Duration(none)
				if n == 2 {
					limit = c.limit
				}
				ctx, cancel := WithTimeLimit(t.Context(), limit)
				answer, err := host.FitPredict(ctx, program, train, test, 1)
				cancel()
				switch {
				case n == 2 && c.want != "":
					if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir) ||
						strings.ContainsAny(err.Error(), "\n\x00") {
						t.Fatalf("error %v; want %q", err, c.want)
					}
					continue
				case err != nil:
					t.Fatalf("request %d: %v", n, err)
				case !slices.Equal(answer.Labels, test.Y) || answer.Fit != 0.25 || answer.Predict != 0.5:
					t.Fatalf("request %d: %+v", n, answer)
				case len(strings.Join(answer.Warnings, "")) > longestText+100:
					t.Fatalf("request %d: %d warnings", n, len(answer.Warnings))
				case n == 2 && c.act == "warns in red" && !slices.Equal(answer.Warnings, []string{"?[31mtwo lines"}):
					t.Fatalf("warnings %q", answer.Warnings)
				}
			}
			host.Close()
			if left, _ := filepath.Glob(filepath.Join(dir, privatePrefix+"*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			ends(t, filepath.Join(dir, "pid"))
		})
	}
}

// ends waits for the end of the process whose number is in a file, if the file exists.
func ends(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	patience := time.Now().Add(10 * time.Second)
	state := stateOf(pid)
	for ; alive(state) && time.Now().Before(patience); state = stateOf(pid) {
		time.Sleep(10 * time.Millisecond) // a signal takes its time
	}
	if alive(state) {
		t.Errorf("%s: the process %d lives on (%s)", filepath.Base(file), pid, state)
	}
}

// After copse was killed, or interrupted while it ended, no process of its programs remains, not even one
// that has left the process group.
func TestNothingSurvivesCopse(t *testing.T) {
	for name, end := range map[string]os.Signal{"killed": syscall.SIGKILL, "hung up": syscall.SIGHUP,
		"terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("HOSTILE_DIR", dir)
			t.Setenv("TMPDIR", dir)
			copse := exec.Command(os.Args[0], "copse", "starts three processes")
			must(copse.Start())
			begun := filepath.Join(dir, "self")
			for patience := time.Now().Add(time.Minute); !exists(begun) && time.Now().Before(patience); {
				time.Sleep(10 * time.Millisecond)
			}
			if !exists(begun) {
				t.Fatal("the program did not start")
			}
			must(copse.Process.Signal(end))
			_ = copse.Wait()
			threeEnd(t, dir)
		})
	}
}

// No process remains either if a program ends by itself.
func TestNothingSurvivesAProgram(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOSTILE_DIR", dir)
	host := NewHost(".")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !exists(filepath.Join(dir, "self")) {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := host.Handshake(ctx, actor("starts three processes"), Wait{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	host.Close()
	threeEnd(t, dir)
}

func threeEnd(t *testing.T, dir string) {
	t.Helper()
	ends(t, filepath.Join(dir, "self"))
	ends(t, filepath.Join(dir, "child"))
	if runtime.GOOS == "linux" {
		ends(t, filepath.Join(dir, "session"))
	}
}

// stateOf returns the state of a process according to ps: "" if it does not exist, or Z if it has ended and
// its parent has not yet read its status.
func stateOf(pid int) string {
	text, _ := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return strings.TrimSpace(string(text))
}

func alive(state string) bool { return state != "" && state[0] != 'Z' }

func TestHostileStarts(t *testing.T) {
	for act, want := range map[string]string{
		"silent at the start": "ended before it answered (exit status 0): the program must answer " +
			"requests until its input ends; `copse new` writes a template that does",
		"no package": `a package is missing; install it with: Rscript -e 'install.packages("ranger")'`,
		"no package of Julia": "a package is missing; install it with: " +
			`julia -e 'using Pkg; Pkg.add("Distances")'`,
		"another protocol": `uses the protocol "external/9"`,
		"another kind":     `is a "generator" according to its handshake, but the study needs a classifier`,
		"no handshake":     `sent "hello", which is not a valid handshake`,

		"a handshake of 100 KB":           "sent a handshake of 10",
		"prints without end at the start": "printed more than 67108864 bytes before its handshake",
	} {
		t.Run(act, func(t *testing.T) {
			_, err := fit(t.Context(), newHost(t, "."), actor(act))
			errtest.Contains(t, err, want)
		})
	}
	host := newHost(t, ".")
	program := actor("well behaved")
	program.Version = "2"
	_, err := host.Handshake(t.Context(), program, Wait{})
	errtest.Case(t, "another version").Contains(err,
		`version "1" according to its handshake, but the study declares version "2"`)
	missing := &Program{Kind: Classifier, Command: []string{"no-such-interpreter"}}
	_, err = host.Handshake(t.Context(), missing, Wait{})
	errtest.Case(t, "no interpreter").Contains(err, "there is no executable no-such-interpreter")
}

// The error for a program without a handshake names the probable reason. A program that prints its own error
// is not killed before.
func TestSilentStarts(t *testing.T) {
	limit, patience := startLimit, closeGrace
	t.Cleanup(func() { startLimit, closeGrace = limit, patience })
	startLimit, closeGrace = 100*time.Millisecond, 10*time.Second
	for script, want := range map[string]string{
		`read -r line; echo "$COPSE_TOKEN {}"`:            "flush the standard output after each line",
		`echo '{"protocol": "external/1"}'; read -r line`: "must begin with the value of COPSE_TOKEN",
		`echo asking; read -r line`: "send the handshake before reading, as the " +
			"templates of `copse new` do; it printed: asking",
		`exec 0<&-; trap 'exit' TERM; while :; do sleep 0.01; done`: "the program is waiting for something else",
	} {
		if strings.Contains(script, "TERM") {
			closeGrace = 100 * time.Millisecond
		}
		host := NewHost(".")
		program := &Program{Kind: Classifier, Command: []string{"/bin/sh", "-c", script}}
		_, err := host.Handshake(t.Context(), program, Wait{})
		errtest.Case(t, script).HasPrefix(err, "sent no handshake within 100ms: ")
		errtest.Case(t, script).Contains(err, want)
		closeGrace = 10 * time.Second
		host.Close()
	}
}

// A long wait for the handshake is reported once.
func TestLongWaitIsReported(t *testing.T) {
	patience := startPatience
	t.Cleanup(func() { startPatience = patience })
	startPatience = 0
	told := filepath.Join(t.TempDir(), "told")
	t.Setenv("HOSTILE_TOLD", told)
	script := `while ! test -e "$HOSTILE_TOLD"; do sleep 0.01; done
echo "$COPSE_TOKEN" '{"protocol": "external/1", "kind": "classifier", "name": "slow", "version": "1"}'
read -r line`
	program := &Program{Kind: Classifier, Command: []string{"/bin/sh", "-c", script}}
	var texts []string
	_, err := newHost(t, ".").Handshake(t.Context(), program, Wait{Notify: func(text string) {
		texts = append(texts, text)
		filetest.Write(t, told, "")
	}})
	if want := []string{"has not sent its handshake after 0s; copse waits up to 2m0s"}; err != nil ||
		!slices.Equal(texts, want) {
		t.Errorf("reported %q, error %v; want %q", texts, err, want)
	}
}

// A cancelled run stops its methods at once.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	host, program := newHost(t, "."), actor("hangs")
	if _, err := fit(ctx, host, program); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := fit(ctx, host, program); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A generator that hangs while it drops a problem does not block copse. The next problem starts a new
// process.
func TestDropHangs(t *testing.T) {
	before := dropGrace
	t.Cleanup(func() { dropGrace = before })
	dropGrace = 100 * time.Millisecond
	program := &Program{Kind: Generator, Command: []string{"/bin/sh", "-c", `
echo "$COPSE_TOKEN" '{"protocol": "external/1", "kind": "generator", "name": "hangs", "version": "1"}'
read -r request; id=${request#*\"id\":}; echo "$COPSE_TOKEN" "{\"id\": ${id%%,*}, \"ok\": true, \"handle\": \"h\"}"
read -r request; sleep 3600`}}
	host := newHost(t, ".")
	for range 2 {
		problem, err := host.NewProblem(t.Context(), program, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := problem.Drop(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	}
}

// The peak memory is measured for each request separately.
func TestPeakMemory(t *testing.T) {
	if underRace {
		t.Skip("NOT TESTED under the race detector, which holds three times as much")
	}
	host, program := newHost(t, "."), actor("slow and large")
	var peaks []int64
	for range 2 {
		answer, err := fit(t.Context(), host, program)
		if err != nil {
			t.Fatal(err)
		}
		peaks = append(peaks, answer.Peak)
	}
	if peaks[1] < 200<<20 || peaks[1] > 400<<20 || peaks[0] > 150<<20 {
		t.Errorf("peaks of %v bytes where the second request holds 200 MiB", peaks)
	}
}

// The next process removes folders that a killed copse left. Folders in use stay.
func TestAbandonedFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	used, err := newPrivateFolder()
	must(err)
	left, err := newPrivateFolder()
	must(err)
	must(left.lock.Unlock()) // as if the process had been killed
	prefix := filepath.Join(dir, privatePrefix)
	early, making, other := prefix+"1", prefix+"2", prefix+"3"
	for _, path := range []string{early, making, other} {
		must(os.Mkdir(path, 0o700))
	}
	filetest.Write(t, filepath.Join(other, "notes"), "") // no folder of copse
	old := time.Now().Add(-time.Hour)
	for _, path := range []string{
		filepath.Join(used.path, privateLock), filepath.Join(left.path, privateLock), early, other,
	} {
		must(os.Chtimes(path, old, old))
	}
	next, err := newPrivateFolder()
	must(err)
	for path, want := range map[string]bool{used.path: true, left.path: false, next.path: true, early: false,
		making: true, other: true} {
		if exists(path) != want {
			t.Errorf("%s: there %v, want %v", path, !want, want)
		}
	}
	used.remove()
	next.remove()
	must(errors.Join(os.Remove(making), os.RemoveAll(other)))
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// If the missing module is a file or folder of the user, the program only lacks an entry in files.
func TestForgottenFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"top.py": "", "sub/lib/help.py": "", "listed.py": "",
		"sub/m.sh": "echo \"No module named '$1'\"; exit 1\n",
	} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	for module, want := range map[string]string{
		"top":    "so add top.py to `files`",
		"lib":    "so add sub/lib to `files`",
		"listed": "python3 -m pip install listed",
		"numpy":  "python3 -m pip install numpy",

		"sklearn":        "python3 -m pip install scikit-learn",
		"sklearn.absent": "(exit status 1); it printed", // sklearn itself is there
	} {
		program := &Program{Command: []string{"/bin/sh", "sub/m.sh", module}, Files: []string{"sub/m.sh", "listed.py"}}
		must(program.Read(dir))
		_, err := newHost(t, dir).Handshake(t.Context(), program, Wait{})
		errtest.Case(t, module).Contains(err, want)
	}
}
