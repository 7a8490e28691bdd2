package cluster

import (
	"fmt"
	"strings"
)

// Word quotes a text so that a shell reads it as one word. A text with line breaks
// or other control characters has no such form, see checkWord.
func Word(text string) string {
	if text == "" {
		return `""`
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		plain := c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("/._-+,:@%", c) >= 0
		if !plain {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

func checkWord(text string) error {
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		return fmt.Errorf("%q: a job script cannot name what has a line break or a control character in its name", text)
	}
	return nil
}
