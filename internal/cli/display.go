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
type display struct {
	out io.Writer
	cut []byte // the first bytes of a character whose rest is still to come
}

func (d *display) Write(text []byte) (int, error) {
	all := append(d.cut, text...)
	end := len(all)
	for i := 1; i <= min(utf8.UTFMax, end); i++ {
		if utf8.RuneStart(all[end-i]) {
			if !utf8.FullRune(all[end-i:]) {
				end -= i
			}
			break
		}
	}
	d.cut = bytes.Clone(all[end:])
	if _, err := d.out.Write(bytes.Map(sheet.Shown, all[:end])); err != nil {
		return 0, err
	}
	return len(text), nil
}

// close writes what is left of a character that never was completed.
func (d *display) close() {
	if len(d.cut) > 0 {
		d.out.Write(bytes.Map(sheet.Shown, d.cut))
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

// document is where a command writes what programs read, byte for byte: records,
// predictions, scripts. On a terminal people read it.
func document(out io.Writer) io.Writer {
	if isTerminal(out) {
		return out
	}
	return behind(out)
}
