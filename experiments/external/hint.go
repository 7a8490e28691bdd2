package external

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// missing are the ways in which languages say that a package is not there, and
// how it is installed.
var missing = []struct {
	pattern *regexp.Regexp
	install string
}{
	{regexp.MustCompile(`there is no package called [‘'"]([\w.]+)[’'"]`), `install it with Rscript -e 'install.packages("%s")'`},
	{regexp.MustCompile(`No module named '(\w+)`), `install it with python3 -m pip install %s`},
	{regexp.MustCompile(`Package (\w+) not found in current path`), `install it with julia -e 'using Pkg; Pkg.add("%s")'`},
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

// outOfMemory are the ways in which runtimes say that an allocation failed.
var outOfMemory = []string{"cannot allocate", "Cannot allocate", "MemoryError", "Unable to allocate", "cannot map pages", "out of memory", "OutOfMemory", "bad_alloc", "address space"}

// ranOutOfMemory tells whether an allocation failed under the program's limit.
func (p *process) ranOutOfMemory(message string) bool {
	if p.program.Memory == 0 {
		return false
	}
	log := message + p.output.log()
	return slices.ContainsFunc(outOfMemory, func(words string) bool { return strings.Contains(log, words) })
}
