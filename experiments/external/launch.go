package external

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// launch starts a program whose files are in the folder source. The program runs in a copy of its
// files, in a new private folder. The function arguments receives the path of this folder and returns
// the arguments of the command.
func launch(program *Program, source string, arguments func(private string) []string) (*process, error) {
	if err := program.consent(source); err != nil {
		return nil, err
	}
	token, err := newToken()
	if err != nil {
		return nil, err
	}
	private, err := newPrivateFolder()
	if err != nil {
		return nil, err
	}
	p := &process{program: program, output: newOutput(token), ended: make(chan struct{}), private: private,
		folder: private.path}
	if err := p.startIn(source, arguments(private.path)); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// newToken returns random digits. A program begins each line for copse with them.
func newToken() (string, error) {
	digits := make([]byte, 16)
	_, err := rand.Read(digits)
	return hex.EncodeToString(digits), err
}

// startIn copies the files of the program from source and starts its command.
func (p *process) startIn(source string, arguments []string) error {
	copied, err := p.copyFiles(source)
	if err != nil {
		return err
	}
	path, err := p.program.Find(copied)
	if err != nil {
		return err
	}
	environment, err := p.environment()
	if err != nil {
		return err
	}
	command := exec.Command(path, arguments...)
	command.Dir, command.Env = copied, environment
	command.Stdout, command.Stderr = p.output, p.output
	command.WaitDelay = pipesLimit // a child process may keep the pipes open after the program has ended
	if p.input, err = command.StdinPipe(); err != nil {
		return err
	}
	if p.group, err = startGroup(command); err != nil {
		return err
	}
	p.command = command // from now on, p.close ends the program
	p.watch()
	return notifySupervisor("start", p.group, string(p.output.token))
}

// copyFiles copies the files of the program to a new folder and returns its path. The program runs in
// this folder. It only contains files that the study declares, so the study does not depend on others.
// Changes of the original files during a run have no effect.
func (p *process) copyFiles(folder string) (string, error) {
	to := filepath.Join(p.folder, "files")
	if err := os.Mkdir(to, 0o700); err != nil {
		return "", err
	}
	err := p.program.Copy(folder, to, func(path string, mode fs.FileMode, content io.Reader) error {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	})
	if err != nil {
		return "", err
	}
	sum, err := p.program.digest(to)
	if err == nil && sum != p.program.Digest {
		err = fmt.Errorf("files: %s in %s changed after copse read the study: run the command again",
			strings.Join(p.program.Files, ", "), folder)
	}
	return to, err
}

// environment returns the environment variables of a program: all variables of copse, the variables of
// the protocol, and limits for memory and threads.
func (p *process) environment() ([]string, error) {
	clients := filepath.Join(p.folder, "client")
	if err := writeClients(clients); err != nil {
		return nil, err
	}
	params, err := marshal(p.program.Params)
	if err != nil {
		return nil, err
	}
	search := clients
	if was := os.Getenv("PYTHONPATH"); was != "" {
		search += string(os.PathListSeparator) + was
	}
	environment := append(os.Environ(), "COPSE_TOKEN="+string(p.output.token), "COPSE_CLIENT="+clients,
		"COPSE_PARAMS="+string(params), "PYTHONPATH="+search, "PYTHONDONTWRITEBYTECODE=1",
		"TMPDIR="+p.folder, "TMP="+p.folder, "TEMP="+p.folder)
	if p.program.Memory > 0 { // so that Go programs collect garbage before they reach the limit
		environment = append(environment, fmt.Sprint("GOMEMLIMIT=", p.program.Memory-p.program.Memory/10))
	}
	if n := p.program.Threads; n > 0 {
		for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
			"VECLIB_MAXIMUM_THREADS", "JULIA_NUM_THREADS", "GOMAXPROCS"} {
			environment = append(environment, name+"="+strconv.Itoa(n))
		}
	}
	return environment, nil
}
