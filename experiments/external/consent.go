package external

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"copse/experiments/folder"
)

// Whoever gives copse a study file consents to its commands, as to a script. A results folder
// may come from elsewhere: of a program that is named there copse starts only what this user
// has run before, or approves. The list of these programs lies outside of all folders: a line
// for each with a SHA-256 of command, files, parameters and version, then the command.

// commandsVariable names the file of the list, in place of copse/commands in the user's folder
// of configurations.
const commandsVariable = "COPSE_COMMANDS"

// approved holds the programs that this process has approved, by fingerprint.
var approved = struct {
	sync.Mutex
	set map[string]bool
}{set: map[string]bool{}}

// fingerprint identifies a program by all that decides what it does: the whole digest of its
// files, where Spec has the beginning.
func (p *Program) fingerprint() string {
	whole := *p
	whole.Files = nil // names and contents are in the digest
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", p.Kind, whole.Spec(), p.Digest))
	return hex.EncodeToString(sum[:])
}

// commandsFile returns the path of the list; "" if the user has no folder for it.
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

// Unapproved returns the programs, whose files lie in a folder, that copse does not start: the
// folder is one of results, and the user has neither run nor approved them.
func Unapproved(programs []*Program, dir string) []*Program {
	if !folder.HasResults(dir) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(programs), (*Program).isApproved)
}

func (p *Program) isApproved() bool {
	print := p.fingerprint()
	approved.Lock()
	defer approved.Unlock()
	if approved.set[print] {
		return true
	}
	file, err := os.Open(commandsFile())
	if err != nil {
		return false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if listed, _, _ := strings.Cut(lines.Text(), " "); listed == print {
			approved.set[print] = true
			return true
		}
	}
	return false
}

// Approve adds programs to the list. Where it cannot be written the approval ends with the
// process, and the user is asked again.
func Approve(programs ...*Program) {
	for _, p := range programs {
		if p.isApproved() {
			continue
		}
		approved.Lock()
		approved.set[p.fingerprint()] = true
		approved.Unlock()
		_ = p.list()
	}
}

// list appends the program's line to the list.
func (p *Program) list() error {
	path := commandsFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "%s %q\n", p.fingerprint(), p.Command)
	return err
}

// consent approves a program of a study file, and refuses one of a results folder that the user
// has not approved.
func (p *Program) consent(dir string) error {
	if len(Unapproved([]*Program{p}, dir)) > 0 {
		return fmt.Errorf("%s: %s names this command, which you have not run yet: read it, then add --run-commands",
			p, dir)
	}
	Approve(p)
	return nil
}
