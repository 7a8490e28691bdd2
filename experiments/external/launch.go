package external

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// NotStarted is the error of a program that copse could not start, for example because the disk is
// full.
type NotStarted struct{ cause error }

func (n *NotStarted) Error() string { return n.cause.Error() }

func (n *NotStarted) Unwrap() error { return n.cause }

// launch starts a program in a new private folder. argumentsFor returns the arguments of the
// command for this folder. The error is a NotStarted.
func launch(
	program *Program, source string, argumentsFor func(private string) []string,
) (_ *process, err error) {
	defer func() {
		if err != nil {
			err = &NotStarted{err}
		}
	}()
	if err := program.consent(source); err != nil {
		return nil, err
	}
	tempFolder, err := newPrivateFolder()
	if err != nil {
		return nil, err
	}
	p := &process{program: program, source: source, output: newOutput(), ended: make(chan struct{}),
		tempFolder: tempFolder, descriptions: map[string]*Handshake{}}
	if err := p.start(argumentsFor(tempFolder.path)); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// copiedFiles returns the folder with the copies of the program's files, in which it runs.
func (p *process) copiedFiles() string { return filepath.Join(p.tempFolder.path, "files") }

// start copies the program's files, runs the command with the given arguments, and connects p to
// its input and output.
func (p *process) start(arguments []string) error {
	folder := p.copiedFiles()
	if err := copyFiles(p.program, p.source, folder); err != nil {
		return err
	}
	path, err := p.program.Find(folder)
	if err != nil {
		return err
	}
	if err := os.CopyFS(p.tempFolder.path, clientLibraries); err != nil {
		return err
	}
	command := exec.Command(path, arguments...)
	command.Dir = folder
	command.Env = environment(p.program, string(p.output.token), p.tempFolder.path)
	command.Stdout, command.Stderr = p.output, p.output
	command.WaitDelay = pipesLimit    // a child process may keep the pipes open
	requests, input, err := os.Pipe() // unlike command.StdinPipe, input stays open after the program's end
	if err != nil {
		return err
	}
	defer requests.Close()
	command.Stdin = requests
	p.input = input
	return p.startSupervised(command)
}

// startSupervised starts the command of p. If copse is killed at any time, the supervisor ends the
// program.
func (p *process) startSupervised(command *exec.Cmd) (err error) {
	// Until the group is known, the supervisor can find the processes by their token.
	token := string(p.output.token)
	unknown := group{}
	if err := notifySupervisor("start", unknown, token); err != nil {
		return err
	}
	if p.group, err = startGroup(command); err != nil {
		return err
	}
	p.command = command // from now on, p.close ends the program
	p.watch()
	return errors.Join(notifySupervisor("start", p.group, token), notifySupervisor("end", unknown, token))
}

// copyFiles copies the files of a program to a new folder. It returns an error if they have changed
// since the study was read.
func copyFiles(program *Program, from, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	err := program.EachFile(from, func(name string, mode fs.FileMode, content io.Reader) error {
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm()|0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	})
	if err != nil {
		return err
	}
	changed, err := program.changedFile(to)
	if err != nil || changed == "" {
		return err
	}
	return fmt.Errorf("%s changed after copse read the study; run the same command again, which computes the "+
		"results of the changed program", filepath.Join(from, changed))
}

// environment returns the environment variables for a program. token is the prefix of each reply.
// temporary is the folder of the client libraries and of temporary files.
func environment(program *Program, token, temporary string) []string {
	clientFolder := filepath.Join(temporary, "clients")
	pythonPath := clientFolder
	if former := os.Getenv("PYTHONPATH"); former != "" {
		pythonPath += string(os.PathListSeparator) + former
	}
	list := append(os.Environ(), "COPSE_TOKEN="+token, "COPSE_CLIENT="+clientFolder,
		"COPSE_PARAMS="+string(marshal(program.Params)), "PYTHONPATH="+pythonPath, "PYTHONDONTWRITEBYTECODE=1",
		"TMPDIR="+temporary, "TMP="+temporary, "TEMP="+temporary)
	if program.Memory > 0 { // Go's garbage collector then tries to keep the memory 10 % below the limit
		list = append(list, fmt.Sprint("GOMEMLIMIT=", program.Memory-program.Memory/10))
	}
	if program.Threads > 0 {
		for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
			"VECLIB_MAXIMUM_THREADS", "JULIA_NUM_THREADS", "GOMAXPROCS"} {
			list = append(list, fmt.Sprintf("%s=%d", name, program.Threads))
		}
	}
	return list
}
