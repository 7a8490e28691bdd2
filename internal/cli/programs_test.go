package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"copse/experiments/external"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/texttest"
)

// Only run, repro, verify --sample and try start programs of a study.
func TestNothingStartsWithoutRequest(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: no /bin/sh here")
	}
	mark := filepath.Join(t.TempDir(), "started")
	entry := fmt.Sprintf("[{id: mine, classifier: external, command: [/bin/sh, -c, %q]}, 5nn,",
		"touch "+mark+"; echo fallen >&2; exit 1")
	file, dir := writeStudy(t, strings.Replace(smallStudy, "[5nn,", entry, 1)), filepath.Join(t.TempDir(), "r")
	started := func() bool { _, err := os.Stat(mark); return err == nil }
	attempt(t, "check", file, "--out", dir).prints(
		"32 results: new cell", "programs: found /bin/sh and all listed files, but started no program; "+
			"run `copse try "+filepath.ToSlash(file)+"` to start them")
	// Results of the other classifiers, stored with the study that names the program.
	plain := writeStudy(t, smallStudy)
	succeed(t, "run", plain, "--out", dir)
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "study.yaml"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status", dir}, {"report", dir}, {"verify", dir}, {"list", "classifiers"},
		{"export", dir, "--out", filepath.Join(t.TempDir(), "x.parquet")}, {"submit", "slurm", file, "--tasks", "2",
			"--print"}} {
		copse(args...)
		if started() {
			t.Fatalf("copse %s started the program", strings.Join(args, " "))
		}
	}
	code, _, errOut := copse("run", file, "--out", dir)
	if code != 1 || !started() ||
		!strings.Contains(errOut, "ended before it answered (exit status 1); it printed: fallen") {
		t.Errorf("run: exit %d, started %v\n%s", code, started(), errOut)
	}
}

// check names the path of a file that the command gives without its folder, once for all parameters of the program.
// try reports the same error of all its parameters once.
func TestCheckRemarksOnMisplacedFile(t *testing.T) {
	const remark = "remark: in the key `command`, replace \"m.py\" with the path \"code/m.py\"\n"
	for command, want := range map[string]int{"[/bin/sh, m.py]": 1, "[/bin/sh, code/m.py]": 0,
		"[/bin/sh, -c, other.py]": 0} {
		entry := "[{id: mine, classifier: external, command: " + command + ", files: [code], params: {k: $n}}, 5nn,"
		file := writeStudy(t, strings.Replace(smallStudy, "[5nn,", entry, 1))
		code := filepath.Join(filepath.Dir(file), "code")
		err := errors.Join(os.Mkdir(code, 0o777), os.WriteFile(filepath.Join(code, "m.py"), nil, 0o666))
		if err != nil {
			t.Fatal(err)
		}
		if _, out, errOut := copse("check", file, "--pilot", "0s"); strings.Count(out, remark) != want ||
			!strings.Contains(out, "programs: found /bin/sh") {
			t.Errorf("%s:\n%s%s", command, out, errOut)
		}
		const ended = "ended before it answered"
		if _, out, errOut := copse("try", file, "--run-commands"); strings.Count(errOut, ended) != 1 {
			t.Errorf("try %s:\n%s%s", command, out, errOut)
		}
	}
}

// receivedFolder returns a results folder with its own program, made by another user. The program leaves a
// mark when it starts.
func receivedFolder(t *testing.T) (dir string, started func() bool) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: no /bin/sh here")
	}
	mark := filepath.Join(t.TempDir(), "started")
	script := "touch " + mark + "; exec env " + actAsCopse + "=1 " + os.Args[0] + " method"
	entry := fmt.Sprintf("[{id: mine, classifier: external, command: [/bin/sh, -c, %q]}, 5nn,", script)
	file := writeStudy(t, strings.Replace(smallStudy, "[5nn,", entry, 1))
	dir = filepath.Join(t.TempDir(), "received")
	finish(t, 0, "", "run", file, "--out", dir) // in a process of its own: this one has run nothing
	filetest.Remove(t, mark)
	t.Setenv("COPSE_COMMANDS", filepath.Join(t.TempDir(), "commands"))
	return dir, func() bool { _, err := os.Stat(mark); return err == nil }
}

