package cli

import (
	"bytes"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"copse/report/sheet"
)

// A display is where messages go. Titles, levels, names of files and what other
// programs say are shown by it, whoever wrote them, and never obeyed by a terminal.
// A terminal gets whole lines, broken between words.
type display struct {
	out      io.Writer
	document bool   // lines stay as they are
	held     []byte // a line or a character whose rest is still to come
	lost     error  // why something could not be written, the first time
}

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

// put writes bytes as they are and remembers where it could not.
func (d *display) put(text []byte) error {
	_, err := d.out.Write(text)
	if d.lost == nil {
		d.lost = err
	}
	return err
}

// wholeCharacters is the length of a text without the first bytes of a character at
// its end.
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

// displayed is a text as a terminal of so many columns, 0: of any, shows it.
func displayed(text []byte, columns int) string {
	return sheet.Fold(string(bytes.Map(sheet.Shown, text)), columns)
}

// close writes what is left of a line or a character that never was completed.
func (d *display) close() {
	if len(d.held) > 0 {
		_ = d.put([]byte(displayed(d.held, 0))) // it is remembered
		d.held = nil
	}
}

// behind is what a display writes to.
func behind(out io.Writer) io.Writer {
	if d, ok := out.(*display); ok {
		return d.out
	}
	return out
}

// isTerminal tells whether people read what is written there.
func isTerminal(out io.Writer) bool {
	f, ok := behind(out).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// exact writes to what a display writes to, byte for byte.
type exact struct{ *display }

func (e exact) Write(text []byte) (int, error) {
	if err := e.put(text); err != nil {
		return 0, err
	}
	return len(text), nil
}

// document is where a command writes what programs read, byte for byte: records,
// predictions, scripts. On a terminal people read it.
func document(out io.Writer) io.Writer {
	d, ok := out.(*display)
	if ok && isTerminal(d) {
		d.document = true
		return d
	} else if ok {
		return exact{d}
	}
	return out
}
