package cluster

import (
	"fmt"
	"regexp"
	"strings"

	"copse/experiments/study"
)

// special matches the characters that ShellWord quotes.
var special = regexp.MustCompile(`^=|[^\w/.,:@%+=\x{80}-\x{10FFFF}-]`)

// ShellWord quotes a string so that a shell reads it as one word. The string must not contain
// control characters.
func ShellWord(text string) string {
	if text == "" {
		return `""`
	}
	return special.ReplaceAllString(text, `\$0`)
}

// RunCommand returns the command that runs a study from its file. The command includes the
// assignments (--set) with which the study was loaded.
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
