package sheet

import "unicode"

// Shown returns a character as terminals and browsers can show it safely: itself or, for control
// characters other than line feed and tab and for those that change the direction of writing,
// U+FFFD. Records keep all characters.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
