package cli

import (
	"bytes"
	"cmp"
	"io"
	"os"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display writes the output of a command in whole lines. On a terminal, it breaks long lines. It
// replaces control characters, which a terminal would interpret.
type display struct {
	out      io.Writer
	document bool   // other programs read the output: break no lines, and change text only on a terminal
	held     []byte // incomplete last line, which the next Write completes
	writeErr error  // first error from writing
}

// Write writes whole lines of text to out and holds back an unfinished line.
func (d *display) Write(text []byte) (int, error) {
	if d.document && !isTerminal(d.out) {
		return len(text), d.put(text)
	}
	columns := 0
	if !d.document {
		columns = width(d.out)
	}
	all := append(d.held, text...)
	end := bytes.LastIndexByte(all, '\n') + 1
	d.held = bytes.Clone(all[end:])
	return len(text), d.put([]byte(displayed(all[:end], columns)))
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

// unwrapped returns out. If out is a display, unwrapped turns off the breaking of long lines, so
// that other programs can read the output.
func unwrapped(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		d.document = true
	}
	return out
}
