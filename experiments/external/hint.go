package external

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// missing lists the messages of languages about a missing package, with the commands that
// install it.
var missing = []struct {
	pattern *regexp.Regexp
	install string
}{
	{regexp.MustCompile(`there is no package called [‘'"]([\w.]+)[’'"]`),
		`install it with Rscript -e 'install.packages("%s")'`},
	{regexp.MustCompile(`No module named '(\w+)`), `install it with python3 -m pip install %s`},
	{regexp.MustCompile(`Package (\w+) not found in current path`),
		`install it with julia -e 'using Pkg; Pkg.add("%s")'`},
}

// hint returns a clause on how to install the package that a log reports as missing; ""
// without one.
func hint(log string) string {
	for _, m := range missing {
		if parts := m.pattern.FindStringSubmatch(log); parts != nil {
			return ": a package is missing; " + fmt.Sprintf(m.install, parts[1])
		}
	}
	return ""
}

// whySilent ends the input of a program that sent no handshake, and returns the probable
// reason by what the program does then.
func (p *process) whySilent() string {
	p.input.Close()
	why := "it ended with its input: send the handshake before reading, and end the program like the templates of " +
		"copse new"
	select {
	case <-p.ended:
	case <-time.After(closeGrace):
		why = "it waits before its handshake (for a lock, a download or an answer), or does not end like the " +
			"templates of copse new"
	}
	switch {
	case len(p.output.replies) > 0:
		return "its handshake came only after its input had ended; flush the standard output after every line"
	case strings.Contains(p.output.log(), `"protocol"`):
		return "it printed a line like a handshake; a handshake begins with the value of COPSE_TOKEN and ends " +
			"with a line break"
	}
	return why
}

// outOfMemory lists parts of the messages of runtimes about a failed allocation.
var outOfMemory = []string{"cannot allocate", "Cannot allocate", "MemoryError", "Unable to allocate",
	"cannot map pages", "out of memory", "OutOfMemory", "bad_alloc", "address space"}

// ranOutOfMemory reports whether an allocation failed under the program's memory limit.
func (p *process) ranOutOfMemory(message string) bool {
	if p.program.Memory == 0 {
		return false
	}
	log := message + p.output.log()
	return slices.ContainsFunc(outOfMemory, func(words string) bool { return strings.Contains(log, words) })
}