// A command that several sessions of a study share is listed once, but with each of its settings.
func TestConsentListsACommandOnce(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"study.yaml", "manifest.json"} {
		filetest.Write(t, filepath.Join(dir, name), "")
	}
	command := []string{"never", "run"}
	programs := []*external.Program{{Command: command}, {Command: command},
		{Command: command, Params: map[string]any{"k": 3}}, {Command: []string{"other"}}}
	programs = append(programs, &external.Program{Command: command, Tuned: map[string]any{"k": []any{1, "2"}}})
	err := requireConsent(programs, dir, false)
	errtest.Contains(t, err, "\n  never run\n  never run params={\"k\":3}\n  other\n"+
		"  never run tune={\"k\":[1,\"2\"]}\n")
}

// No verb starts the command of a received folder without permission. Each verb that would start it lists it.
func TestReceivedCommandsNeedConsent(t *testing.T) {
	dir, started := receivedFolder(t)
	study := filepath.Join(dir, "study.yaml")
	starting := [][]string{
		{"verify", dir}, {"repro", dir, "c/1"}, {"run", study, "--out", dir}, {"run", study, "--replicates", "5",
			"--out", t.TempDir()},
		{"calibrate", study}, {"submit", "slurm", study, "--tasks", "2", "--out", t.TempDir()}, {"try", study},
	}
	mayStart := map[string]bool{"paper": true} // by verb; paper needs copse's repository
	for _, args := range starting {
		mayStart[args[0]] = true
		code, out, errOut := copse(args...)
		if started() {
			t.Fatalf("copse %v started the command", args)
		}
		if code != exitUsage || !strings.Contains(errOut, "--run-commands") ||
			!strings.Contains(errOut, "/bin/sh -c touch") {
			t.Errorf("copse %v: exit %d, %s%s", args, code, out, errOut)
		}
	}
	for _, args := range [][]string{
		{"verify", dir, "--sample", "0"},
		{"index", dir, "--out", filepath.Join(t.TempDir(), "index.html")},
		{"check", study, "--pilot", "1s", "--replicates", "5"}, {"status", dir},
		{"report", dir},
		{"plot", dir, "box", "--out", t.TempDir()}, {"export", dir}, {"pack", dir, "--out", filepath.Join(t.TempDir(),
			"x.zip")}, {"protocol", dir},
		{"explain"}, {"list", "studies"}, {"data", "list"}, {"new", "study", filepath.Join(t.TempDir(), "new.yaml")},
		{"classify", "--classifier", "nb", "--train", "x", "--test", "x"},
		{"generate", "--generator", "forest", "--train", "5,5", "--test", "5,5", "--out", t.TempDir()},
	} {
		if verb := args[0]; !mayStart[verb] { // with other flags, verify may start commands
			mayStart[verb] = false
		}
		if copse(args...); started() {
			t.Fatalf("copse %v started the command", args)
		}
	}
	for _, verb := range newRoot().Commands() {
		name := verb.Name()
		if _, tested := mayStart[name]; !tested && !verb.Hidden && name != "help" && name != "completion" {
			t.Errorf("no command line of this test starts with %q: add one to a list in this test", name)
		}
	}
	checkSecurityPage(t, mayStart)
	if code, out, errOut := copse("verify", dir, "--run-commands"); !started() {
		t.Errorf("verify --run-commands: exit %d, not started\n%s%s", code, out, errOut)
	}
	if code, out, errOut := copse("verify", dir); code == exitUsage {
		t.Errorf("verify after that: exit %d\n%s%s", code, out, errOut)
	}
}

// checkSecurityPage checks that SECURITY.md names every verb, and states correctly which verbs start commands.
func checkSecurityPage(t *testing.T, mayStart map[string]bool) {
	t.Helper()
	page := strings.Join(strings.Fields(filetest.Read(t, filepath.Join("..", "..", "SECURITY.md"))), " ")
	_, harmless, _ := strings.Cut(page, "starts nothing. ")
	harmless, _, _ = strings.Cut(harmless, " never start a command.")
	for verb, starts := range mayStart {
		isNamed := strings.Contains(page, "`"+verb+"`") || strings.Contains(page, "`copse "+verb+"`")
		if isHarmless := strings.Contains(harmless, "`"+verb+"`"); !isNamed || isHarmless == starts {
			t.Errorf("SECURITY.md names %s: %t, as a verb that never starts a command: %t; it may start one: %t",
				verb, isNamed, isHarmless, starts)
		}
	}
}

