package external

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// missing are the ways in which languages say that a package is not there, and
// how it is installed.
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

// hint says what to install when a log names a package that is missing.
func hint(log string) string {
	for _, m := range missing {
		if parts := m.pattern.FindStringSubmatch(log); parts != nil {
			return ": a package is missing; " + fmt.Sprintf(m.install, parts[1])
		}
	}
	return ""
}

// whySilent ends the input of a program that has not greeted and says, from what follows,
// what may be wrong with it.
func (p *process) whySilent() string {
	p.input.Close()
	why := "it ended when its input did: it has to greet before it reads; see that the command names a file that " +
		"ends as what copse new writes does"
	select {
	case <-p.ended:
	case <-time.After(closeGrace):
		why = "see what it waits for before it greets (a lock, a download, a question), and that it ends as what " +
			"copse new writes does"
	}
	switch {
	case len(p.output.replies) > 0:
		return "its greeting came when its input had ended; its standard output is buffered: flush it after every line"
	case strings.Contains(p.output.log(), `"protocol"`):
		return "what it printed looks like a greeting, which has to begin with the value of COPSE_TOKEN and to end " +
			"with a line break"
	}
	return why
}

// outOfMemory are the ways in which runtimes say that an allocation failed.
var outOfMemory = []string{"cannot allocate", "Cannot allocate", "MemoryError", "Unable to allocate",
	"cannot map pages", "out of memory", "OutOfMemory", "bad_alloc", "address space"}

// ranOutOfMemory tells whether an allocation failed under the program's limit.
func (p *process) ranOutOfMemory(message string) bool {
	if p.program.Memory == 0 {
		return false
	}
	log := message + p.output.log()
	return slices.ContainsFunc(outOfMemory, func(words string) bool { return strings.Contains(log, words) })
}
