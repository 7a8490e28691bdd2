package sheet

import "unicode"

// Shown is what stands for a character where people read: itself, or U+FFFD for one
// that a terminal or a browser would obey instead of show: control characters other
// than line feed and tab, and those that turn the direction of writing. Records keep
// them all.
func Shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0xFFFE, r == 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}