// check and run report the same mistakes in a command, at the same place and with the same exit code.
func TestCheckFindsWhatIsMissing(t *testing.T) {
	for entry, want := range map[string]string{
		`command: [no-such-interpreter, m.R]`: "there is no executable no-such-interpreter; install it",
		`command: [./m.sh]`:                   "neither listed in `files` nor an absolute path nor an executable",
		`command: [sh, m.R], files: [m.R]`:    "m.R does not exist in",
		`command: [sh], files: [../m.R]`:      "is not in the folder of the study",
		`command: [sh], files: [tables/m.R]`:  "cannot be copied to the results folder",
		`command: [sh m.sh]`:                  `command: "sh m.sh" is one item of the list; make each word an item`,
		`command: sh ./m.sh`:                  "want a list such as `[sh, ./m.sh]`",
		`command: []`:                         "want the program and its arguments",
		`files: [m.R]`:                        "command: missing",
		`command: [sh], memory: lots`:         "is not an amount of memory",
		`command: [sh], params: 3`:            "want a mapping",
		`command: [sh], params: {a: .inf}`:    "want a finite number",
		`command: [sh], parms: {a: 1}`:        `did you mean "params"?`,
		`command: [sh], threads: 0`:           "outside [1,4096]",
	} {
		file := writeStudy(t, strings.Replace(smallStudy, "[5nn,",
			"[{id: mine, classifier: external, "+entry+"}, 5nn,", 1))
		check := attempt(t, "check", file, "--pilot", "0s")
		check.fails(exitUsage, want)
		attempt(t, "run", file, "--out", t.TempDir()).fails(exitUsage, check.errOut)
	}
	file := writeStudy(t, strings.Replace(smallStudy, "[5nn,",
		"[5nn, {id: mine, classifier: external, command: [no-such-interpreter]},", 1))
	if _, _, errOut := copse("check", file); !strings.Contains(errOut,
		"study.yaml:10:62: classifiers.mine.command: ") {
		t.Errorf("the place of the missing program: %s", errOut)
	}
	file = writeStudy(t, strings.Replace(smallStudy, "replicates: 4", "replicates: 4\nmemory_limit: 1GB", 1))
	attempt(t, "check", file).fails(exitUsage, "this study has none")
}

// The templates of copse new work without changes.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	study := filepath.Join(dir, "mine.yaml")
	succeed(t, "new", "study", study)
	attempt(t, "check", study, "--pilot", "0s", "--details").prints("study mine: 4 cells x 20 replicates",
		"train=[75 25];test=[750 250]") // test rows have the class shares of the training rows
	for _, kind := range []string{"method", "generator"} {
		for language, extension := range map[string]string{"r": ".R", "python": ".py", "julia": ".jl"} {
			file := filepath.Join(dir, kind+"-of-mine"+extension)
			succeed(t, "new", kind, language, file)
			texttest.Case(t, file).Contains(filetest.Read(t, file), "files: ["+filepath.Base(file)+"]")
			attempt(t, "new", kind, language, file).fails(exitUsage, "never replaces a file")
		}
	}
	attempt(t, "new", "method", "cobol", filepath.Join(dir, "x")).fails(exitUsage, "r, python, julia")
}

// try prints the result of each law. If a program breaks one, the exit code is 1.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	script := fmt.Sprintf("#!/bin/sh\nexec env %s=1 %q method\n", actAsCopse, os.Args[0])
	if err := os.WriteFile(good, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	attempt(t, "try", good).prints("passed   fresh process, same labels", ", 0 failed")
	attempt(t, "try", filepath.Join(dir, "none.R")).fails(exitUsage, "none.R does not exist in")
}

