package cluster

import (
	"fmt"
	"strings"

	"copse/experiments/study"
)

// ShellWord quotes a string so that a shell reads it as one word. The string must not contain
// control characters.
func ShellWord(text string) string {
	if text == "" {
		return `""`
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		// Bytes of 0x80 and above belong to characters outside ASCII, which have no special meaning for a shell.
		plain := c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("/._-+,:@%", c) >= 0 || c == '=' && i > 0
		if !plain {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// RunCommand returns the command that runs a study as it was loaded: from its file, with its assignments.
func RunCommand(s *study.Study) string {
	command := "copse run " + ShellWord(s.File)
	for _, a := range s.Assignments {
		command += " --set " + ShellWord(a)
	}
	return command
}

// checkWord returns an error if ShellWord cannot quote a path.
func checkWord(text string) error {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	if strings.ContainsFunc(text, isControl) {
		return fmt.Errorf("%q: a job script cannot contain a path with line breaks or control characters", text)
	}
	return nil
}
