package cli

import (
	"bytes"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display writes the output of a command. It replaces control characters in titles, levels, file
// names and messages of other programs, because a terminal would execute them. For a terminal it
// writes whole lines and breaks long lines between words.
type display struct {
	out      io.Writer
	document bool   // do not break lines
	held     []byte // incomplete last line or character
	lost     error  // first error of a write
}

// Write writes the complete lines of text if out is a terminal, and its complete UTF-8 characters
// otherwise. It stores the incomplete rest for the next call.
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

// put writes text without changes. It stores the first error in d.lost.
func (d *display) put(text []byte) error {
	_, err := d.out.Write(text)
	if d.lost == nil {
		d.lost = err
	}
	return err
}

// wholeCharacters returns the length of text up to the end of its last complete UTF-8 character.
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

// displayed replaces the control characters of a text and breaks its lines at the given number of
// columns. It breaks no lines if columns is 0.
func displayed(text []byte, columns int) string {
	return sheet.Fold(string(bytes.Map(sheet.Shown, text)), columns)
}

// close writes the incomplete last line or character that Write has stored.
func (d *display) close() {
	if len(d.held) > 0 {
		_ = d.put([]byte(displayed(d.held, 0))) // put keeps the error in lost
		d.held = nil
	}
}

// rawWriter returns the writer to which a display writes. If out is not a display, it returns out.
func rawWriter(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		return d.out
	}
	return out
}

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := rawWriter(out).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// An unchanged writes to the writer of a display without any change of the text.
type unchanged struct{ *display }

func (e unchanged) Write(text []byte) (int, error) {
	if err := e.put(text); err != nil {
		return 0, err
	}
	return len(text), nil
}

// document returns a writer for output that other programs read, such as predictions and scripts.
// The text stays unchanged, except that control characters are replaced on a terminal.
func document(out io.Writer) io.Writer {
	d, ok := out.(*display)
	if !ok {
		return out
	}
	if isTerminal(d) {
		d.document = true
		return d
	}
	return unchanged{d}
}
