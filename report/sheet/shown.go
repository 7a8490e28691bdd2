package sheet

import "unicode"

// Shown replaces a character with U+FFFD if terminals and browsers cannot show it safely. Such
// characters are control characters other than line feed and tab, and characters that change the
// text direction.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
