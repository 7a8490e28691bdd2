package sheet

import "unicode"

// Shown returns r, or U+FFFD if terminals or browsers cannot show r safely. This applies to control
// characters other than line feeds and tabs, to characters that change the text direction, and to
// the noncharacters U+FFFE and U+FFFF.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
