package sheet

import "unicode"

// Shown returns U+FFFD for a character that terminals and browsers cannot show safely, and
// otherwise r. Such characters are control characters or change the text direction.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
