//go:build unix

package external

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

// studyFolder has a file beside the study, a folder with hidden files and results inside, and
// links.
func studyFolder(t *testing.T) string {
	t.Helper()
	outside := filepath.Join(t.TempDir(), "secret")
	filetest.Write(t, outside, "secret")
	dir := t.TempDir()
	for _, name := range []string{
		"m.R", "lib/a.R", "lib/.hidden", "lib/.git/config", "lib/results/study.yaml", "lib/results/records.csv", ".env",
	} {
		filetest.Write(t, filepath.Join(dir, name), name)
	}
	must(os.Symlink(outside, filepath.Join(dir, "out.R")))
	must(os.Symlink("m.R", filepath.Join(dir, "in.R")))
	must(os.Symlink(filepath.Dir(outside), filepath.Join(dir, "outside")))
	must(syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	return dir
}

// The files of a program are the files in the folder of the study that its command names.
func TestFilesOfAProgram(t *testing.T) {
	dir := studyFolder(t)
	for _, c := range []struct {
		files []string
		want  []string
		fails string
	}{
		{[]string{"m.R", "m.R"}, []string{"m.R"}, ""},
		{[]string{"lib"}, []string{"lib/a.R"}, ""},
		{[]string{"lib", "lib/.hidden"}, []string{"lib/.hidden", "lib/a.R"}, ""},
		{[]string{"lib/.git"}, []string{"lib/.git/config"}, ""},
		{[]string{".env"}, []string{".env"}, ""},
		{[]string{"in.R"}, []string{"in.R"}, ""},
		{[]string{"out.R"}, nil, "escapes"},
		{[]string{"outside"}, nil, "outside"},
		{[]string{"outside/secret"}, nil, "escapes"},
		{[]string{"../m.R"}, nil, "is not in the folder of the study"},
		{[]string{"."}, nil, "list only the files and folders in it"},
		{[]string{"fifo"}, nil, "fifo is not a regular file"},
		{[]string{"none.R"}, nil, "none.R does not exist in"},
	} {
		p := &Program{Files: c.files}
		err := p.Read(dir)
		if c.fails != "" {
			errtest.Case(t, c.files).Contains(err, c.fails)
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.files, err)
			continue
		}
		var got []string
		must(p.EachFile(dir, func(name string, _ fs.FileMode, _ io.Reader) error {
			got = append(got, name)
			return nil
		}))
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%q: visited %q, want %q", c.files, got, c.want)
		}
	}
}

// A command in one item is not an executable. The error shows it as a list of words.
func TestCommandsAreLists(t *testing.T) {
	program := &Program{Command: []string{"sh code/mine.sh", "5"}}
	_, err := program.Find(t.TempDir())
	errtest.Equal(t, err, "command: \"sh code/mine.sh\" is one item of the list; make each word an item, such as "+
		"`[sh, code/mine.sh, 5]`")
}

// A command that begins with a listed file needs the permission to execute this file.
func TestCommandsAreExecutable(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"yes.py": 0o700, "no.py": 0o600} {
		must(os.WriteFile(filepath.Join(dir, name), nil, mode))
	}
	for name, want := range map[string]string{"./yes.py": "", "./no.py": "run `chmod +x ./no.py`"} {
		program := &Program{Command: []string{name}, Files: []string{"yes.py", "no.py"}}
		_, err := program.Find(dir)
		errtest.Case(t, name).Match(err, want)
	}
}

// On Windows, the Python of an environment or installer has the name python.
func TestExecutable(t *testing.T) {
	for _, c := range []struct{ command, system, want string }{
		{"python3", "windows", "python"},
		{"python3", "darwin", "python3"},
		{"python3.12", "windows", "python3.12"},
		{"Rscript", "windows", "Rscript"},
	} {
		if got := executable(c.command, c.system); got != c.want {
			t.Errorf("%s on %s: got %s, want %s", c.command, c.system, got, c.want)
		}
	}
}
