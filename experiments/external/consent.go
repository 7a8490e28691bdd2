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

// A user who gives copse a study file consents to its commands, as with a script. A results
// folder may come from somebody else, so that copse starts its programs only if the user has
// run or approved them before. Approved programs are listed in a file of the user, one per
// line: a SHA-256 of command, files, parameters and version, then the command.

// commandsVariable is the environment variable with the path of the list. By default the
// list is copse/commands in the user's configuration folder.
const commandsVariable = "COPSE_COMMANDS"

// approved has the fingerprints of the programs that this process has approved.
var approved = struct {
	sync.Mutex
	set map[string]bool
}{set: map[string]bool{}}

// fingerprint identifies a program by its recipe and the complete digest of its files. Spec
// has only the beginning of the digest.
func (p *Program) fingerprint() string {
	whole := *p
	whole.Files = nil // names and contents are in the digest
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", p.Kind, whole.Spec(), p.Digest))
	return hex.EncodeToString(sum[:])
}

// commandsFile returns the path of the list; "" if the user has no configuration folder.
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

// Unapproved returns the programs of a results folder that the user has neither run nor
// approved; copse does not start them. It returns nil if dir is no results folder.
func Unapproved(programs []*Program, dir string) []*Program {
	if !folder.HasResults(dir) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(programs), (*Program).isApproved)
}

// isApproved reports whether the program was approved in this process or is in the list.
func (p *Program) isApproved() bool {
	fingerprint := p.fingerprint()
	approved.Lock()
	defer approved.Unlock()
	if approved.set[fingerprint] {
		return true
	}
	file, err := os.Open(commandsFile())
	if err != nil {
		return false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if listed, _, _ := strings.Cut(lines.Text(), " "); listed == fingerprint {
			approved.set[fingerprint] = true
			return true
		}
	}
	return false
}

// Approve adds programs to the list. If the list cannot be written, the approval is valid
// for this process only.
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

// consent approves a program of a study file. It returns an error for a program of a
// results folder that the user has not approved.
func (p *Program) consent(dir string) error {
	if len(Unapproved([]*Program{p}, dir)) > 0 {
		return fmt.Errorf("%s: %s names this command, which you have not run yet: read it, then add --run-commands",
			p, dir)
	}
	Approve(p)
	return nil
}
