package sheet

import "unicode"

// Shown returns U+FFFD if terminals or browsers cannot show r safely, and otherwise r. Unsafe are control
// characters other than line feeds and tabs, characters that change the text direction, and the noncharacters
// U+FFFE and U+FFFF.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
