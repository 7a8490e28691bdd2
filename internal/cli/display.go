package cli

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display writes the output of a command. It replaces control characters, because a terminal would
// interpret them. They may occur in titles, levels, file names and messages of other programs. On a terminal,
// a display writes whole lines and breaks long lines between words.
type display struct {
	out      io.Writer
	document bool   // other programs read the output: break no lines, and change text only on a terminal
	held     []byte // incomplete last line or character, which the next Write completes
	writeErr error  // first error from writing
}

// Write writes text to out but holds back an incomplete end: an unfinished line if lines are folded for a
// terminal, or else an unfinished UTF-8 character.
func (d *display) Write(text []byte) (int, error) {
	if d.document && !isTerminal(d.out) {
		return len(text), d.put(text)
	}
	all := append(d.held, text...)
	columns, end := 0, wholeCharacters(all)
	if !d.document {
		columns = width(d.out)
	}
	if columns > 0 {
		end = bytes.LastIndexByte(all, '\n') + 1
	}
	d.held = bytes.Clone(all[end:])
	return len(text), d.put([]byte(displayed(all[:end], columns)))
}

// put writes text unchanged and stores the first error in d.writeErr.
func (d *display) put(text []byte) error {
	_, err := d.out.Write(text)
	d.writeErr = cmp.Or(d.writeErr, err)
	return err
}

// wholeCharacters returns the length of text, not counting an incomplete UTF-8 character at the end.
func wholeCharacters(text []byte) int {
	end := len(text)
	for i := 1; i <= min(utf8.UTFMax, end); i++ {
		if utf8.RuneStart(text[end-i]) {
			if !utf8.FullRune(text[end-i:]) {
				end -= i
			}
			break
		}
	}
	return end
}

// displayed replaces the control characters of a text and, unless columns is 0, folds its lines.
func displayed(text []byte, columns int) string {
	return sheet.Fold(string(bytes.Map(sheet.Shown, text)), columns)
}

// close writes what Write has held back.
func (d *display) close() {
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

// unwrapped returns out. If it is a display, unwrapped first stops it from breaking long lines, because other
// programs may read output such as predictions or scripts.
func unwrapped(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		d.document = true
	}
	return out
}
