package sheet

import "unicode"

// Shown replaces a character that terminals and browsers cannot show safely by U+FFFD: control
// characters except line feed and tab, and characters that change the direction of writing.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
