package external

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"copse/experiments/config"
)

// A process is a running program. One goroutine at a time uses it.
type process struct {
	program *Program
	hello   Hello
	private *privateFolder
	folder  string // its path; it holds the arrays
	command *exec.Cmd
	input   io.WriteCloser
	output  *output
	group   group         // of processes, as the platform has them
	ended   chan struct{} // closed when the first process of the group has ended
	asked   int
	peak    int64 // bytes that the group held at most during the last request
}

const (
	startLimit = 2 * time.Minute // for the Hello: Julia compiles first
	lookEvery  = 100 * time.Millisecond
	writeLimit = 10 * time.Second // for a program that does not read its input
	pipesLimit = time.Second      // to empty the pipes after the end
)

// grace is the time between SIGTERM and SIGKILL, and closeGrace that between the
// end of the input and SIGTERM.
var grace, closeGrace = 10 * time.Second, 2 * time.Second

// A Fault is what a program did wrong; the process that did is not used again.
type Fault struct {
	Msg string
	Log string // the end of what it printed
}

func (f *Fault) Error() string {
	if f.Log == "" {
		return f.Msg
	}
	return f.Msg + "; it printed: " + f.Log
}

func (p *process) fault(format string, args ...any) error {
	return &Fault{fmt.Sprintf(format, args...), p.output.quote(p.folder)}
}

// start runs a program whose files lie in the given folder and waits for its
// Hello.
func start(ctx context.Context, program *Program, folder string) (*process, error) {
	p, err := launch(program, folder, func(string) []string { return program.Command[1:] })
	if err != nil {
		return nil, err
	}
	if err := p.greet(ctx); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// launch runs a program, in a copy of its files, with arguments that may name its private folder.
func launch(program *Program, folder string, arguments func(private string) []string) (_ *process, err error) {
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return nil, err
	}
	p := &process{program: program, output: newOutput(hex.EncodeToString(token)), ended: make(chan struct{})}
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
	go p.wait() // the end of a process can only be waited for
	return p, nil
}

// copyFiles makes the folder that the program runs in. It holds what the study
// declares and nothing else, so that the program runs elsewhere as it runs here,
// and an edit while it runs changes nothing.
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
		err = fmt.Errorf("files: %s in %s changed since the study was read: run it again", strings.Join(p.program.Files, ", "), folder)
	}
	return to, err
}

func (p *process) wait() {
	_ = p.command.Wait() // ProcessState tells more
	close(p.ended)
}

// environment is what a program sees: copse's own surroundings and the protocol's
// variables.
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
		"COPSE_PARAMS="+string(params), "PYTHONPATH="+search, "PYTHONDONTWRITEBYTECODE=1", "TMPDIR="+p.folder)
	if p.program.Memory > 0 { // Go programs, copse's own workers among them, collect harder near it
		environment = append(environment, fmt.Sprint("GOMEMLIMIT=", p.program.Memory-p.program.Memory/10))
	}
	if n := p.program.Threads; n > 0 {
		for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "JULIA_NUM_THREADS", "GOMAXPROCS"} {
			environment = append(environment, name+"="+strconv.Itoa(n))
		}
	}
	return environment, nil
}

// greet waits for the Hello, after which the platform's own limit of memory is
// set: what an interpreter maps to begin with does not count.
func (p *process) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	text, err := p.await(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return p.fault("said nothing in %s", startLimit)
	case errors.Is(err, errEnded):
		return p.broken("")
	case err != nil:
		return err
	}
	if err := json.Unmarshal(text, &p.hello); err != nil {
		return p.fault("began with %q, which is no greeting: %v", shorten(text), err)
	}
	if err := p.hello.check(p.program); err != nil {
		return p.fault("%v", err)
	}
	if p.program.Memory > 0 {
		p.group.limitMemory(p.program.Memory)
	}
	return nil
}

// ask sends a request and returns the reply. Whatever goes wrong on the way,
// except that the program itself reports an error, is a Fault or ctx's error.
func (p *process) ask(ctx context.Context, r request) (*reply, error) {
	p.asked++
	r.ID, r.Out = p.asked, p.folder
	if deadline, ok := ctx.Deadline(); ok {
		r.Deadline = time.Until(deadline).Seconds()
	}
	line, err := marshal(r)
	if err != nil {
		return nil, err
	}
	p.output.forget()
	p.group.resetPeak()
	if pipe, ok := p.input.(*os.File); ok {
		_ = pipe.SetWriteDeadline(time.Now().Add(writeLimit)) // no pipe of Windows has one
	}
	if _, err := p.input.Write(append(line, '\n')); err != nil {
		return nil, p.broken("does not read its requests")
	}
	text, err := p.await(ctx)
	if errors.Is(err, errEnded) {
		return nil, p.broken("")
	}
	if err != nil {
		return nil, err
	}
	p.peak = max(p.peak, p.group.peak())
	answer := &reply{}
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, p.fault("answered %q: %v", shorten(text), err)
	}
	if answer.ID != r.ID {
		return nil, p.fault("answered request %d, not %d", answer.ID, r.ID)
	}
	if limit := p.program.Memory; limit > 0 && p.peak > limit {
		return nil, p.overMemory()
	}
	if !answer.OK {
		if p.ranOutOfMemory(answer.Error) {
			return nil, p.overMemory()
		}
		return nil, &Refusal{oneLine(answer.Error)}
	}
	return answer, nil
}

// A Refusal is a program's own error: these data cannot be fitted. Its process
// goes on.
type Refusal struct{ Msg string }

func (r *Refusal) Error() string {
	if r.Msg == "" {
		return "failed without a message"
	}
	return r.Msg
}

// errEnded says that a process ended, by itself.
var errEnded = errors.New("ended")

// await returns the program's next reply, unless it ends, takes too much memory,
// or ctx is done, and then it is stopped.
func (p *process) await(ctx context.Context) ([]byte, error) {
	p.peak = 0
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case text := <-p.output.replies:
			return text, nil
		case <-p.ended:
			select {
			case text := <-p.output.replies: // its last words
				return text, nil
			default:
				return nil, errEnded
			}
		case <-ctx.Done():
			p.stop()
			return nil, ctx.Err()
		case <-look.C:
			p.peak = max(p.peak, p.group.resident())
			if limit := p.program.Memory; limit > 0 && p.peak > limit {
				p.stop()
				return nil, p.overMemory()
			}
		}
	}
}

func (p *process) overMemory() error {
	return &Fault{Msg: fmt.Sprintf("memory limit of %s exceeded", config.FormatBytes(p.program.Memory))}
}

// broken is the fault of a process that can no longer be talked to.
func (p *process) broken(what string) error {
	select {
	case <-p.ended:
	case <-time.After(pipesLimit):
		return p.fault("%s", what)
	}
	if p.ranOutOfMemory("") {
		return p.overMemory()
	}
	return p.fault("ended before it answered (%s)%s", p.command.ProcessState, hint(p.output.log()))
}

// stop ends the whole group: SIGTERM, and SIGKILL when the grace is over.
func (p *process) stop() {
	p.group.terminate()
	select {
	case <-p.ended:
	case <-time.After(grace):
	}
	p.group.kill() // also what outlives its parent
	<-p.ended
}

// close lets the process end by itself, for its input has ended; stops it if it
// does not; and removes its folder.
func (p *process) close() {
	if p.command != nil {
		p.input.Close()
		select {
		case <-p.ended:
			p.group.kill()
		case <-time.After(closeGrace):
			p.stop()
		}
		p.group.release()
	}
	p.private.remove()
}

func shorten(text []byte) string {
	const most = 80
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "?") + "..."
}
