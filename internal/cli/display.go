package cli

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display writes the output of a command in whole lines. On a terminal, it breaks long lines, and
// a status line can follow them. It replaces control characters, which a terminal would interpret.
type display struct {
	out      io.Writer
	document bool  // for other programs: lines are not broken, and text is changed only on a terminal
	writeErr error // first error from writing

	mu     sync.Mutex // protects the other fields: a signal handler may print a message at any time
	held   []byte     // incomplete last line, which the next Write completes
	status string     // text of the status line of a terminal, "" if there is none
}

// clearLine moves the cursor of a terminal to the start of its line and clears the line.
const clearLine = "\r\x1b[K"

// Write writes whole lines of text above the status line and holds back an unfinished line.
func (d *display) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.document && !isTerminal(d.out) { // another program reads the text unchanged
		return len(text), d.put(text)
	}
	columns := 0 // lines of a document are not folded
	if !d.document {
		columns = width(d.out)
	}
	all := append(d.held, text...)
	end := bytes.LastIndexByte(all, '\n') + 1 // of the last whole line
	d.held = bytes.Clone(all[end:])
	lines := displayed(all[:end], columns)
	if d.status != "" {
		lines = clearLine + lines + d.status
	}
	return len(text), d.put([]byte(lines))
}

// show replaces the text of the status line.
func (d *display) show(status string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.status = status
	io.WriteString(d.out, clearLine+status)
}

// release ends the status line. Its text stays on the terminal, and later messages appear below it.
func (d *display) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.status = ""
	io.WriteString(d.out, "\n")
}

// put writes text unchanged and stores the first error in d.writeErr.
func (d *display) put(text []byte) error {
	_, err := d.out.Write(text)
	d.writeErr = cmp.Or(d.writeErr, err)
	return err
}

// displayed replaces the control characters of a text and, unless columns is 0, folds its lines.
func displayed(text []byte, columns int) string {
	return sheet.Fold(string(bytes.Map(sheet.Shown, text)), columns)
}

// flush writes the unfinished last line.
func (d *display) flush() {
	if len(d.held) > 0 {
		_ = d.put([]byte(displayed(d.held, 0))) // put keeps the error in writeErr
		d.held = nil
	}
}

// rawWriter returns the underlying writer if out is a display, and otherwise out itself.
func rawWriter(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		return d.out
	}
	return out
}

func isTerminal(out io.Writer) bool {
	f, ok := rawWriter(out).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the number of columns of a terminal. It returns 0 if out is not a terminal or the
// size is unknown.
func width(out io.Writer) int {
	f, ok := rawWriter(out).(*os.File)
	if !ok {
		return 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || rows <= 0 {
		return 0
	}
	return max(columns, 0)
}

// unwrapped returns out. If out is a display, it stops breaking long lines, so that other programs
// can read the output.
func unwrapped(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		d.document = true
	}
	return out
}
