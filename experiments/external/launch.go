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

// launch runs a program, in a copy of its files, with arguments that may name its private folder.
func launch(program *Program, folder string, arguments func(private string) []string) (_ *process, err error) {
	if err := program.consent(folder); err != nil {
		return nil, err
	}
	digits := make([]byte, 16)
	if _, err := rand.Read(digits); err != nil {
		return nil, err
	}
	token := hex.EncodeToString(digits)
	p := &process{program: program, output: newOutput(token), ended: make(chan struct{})}
	if p.private, err = newPrivateFolder(); err != nil {
		return nil, err
	}
	p.folder = p.private.path
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	copied, err := p.copyFiles(folder)
	if err != nil {
		return nil, err
	}
	path, err := program.Find(copied)
	if err != nil {
		return nil, err
	}
	environment, err := p.environment()
	if err != nil {
		return nil, err
	}
	command := exec.Command(path, arguments(p.folder)...)
	command.Dir, command.Env = copied, environment
	command.Stdout, command.Stderr = p.output, p.output
	command.WaitDelay = pipesLimit // a child that outlives it may hold the pipes open
	if p.input, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	if p.group, err = startGroup(command); err != nil {
		return nil, err
	}
	p.command = command
	p.watch()
	if err := notifySupervisor("start", p.group, token); err != nil {
		return nil, err
	}
	return p, nil
}

// copyFiles makes the folder that the program runs in and returns its path. The folder holds
// only the files that the study declares, so that the program runs equally elsewhere. Edits
// of the original files during a run have no effect.
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
		err = fmt.Errorf("files: %s in %s changed since the study was read: run it again",
			strings.Join(p.program.Files, ", "), folder)
	}
	return to, err
}

// environment returns the environment variables of a program: those of copse and of the
// protocol.
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
	if p.program.Memory > 0 { // makes Go programs collect garbage more often near the limit
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
