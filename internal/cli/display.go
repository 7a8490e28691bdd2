package cli

import (
	"bytes"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display writes the output of a verb. It replaces control characters in titles, levels, file
// names and messages of other programs, so that a terminal never executes them. On a terminal it
// writes whole lines and breaks long ones between words.
type display struct {
	out      io.Writer
	document bool   // do not break lines
	held     []byte // start of a line or character whose rest is not written yet
	lost     error  // first error of writing
}

// Write writes the whole lines of a terminal, or the whole characters of any other output. It holds
// the rest until the next call.
func (d *display) Write(text []byte) (int, error) {
	all := append(d.held, text...)
	columns, end := 0, wholeCharacters(all)
	if !d.document {
		columns = width(d.out)
	}
	if columns > 0 {
		end = bytes.LastIndexByte(all, '\n') + 1
	}
	d.held = bytes.Clone(all[end:])
	if err := d.put([]byte(displayed(all[:end], columns))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// put writes bytes unchanged and keeps the first error in lost.
func (d *display) put(text []byte) error {
	_, err := d.out.Write(text)
	if d.lost == nil {
		d.lost = err
	}
	return err
}

// wholeCharacters returns the length of a text without an incomplete UTF-8 character at its end.
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

// displayed returns a text with control characters replaced and lines broken at the given number
// of columns; 0 breaks none.
func displayed(text []byte, columns int) string {
	return sheet.Fold(string(bytes.Map(sheet.Shown, text)), columns)
}

// close writes an incomplete last line or character.
func (d *display) close() {
	if len(d.held) > 0 {
		_ = d.put([]byte(displayed(d.held, 0))) // put keeps the error in lost
		d.held = nil
	}
}

// behind returns the writer below a display, or out itself.
func behind(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		return d.out
	}
	return out
}

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := behind(out).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// exact writes to the writer below a display, byte for byte.
type exact struct{ *display }

func (e exact) Write(text []byte) (int, error) {
	if err := e.put(text); err != nil {
		return 0, err
	}
	return len(text), nil
}

// document returns the writer for output that programs read, such as predictions and scripts. It
// writes byte for byte, but on a terminal it still replaces control characters.
func document(out io.Writer) io.Writer {
	d, ok := out.(*display)
	if !ok {
		return out
	}
	if isTerminal(d) {
		d.document = true
		return d
	}
	return exact{d}
}
