package external

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"copse/experiments/config"
)

// A process is a running program. One goroutine at a time uses it.
type process struct {
	program *Program
	hello   Hello
	recipes map[string]*Hello // of an adapter: its descriptions of recipes, by Spec
	private *privateFolder
	folder  string // its path; it holds the arrays
	answers string // a folder in it for the files of a reply; each request has a new one
	command *exec.Cmd
	input   io.WriteCloser
	output  *output
	group   group         // the program and its children
	ended   chan struct{} // closed when the first process of the group has ended
	asked   int64         // random id of the present request
	before  int64         // id of the request before it
	peak    int64         // most bytes of memory of the group during the last request
}

// startLimit is the time limit of the handshake; Julia compiles before it. The caller is
// notified after startPatience.
var startLimit, startPatience = 2 * time.Minute, 10 * time.Second

const (
	lookEvery  = 100 * time.Millisecond // between measurements of memory
	writeLimit = 10 * time.Second       // for a program that does not read its input
	pipesLimit = time.Second            // to empty the pipes after the end
)

// grace is the time from SIGTERM to SIGKILL, closeGrace the time from the end of the input
// to SIGTERM, and dropGrace the time limit of dropping a problem.
var grace, closeGrace, dropGrace = 10 * time.Second, 2 * time.Second, 10 * time.Second

// A Fault is a mistake of a program. Its process is not used again.
type Fault struct {
	Msg string
	Log string // the end of its log
}

func (f *Fault) Error() string {
	if f.Log == "" {
		return f.Msg
	}
	return f.Msg + "; it printed: " + f.Log
}

// fault returns a Fault with the end of the program's log.
func (p *process) fault(format string, args ...any) error {
	return &Fault{fmt.Sprintf(format, args...), quote(p.conceal(p.output.log()))}
}

// conceal replaces texts that differ between runs: names of private folders, the token and
// the number of the request.
func (p *process) conceal(text string) string { return p.concealer().Replace(text) }

// concealer returns the replacements of conceal.
func (p *process) concealer() *strings.Replacer {
	pairs := []string{p.folder, "FOLDER", string(p.output.token), "TOKEN"}
	if p.answers != "" { // it begins with the folder, hence comes first
		pairs = append([]string{p.answers, "FOLDER", strconv.FormatInt(p.asked, 10), "REQUEST"}, pairs...)
	}
	return strings.NewReplacer(pairs...)
}

// start runs a program whose files lie in the given folder and waits for its
// Hello.
func start(ctx context.Context, program *Program, folder string, wait Wait) (*process, error) {
	p, err := launch(program, folder, func(string) []string { return program.Command[1:] })
	if err != nil {
		return nil, err
	}
	if err := p.handshake(ctx, wait); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// watch closes ended when the process ends.
func (p *process) watch() {
	go func() {
		_ = p.command.Wait() // ProcessState has more than the error
		close(p.ended)
	}()
}

// handshake waits for the program's Hello. It then sets the platform's memory limit: memory that
// an interpreter maps at its start does not count.
func (p *process) handshake(ctx context.Context, wait Wait) error {
	text, err := p.await(ctx, p.watchStart(wait))
	switch {
	case errors.Is(err, errSilent):
		return p.fault("sent no handshake in %s: %s", startLimit, p.whySilent())
	case errors.Is(err, errEnded):
		return p.broken("")
	case err != nil:
		return err
	}
	if len(text) > longestText {
		return p.fault("began with a handshake of %d bytes; at most %d are read", len(text), longestText)
	}
	if err := json.Unmarshal(text, &p.hello); err != nil {
		return p.fault("began with %q, which is no handshake: %v", p.shorten(text), err)
	}
	if err := p.hello.check(p.program); err != nil {
		return p.fault("%v", err)
	}
	if p.program.Memory > 0 {
		p.group.limitMemory(p.program.Memory)
	}
	return nil
}

// watchStart returns a function for await that ends the wait for a handshake: at its time limit
// with errSilent, after a stop request with ErrStopped, or after too much output. It notifies the
// caller once if the program is slow.
func (p *process) watchStart(wait Wait) func() error {
	began, notified := time.Now(), false
	return func() error {
		waited := time.Since(began)
		if wait.Notify != nil && !notified && waited >= startPatience {
			notified = true
			wait.Notify(fmt.Sprintf("has not started after %s; copse waits up to %s", startPatience, startLimit))
		}
		if waited >= startLimit {
			return errSilent
		}
		if p.output.size() > longestReply {
			return p.fault("printed more than %d bytes before its handshake", longestReply)
		}
		select {
		case <-wait.Stop:
			p.stop()
			return ErrStopped
		default:
			return nil
		}
	}
}

// exchange sends a request and returns the reply. Its error is a Refusal if the program reports
// an error, the error of ctx if ctx is done, and otherwise a Fault.
func (p *process) exchange(ctx context.Context, r request) (*reply, error) {
	if err := p.newRequest(); err != nil {
		return nil, err
	}
	r.ID, r.Out = p.asked, p.answers
	if deadline, ok := ctx.Deadline(); ok {
		r.Deadline = time.Until(deadline).Seconds()
	}
	if err := p.send(&r); err != nil {
		return nil, err
	}
	text, err := p.await(ctx, nil)
	if err == nil && p.repeats(text) {
		text, err = p.await(ctx, nil)
	}
	if errors.Is(err, errEnded) {
		return nil, p.broken("")
	}
	if err != nil {
		return nil, err
	}
	p.peak = max(p.peak, p.group.peak())
	return p.decode(text)
}

// send writes a request to the program's input. It first drops all output so far, which is no
// reply to it.
func (p *process) send(r *request) error {
	line, err := marshal(r)
	if err != nil {
		return err
	}
	p.output.forget()
	p.group.resetPeak()
	if pipe, ok := p.input.(*os.File); ok {
		_ = pipe.SetWriteDeadline(time.Now().Add(writeLimit)) // fails on Windows, whose pipes have no deadline
	}
	if _, err := p.input.Write(append(line, '\n')); err != nil {
		return p.broken("does not read its requests")
	}
	return nil
}

// repeats reports whether a line is a second reply to the request before the present one. Such a
// reply may arrive after send has dropped the output so far.
func (p *process) repeats(line []byte) bool {
	var answer reply
	return json.Unmarshal(line, &answer) == nil && p.before != 0 && answer.ID == p.before
}

// decode returns the reply in a line of the program, or the error that the line or the memory of
// the program means.
func (p *process) decode(line []byte) (*reply, error) {
	answer := &reply{}
	if err := json.Unmarshal(line, answer); err != nil {
		return nil, p.fault("answered %q: %v", p.shorten(line), err)
	}
	if answer.ID != p.asked {
		return nil, p.fault("answered another request")
	}
	if limit := p.program.Memory; limit > 0 && p.peak > limit {
		return nil, p.overMemory()
	}
	if !answer.OK {
		if p.ranOutOfMemory(answer.Error) {
			return nil, p.overMemory()
		}
		return nil, &Refusal{oneLine(limited(p.conceal(answer.Error)))}
	}
	concealer := p.concealer()
	for i, warning := range answer.Warnings {
		answer.Warnings[i] = concealer.Replace(warning)
	}
	answer.Warnings = limitedList(answer.Warnings)
	return answer, nil
}

// newRequest sets a random number and an empty folder for the reply, so that no earlier
// reply can be mistaken for it. The number is below 2^53, so that a double is exact.
func (p *process) newRequest() error {
	if p.answers != "" {
		if err := os.RemoveAll(p.answers); err != nil {
			return err
		}
	}
	number, err := rand.Int(rand.Reader, big.NewInt(1<<53))
	if err != nil {
		return err
	}
	p.before, p.asked = p.asked, number.Int64()
	p.answers, err = os.MkdirTemp(p.folder, "answers-")
	return err
}

// A Refusal is a program's own error, such as data that it cannot fit. Its process continues.
type Refusal struct{ Msg string }

func (r *Refusal) Error() string {
	if r.Msg == "" {
		return "failed without a message"
	}
	return r.Msg
}

// errEnded reports that a process ended by itself; errSilent reports that its handshake did
// not come in time.
var errEnded, errSilent = errors.New("ended"), errors.New("silent")

// await returns the program's next reply, or errEnded if the program ends. It stops the program
// and returns an error if ctx is done, a reply has no end, or the program exceeds its memory limit.
// It calls watch, unless nil, at intervals; an error of watch ends the wait.
func (p *process) await(ctx context.Context, watch func() error) ([]byte, error) {
	p.peak = 0
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case text := <-p.output.replies:
			return text, nil
		case <-p.ended:
			return p.lastReply()
		case <-ctx.Done():
			p.stop()
			return nil, ctx.Err()
		case <-p.output.endless:
			p.stop()
			return nil, p.fault("answered with more than %d bytes", longestReply)
		case <-ticker.C:
			if err := p.checkMemory(); err != nil {
				return nil, err
			}
			if watch == nil {
				continue
			}
			if err := watch(); err != nil {
				return nil, err
			}
		}
	}
}

