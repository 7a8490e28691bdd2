package external

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"copse/experiments/folder"
)

// A user who runs a study file thereby approves its commands. copse starts programs from a results
// folder, which may come from somebody else, only if the user has run or approved them before.

// commandsVariable names the environment variable with the path of the list of approved programs.
// The default is copse/commands in the user's configuration folder.
const commandsVariable = "COPSE_COMMANDS"

// approved caches the fingerprints of programs that the user approved in this process or in
// commandsFile.
var approved sync.Map

// Fingerprint returns a SHA-256 digest of the recipe, the files and the tuned parameters of a
// program. It does not depend on limits, data or seeds.
func (p *Program) Fingerprint() string {
	whole := *p
	whole.Files = nil // p.Digest includes their names and contents, of which a recipe has only the first digits
	return folder.DigestBytes(fmt.Appendf(nil, "%s %s %s%s", p.Kind, whole.Spec(), p.Digest, p.tunedText()))
}

// tunedText returns the tuned parameters, such as ` tune={"k":[1,5]}`, or "".
func (p *Program) tunedText() string {
	if p.Tuned == nil {
		return ""
	}
	return " tune=" + string(marshal(p.Tuned))
}

// Approvable describes a program to the user who approves it.
func (p *Program) Approvable() string {
	text := p.String()
	if p.Adapter == "" && len(p.Params) > 0 { // for an adapter, String includes the parameters
		text += " params=" + string(marshal(p.Params))
	}
	text += p.tunedText()
	if len(p.Files) > 0 {
		text += fmt.Sprintf(" (files: %s; SHA-256 %s)", strings.Join(p.Files, ", "), p.Digest)
	}
	return text
}

func commandsFile() string {
	if path := os.Getenv(commandsVariable); path != "" {
		return path
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "copse", "commands")
}

// Unapproved returns the programs that the user has neither run nor approved. Outside results
// folders, all programs count as approved. dir is the folder with their files.
func Unapproved(programs []*Program, dir string) []*Program {
	if !isInResults(dir) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(programs), (*Program).isApproved)
}

// isInResults reports whether dir or a folder above it is a results folder. It checks the path with
// and without its symbolic links resolved.
func isInResults(dir string) bool {
	path, err := filepath.Abs(dir)
	if err != nil {
		path = dir
	}
	target, err := filepath.EvalSymlinks(path)
	return hasResultsAbove(path) || err == nil && hasResultsAbove(target)
}

// hasResultsAbove reports whether dir or a folder above it is a results folder.
func hasResultsAbove(dir string) bool {
	above := filepath.Dir(dir)
	return folder.HasResults(dir) || above != dir && hasResultsAbove(above)
}

// isApproved reports whether the user has already run or approved the program.
func (p *Program) isApproved() bool {
	fingerprint := p.Fingerprint()
	if _, known := approved.Load(fingerprint); known {
		return true
	}
	list, err := os.ReadFile(commandsFile())
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(list)) { // a fingerprint and a command
		if listed, _, _ := strings.Cut(line, " "); listed == fingerprint {
			approved.Store(fingerprint, true)
			return true
		}
	}
	return false
}

// Approve adds programs to the user's list, or approves them in this process if the list cannot be
// written.
func Approve(programs ...*Program) {
	for _, p := range programs {
		if p.isApproved() {
			continue
		}
		approved.Store(p.Fingerprint(), true)
		_ = p.appendTo(commandsFile())
	}
}

func (p *Program) appendTo(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "%s %q\n", p.Fingerprint(), p.Command)
	return err
}

// consent approves the program. It returns an error if dir, the folder with its files, is in a
// results folder and the user has neither run nor approved the program.
func (p *Program) consent(dir string) error {
	if isInResults(dir) && !p.isApproved() {
		return fmt.Errorf("%s: this command comes from the results folder %s and you have not run it before; "+
			"read its files, then add `--run-commands`", p, dir)
	}
	Approve(p)
	return nil
}
