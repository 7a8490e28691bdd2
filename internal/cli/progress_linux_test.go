package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a pseudo-terminal with the given number of columns.
func openTerminal(t *testing.T, columns uint16) (control, terminal *os.File) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("NOT TESTED: output on a terminal, because no terminal is available: ", err)
	}
	fd := int(control.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: columns})
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		control.Close()
		t.Skip("NOT TESTED: output on a terminal, because no terminal is available: ", err)
	}
	return control, terminal
}

// A run on a terminal draws a progress bar while trials end. The race detector finds unsynchronised writes.
func TestProgressOnTerminal(t *testing.T) {
	control, terminal := openTerminal(t, 100)
	defer control.Close()
	seen := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, control) // ends with an error when the terminal is closed
		seen <- b.String()
	}()
	text := strings.NewReplacer("replicates: 4", "replicates: 150", "lda",
		"{id: broken, classifier: 5nn, k: 1000}").Replace(smallStudy)
	code := Main([]string{"run", writeStudy(t, text), "--out", filepath.Join(t.TempDir(), "r")}, strings.NewReader(""),
		io.Discard, terminal)
	terminal.Close()
	if out := <-seen; code != exitFailed || !strings.Contains(out, "300/300 trials, 300 failed results, done") {
		t.Errorf("exit %d; drawn:\n%q", code, out)
	}
}

// On a terminal, control characters in records are displayed, too, and messages of a run appear above its
// progress bar.
func TestTerminalShowsDocuments(t *testing.T) {
	control, terminal := openTerminal(t, 100)
	defer control.Close()
	seen := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, control)
		seen <- b.String()
	}()
	file, dir := hostileStudy(t), filepath.Join(t.TempDir(), "r"+commands)
	Main([]string{"run", file, "--out", dir}, strings.NewReader(""), terminal, terminal)
	Main([]string{"protocol", file}, strings.NewReader(""), terminal, terminal)
	terminal.Close()
	// The progress bar uses control sequences, and the terminal ends lines with CR LF.
	out := regexp.MustCompile(`\x1b\[[0-9]*[ABCDKJ]|\r`).ReplaceAllString(strings.ReplaceAll(<-seen, "\x1b[2J",
		"OBEYED"), "")
	if found := obeyed(out); found != "" || strings.Contains(out, "OBEYED") || !strings.Contains(out, "noise") {
		t.Errorf("%s\n%q", found, out)
	}
}

// On a narrow terminal, no word and no row of a table is broken. Only commands continue on the next line.
func TestNarrowTerminal(t *testing.T) {
	const columns = 40
	file, dir := runSmallStudy(t)
	for _, args := range [][]string{{"report", dir}, {"status", dir}, {"check", file, "--pilot", "0s"},
		{"explain", "data"}, {"list", "classifiers", "slb"}, {"plot", dir, "box", "--out", t.TempDir()},
		{"run", "--help"}, {"explain", "datta"}} {
		control, terminal := openTerminal(t, columns)
		seen := make(chan string)
		go func() {
			var b bytes.Buffer
			io.Copy(&b, control)
			seen <- b.String()
		}()
		Main(args, strings.NewReader(""), terminal, terminal)
		terminal.Close()
		out := strings.ReplaceAll(<-seen, "\r", "")
		control.Close()
		for line := range strings.Lines(out) {
			text := strings.TrimSpace(line)
			if len([]rune(strings.TrimRight(line, "\n"))) > columns && strings.Contains(text, " ") &&
				!strings.HasPrefix(text, "copse ") {
				t.Errorf("copse %v: wider than %d columns: %q", args, columns, line)
			}
		}
	}
}