// lastReply returns a reply that an ended program sent just before its end; without one, errEnded.
func (p *process) lastReply() ([]byte, error) {
	select {
	case text := <-p.output.replies:
		return text, nil
	default:
		return nil, errEnded
	}
}

// checkMemory measures the memory of the process group. It stops the program above its limit.
func (p *process) checkMemory() error {
	p.peak = max(p.peak, p.group.resident())
	if limit := p.program.Memory; limit > 0 && p.peak > limit {
		p.stop()
		return p.overMemory()
	}
	return nil
}

func (p *process) overMemory() error {
	return &Fault{Msg: fmt.Sprintf("memory limit of %s exceeded", config.FormatBytes(p.program.Memory))}
}

// broken returns the fault of a process that ended, or why if it still runs.
func (p *process) broken(why string) error {
	select {
	case <-p.ended:
	case <-time.After(pipesLimit):
		return p.fault("%s", why)
	}
	if p.ranOutOfMemory("") {
		return p.overMemory()
	}
	remedy := hint(p.output.log())
	if p.hello.Protocol == "" && p.program.Kind != CSVGenerator && p.command.ProcessState.Success() {
		remedy = ": answer requests until the input ends, like the templates of copse new"
	}
	return p.fault("ended before it answered (%s)%s", p.command.ProcessState, remedy)
}

// stop ends the whole group: SIGTERM, and SIGKILL when the grace is over.
func (p *process) stop() {
	p.group.terminate()
	select {
	case <-p.ended:
	case <-time.After(grace):
	}
	p.kill()
	<-p.ended
}

// kill ends all processes that the program started, including those that left the group.
func (p *process) kill() {
	p.group.kill()
	killStrays(string(p.output.token))
}

// close ends the input of the process, stops it if it does not end by itself, and removes
// its folder.
func (p *process) close() {
	if p.command != nil {
		p.input.Close()
		select {
		case <-p.ended:
			p.kill()
		case <-time.After(closeGrace):
			p.stop()
		}
		_ = notifySupervisor("end", p.group, string(p.output.token)) // on an error there is nothing left to kill
		p.group.release()
	}
	p.private.remove()
}

// shorten returns the beginning of a reply for a message.
func (p *process) shorten(text []byte) string {
	return shorten([]byte(p.conceal(string(text[:min(len(text), longestText)]))))
}

func shorten(text []byte) string {
	const most = 80
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "?") + "..."
}