// try uses as many classes for a generator as its study.
func TestClassesOfTriedGenerators(t *testing.T) {
	file := writeStudy(t, "study: s\nseed: 1\nreplicates: 1\ndata:\n  generator: {name: external, command: [sh], "+
		"classes: 5}\n  train: {n: 20}\n  test: {n: 20}\nclassifiers: [nb]\n")
	o := tryOptions{classes: 2}
	if list, err := o.candidates(file); err != nil || len(list) != 1 || list[0].classes != 5 {
		t.Errorf("%+v %v", list, err)
	}
}

// submit copies the files of programs.
func TestSubmittedFilesTravel(t *testing.T) {
	text := strings.Replace(smallStudy, "[5nn,",
		"[{id: mine, classifier: external, command: [sh, sub/m.sh], files: [sub]}, 5nn,", 1)
	file, dir := writeStudy(t, text), filepath.Join(t.TempDir(), "r")
	sub := filepath.Join(filepath.Dir(file), "sub")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(sub, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("m.sh", "exit 1\n", 0o755)
	write("data", "\x00\xff", 0o644)
	bin := t.TempDir() // an sbatch that takes every job
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\necho 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for round := 1; round <= 2; round++ { // what was submitted first stays as it was
		succeed(t, "submit", "slurm", file, "--out", dir, "--tasks", "2")
		copies, _ := filepath.Glob(filepath.Join(dir, "submit", "*", "sub", "m.sh"))
		studies, _ := filepath.Glob(filepath.Join(dir, "submit", "*", "study.yaml"))
		if len(copies) != round || len(studies) != round {
			t.Errorf("round %d: copies %v and %v", round, copies, studies)
		}
		if info, err := os.Stat(copies[0]); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s cannot be executed", copies[0])
		}
		write("m.sh", "exit 2\n", 0o755)
	}
}

// The page describes a program and its environment.
func TestPageDescribesPrograms(t *testing.T) {
	file, dir := writeStudy(t, withMethod(smallStudy)), filepath.Join(t.TempDir(), "r")
	filetest.Write(t, filepath.Join(filepath.Dir(file), "notes.txt"), "n")
	finish(t, 0, "", "run", file, "--out", dir)
	page := filetest.Read(t, filepath.Join(dir, "report.html"))
	texttest.Contains(t, page, os.Args[0]+" method", "notes.txt", "SHA-256", runtime.Version())
	finish(t, 0, "recomputed: ok", "verify", dir, "--sample", "2")
}

// A program with changed packages is refused; --accept-change adds its results, and status, verify and the
// page state the change once.
func TestChangedPrograms(t *testing.T) {
	file, dir := writeStudy(t, withMethod(smallStudy)), filepath.Join(t.TempDir(), "r")
	filetest.Write(t, filepath.Join(filepath.Dir(file), "notes.txt"), "n")
	ran := func(version, replicates string, more ...string) (int, string) {
		p := start(t, append([]string{methodsGo + "=" + version, "run", file, "--out", dir, "--replicates", replicates},
			more...)...)
		return p.end(t), p.output()
	}
	if code, out := ran("go1.0", "2"); code != 0 {
		t.Fatal(out)
	}
	change := "go go1.0 (now go1.1)"
	before := outputs(t, dir)
	if code, out := ran("go1.1", "3"); code != exitFailed || !strings.Contains(out, change) ||
		!strings.Contains(out, "to add results of the changed program, use `--accept-change`") {
		t.Errorf("exit %d: %s", code, out)
	}
	sameOutputs(t, outputs(t, dir), before)
	if code, out := ran("go1.1", "3", "--accept-change"); code != 0 {
		t.Fatal(out)
	}
	for _, version := range []string{"go1.0", "go1.1"} { // both are accepted now
		if code, out := ran(version, map[string]string{"go1.0": "4", "go1.1": "5"}[version]); code != 0 {
			t.Error(out)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	must(err)
	_, status, _ := copse("status", dir)
	_, verified, _ := copse("verify", dir, "--sample", "0")
	for name, text := range map[string]string{"page": string(page), "status": status, "verify": verified} {
		if n := strings.Count(text, change); n != 1 {
			t.Errorf("%s states the change %d times:\n%.2000s", name, n, text)
		}
	}
	_, script, _ := copse("submit", "slurm", file, "--out", dir, "--replicates", "9", "--tasks", "2", "--accept-change",
		"--print")
	texttest.Case(t, "submitted").Contains(script, " --run-commands --accept-change")
}
