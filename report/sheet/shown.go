package sheet

import "unicode"

// Shown returns a character that terminals and browsers can show safely. It replaces control
// characters and characters that change the direction of writing by U+FFFD, except line feed and
// tab. Records keep the original characters.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
