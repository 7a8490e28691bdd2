//go:build unix

package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// resultsWith makes those parts of a results folder that consent reads. Its program leaves a mark when it
// starts.
func resultsWith(t *testing.T) (program *Program, dir, mark string) {
	t.Helper()
	dir = t.TempDir()
	mark = filepath.Join(t.TempDir(), "started")
	for name, text := range map[string]string{"study.yaml": "", "records.csv": "", "m.sh": "touch " + mark + "\n"} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	program = &Program{Kind: Classifier, Command: []string{"/bin/sh", "m.sh"}, Files: []string{"m.sh"}}
	must(program.Read(dir))
	return program, dir, mark
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// newList gives the test an empty list of approvals, as in a new process.
func newList(t *testing.T) {
	t.Helper()
	t.Setenv(commandsVariable, filepath.Join(t.TempDir(), "none", "commands"))
	approved.Clear()
}

// A command of a results folder starts only if it was approved or has run from the folder of a study.
func TestFoldersCommandsNeedConsent(t *testing.T) {
	newList(t)
	program, dir, mark := resultsWith(t)
	host := newHost(t, dir)
	_, err := host.Handshake(t.Context(), program, Wait{})
	if err == nil || !strings.Contains(err.Error(), "--run-commands") || exists(mark) {
		t.Fatalf("started %v, %v", exists(mark), err)
	}
	if got := Unapproved([]*Program{program}, dir); len(got) != 1 {
		t.Errorf("%d programs without approval", len(got))
	}
	Approve(program)
	approved.Clear() // another process reads the list
	if _, err := host.Handshake(t.Context(), program, Wait{}); err == nil || !exists(mark) {
		t.Errorf("approved: started %v, %v", exists(mark), err)
	}
}

func TestRunningApproves(t *testing.T) {
	newList(t)
	program, dir, _ := resultsWith(t)
	elsewhere := t.TempDir() // a study's folder
	must(os.CopyFS(elsewhere, os.DirFS(dir)))
	must(os.Remove(filepath.Join(elsewhere, "records.csv")))
	// The program starts and ends without a handshake.
	_, _ = newHost(t, elsewhere).Handshake(t.Context(), program, Wait{})
	approved.Clear()
	if got := Unapproved([]*Program{program}, dir); len(got) > 0 {
		t.Error("a program that has run needs approval again")
	}
}

// Another command, other files or other parameters make it another program.
func TestApprovalIsOfTheWholeProgram(t *testing.T) {
	newList(t)
	program, dir, _ := resultsWith(t)
	Approve(program)
	command, params, version, files, tuned := *program, *program, *program, *program, *program
	command.Command = []string{"/bin/sh", "m.sh", "more"}
	params.Params = map[string]any{"a": 1}
	version.Version = "2"
	tuned.Tuned = map[string]any{"a": []any{1, 2}}
	otherValues := tuned
	otherValues.Tuned = map[string]any{"a": []any{1, "2"}}
	filetest.Write(t, filepath.Join(dir, "m.sh"), "another")
	must(files.Read(dir))
	// Spec contains only the first 12 digits of the digest.
	tail := *program
	tail.Digest = program.Digest[:12] + strings.Repeat("0", len(program.Digest)-12)
	Approve(&otherValues)
	for _, other := range []*Program{&command, &params, &version, &files, &tuned, &tail} {
		if len(Unapproved([]*Program{other}, dir)) != 1 {
			t.Errorf("%+v is approved", other)
		}
	}
	if len(Unapproved([]*Program{program}, dir)) > 0 {
		t.Error("the program is no longer approved")
	}
}

// A long command does not hide the commands after it in the list.
func TestApprovalAfterLongCommand(t *testing.T) {
	newList(t)
	program, dir, _ := resultsWith(t)
	long := *program
	long.Command = []string{"/bin/sh", "m.sh", strings.Repeat("a", 1<<17)}
	Approve(&long, program)
	approved.Clear() // another process reads the list
	if len(Unapproved([]*Program{&long, program}, dir)) != 0 {
		t.Error("a command after a long one is not approved")
	}
}

// Studies in subfolders, such as submitted studies, belong to the results, too.
func TestSubfoldersAreOfTheResults(t *testing.T) {
	newList(t)
	program, dir, _ := resultsWith(t)
	for _, below := range []string{"submit/12345678", "inner", "two/levels"} {
		inner := filepath.Join(dir, filepath.FromSlash(below))
		must(os.MkdirAll(inner, 0o700))
		if len(Unapproved([]*Program{program}, inner)) != 1 {
			t.Errorf("the program in %s is approved", below)
		}
		t.Chdir(inner)
		if len(Unapproved([]*Program{program}, ".")) != 1 {
			t.Errorf("the program in %s is approved with a relative path", below)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "inner"), link); err != nil {
		t.Logf("NOT TESTED: %v", err) // Windows may not allow links
	} else if len(Unapproved([]*Program{program}, link)) != 1 {
		t.Error("the program behind a symbolic link is approved")
	}
	if len(Unapproved([]*Program{program}, filepath.Dir(dir))) != 0 {
		t.Error("a folder above the results needs approval")
	}
}
