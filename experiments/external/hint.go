package external

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"copse/experiments/folder"
)

// missingPackages lists patterns of errors about missing packages. install is the command that
// installs a package, with %s for its name.
var missingPackages = []struct {
	pattern *regexp.Regexp
	install string
}{
	{regexp.MustCompile(`there is no package called [‘'"]([\w.]+)[’'"]`),
		`Rscript -e 'install.packages("%s")'`},
	{regexp.MustCompile(`No module named '(\w+)`), `python3 -m pip install %s`},
	{regexp.MustCompile(`Package (\w+) not found in current path`),
		`julia -e 'using Pkg; Pkg.add("%s")'`},
}

// packageOf maps Python modules to packages with other names.
var packageOf = map[string]string{"sklearn": "scikit-learn"}

// hint explains how to provide the package that a log reports as missing. It returns "" if no
// package is missing or no advice applies.
func (p *process) hint(log string) string {
	for _, m := range missingPackages {
		match := m.pattern.FindStringSubmatch(log)
		if match == nil {
			continue
		}
		module := match[1]
		if file := p.unlisted(module); file != "" {
			return fmt.Sprintf(": it needs %[1]s, but `files` does not list it; the program runs in a folder "+
				"with copies of only the listed files, so add %[1]s to `files`", file)
		}
		lacksSubmodule := strings.Contains(log, "No module named '"+module+".")
		if lacksSubmodule {
			return "" // the package is installed, so its installation would not help
		}
		install := fmt.Sprintf(m.install, cmp.Or(packageOf[module], module))
		// The user may have several versions of Python. Install the package for the one that runs the program.
		if python := p.command.Path; strings.HasPrefix(filepath.Base(python), "python") {
			install = strings.Replace(install, "python3", python, 1)
		}
		return ": a package is missing; install it with: " + install
	}
	return ""
}

// LacksPackage reports whether the error message of a program states that a package is missing.
func LacksPackage(message string) bool {
	for _, m := range missingPackages {
		if m.pattern.MatchString(message) {
			return true
		}
	}
	return false
}

// unlisted returns the path, relative to p.source, of a module's file that the program does not
// list in Files, or "".
func (p *process) unlisted(module string) string {
	for _, file := range slices.Concat(p.program.Files, []string{"."}) {
		for _, extension := range []string{"", ".py", ".jl"} {
			name := path.Join(path.Dir(filepath.ToSlash(file)), module+extension)
			isCopied := folder.Exists(filepath.Join(p.copiedFiles(), name))
			if folder.Exists(filepath.Join(p.source, name)) && !isCopied {
				return name
			}
		}
	}
	return ""
}

// whySilent closes the input of a program that sent no handshake, and returns the probable reason.
func (p *process) whySilent() string {
	p.input.Close()
	hasEnded := p.endsWithin(closeGrace)
	switch {
	case len(p.output.replies) > 0:
		return "the handshake came only after the input had ended; flush the standard output after each line"
	case strings.Contains(p.output.log(), `"protocol"`):
		return "the program printed a line that resembles a handshake, but a handshake must begin " +
			"with the value of COPSE_TOKEN and end with a line break"
	case hasEnded:
		return "the program waited for input; send the handshake before reading, as the templates of `copse new` do"
	}
	return "the program is waiting for something else, such as a lock, a download or a server; compare it with the " +
		"templates of `copse new`"
}

// outOfMemory lists parts of error messages about failed memory allocations.
var outOfMemory = []string{"cannot allocate", "Cannot allocate", "failed to allocate", "MemoryError",
	"Unable to allocate", "cannot map pages", "out of memory", "OutOfMemory", "bad_alloc", "address space"}

// ranOutOfMemory reports whether the message or the log of a limited program mentions a failed
// allocation.
func (p *process) ranOutOfMemory(message string) bool {
	if p.program.Memory == 0 {
		return false
	}
	log := message + p.output.log()
	return slices.ContainsFunc(outOfMemory, func(words string) bool { return strings.Contains(log, words) })
}
