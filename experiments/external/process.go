package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"copse/experiments/config"
)

// A process is a running program. It is not safe for concurrent use.
type process struct {
	program      *Program
	hello        Handshake             // the first message from the program
	descriptions map[string]*Handshake // of the classifiers of an adapter, by Spec
	source       string                // the folder with the program's files
	tempFolder   *privateFolder        // contains the arrays that requests refer to
	replyFolder  string                // for files of the reply, inside tempFolder; new for each request
	command      *exec.Cmd
	input        *os.File
	output       *output
	group        group         // the program and its child processes
	ended        chan struct{} // closed at the end of the group's first process
	requestID    int64         // random id of the current request
	previousID   int64         // id of the previous request
	peak         int64         // peak memory of the group during the current request, in bytes
}

// startLimit is the time limit for the handshake; Julia first compiles a program. startPatience is
// the time after which copse prints that it is still waiting.
var startLimit, startPatience = 2 * time.Minute, 10 * time.Second

const (
	lookEvery  = 100 * time.Millisecond // time between measurements of memory
	writeLimit = 10 * time.Second       // time limit for sending a request
	pipesLimit = time.Second            // time limit for reading the output of a program that has ended
)

// Waiting times while a program is being stopped.
var (
	grace      = 10 * time.Second // from SIGTERM to SIGKILL
	closeGrace = 2 * time.Second  // time between the end of the input and SIGTERM
	dropGrace  = 10 * time.Second // time limit for the request to drop a problem
)

// A Fault is returned if a program violates the protocol, exceeds a limit or ends before it
// replies.
type Fault struct {
	Msg   string
	Log   string // the end of the program's log
	cause error
}

func (f *Fault) Unwrap() error { return f.cause }

func (f *Fault) Error() string {
	if f.Log == "" {
		return f.Msg
	}
	return f.Msg + "; it printed: " + f.Log
}

// fault returns a Fault with a message, which may wrap an error by %w, and the end of the log.
func (p *process) fault(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Fault{p.conceal(err.Error()), quote(p.conceal(p.output.log())), errors.Unwrap(err)}
}

// conceal replaces parts of a message that differ between runs, so that equal failures have equal
// messages.
func (p *process) conceal(text string) string {
	pairs := []string{p.tempFolder.path, "FOLDER", filepath.Base(p.tempFolder.path), "FOLDER",
		string(p.output.token), "TOKEN"}
	if p.replyFolder != "" { // replyFolder first, because its path begins with tempFolder
		pairs = append([]string{p.replyFolder, "FOLDER", filepath.Base(p.replyFolder), "FOLDER",
			strconv.FormatInt(p.requestID, 10), "REQUEST"}, pairs...)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

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

// watch closes p.ended when the process ends.
func (p *process) watch() {
	go func() {
		_ = p.command.Wait() // the error is also in p.command.ProcessState
		close(p.ended)
	}()
}

// handshake waits for the program's first message, stores it in p.hello and checks it.
func (p *process) handshake(ctx context.Context, wait Wait) error {
	text, err := p.await(ctx, p.watchStart(wait))
	if err != nil {
		return err
	}
	if len(text) > longestText {
		return p.fault("sent a handshake of %d bytes; the maximum is %d", len(text), longestText)
	}
	if err := json.Unmarshal(text, &p.hello); err != nil {
		return p.fault("sent %q, which is not a valid handshake: %v", p.shorten(text), err)
	}
	if err := p.hello.check(p.program); err != nil {
		return p.fault("%v", err)
	}
	// The memory that an interpreter maps at startup must not count.
	if p.program.Memory > 0 {
		p.group.limitMemory(p.program.Memory)
	}
	return nil
}

// watchStart returns a function that await calls at regular intervals until the program has sent
// its handshake. This function calls wait.Notify once, after startPatience.
//
// The function returns an error if startLimit has passed, the program has printed too much, or
// wait.Stop is closed. After an error, the caller must close p.
func (p *process) watchStart(wait Wait) func() error {
	began := time.Now()
	mustNotify := wait.Notify != nil
	return func() error {
		waited := time.Since(began)
		if mustNotify && waited >= startPatience {
			mustNotify = false
			wait.Notify(fmt.Sprintf("has not sent its handshake after %s; copse waits up to %s", startPatience,
				startLimit))
		}
		if waited >= startLimit {
			return p.fault("sent no handshake within %s: %s", startLimit, p.whySilent())
		}
		if p.output.size() > longestReply { // the limit of a reply also applies to all output before the handshake
			return p.fault("printed more than %d bytes before its handshake", longestReply)
		}
		select {
		case <-wait.Stop:
			p.stop() // at once; close alone would wait for the program to end by itself
			return ErrStopped
		default: // wait.Stop is open or nil
			return nil
		}
	}
}

// exchange sends a request to the program and returns the reply. The error is a Refusal or a Fault.
func (p *process) exchange(ctx context.Context, r request) (*reply, error) {
	if err := p.newRequest(); err != nil {
		return nil, err
	}
	r.ID, r.Out = p.requestID, p.replyFolder
	if deadline, ok := ctx.Deadline(); ok {
		r.Deadline = time.Until(deadline).Seconds()
	}
	if err := p.send(&r); err != nil {
		return nil, err
	}
	text, err := p.await(ctx, nil)
	// The program may repeat its reply to the previous request once.
	if err == nil && p.repeats(text) {
		text, err = p.await(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	p.peak = max(p.peak, p.group.peak()) // await may have missed short peaks of memory
	return p.decode(text)
}

// send discards all earlier output, restarts the measurement of the peak memory, and writes a
// request.
func (p *process) send(r *request) error {
	line := marshal(r)
	p.output.forget()
	p.group.resetPeak()
	_ = p.input.SetWriteDeadline(time.Now().Add(writeLimit)) // not supported on Windows
	if _, err := p.input.Write(append(line, '\n')); err == nil {
		return nil
	}
	// The write usually fails because the program is ending.
	if p.endsWithin(pipesLimit) {
		return p.endFault(errUnread)
	}
	return p.fault("does not read its requests")
}

func (p *process) repeats(line []byte) bool {
	var answer reply
	return json.Unmarshal(line, &answer) == nil && p.previousID != 0 && answer.ID == p.previousID
}

// decode returns the reply to the current request. It returns a Refusal if the program reports an
// error, and a Fault if the reply is invalid or the memory limit was exceeded.
func (p *process) decode(line []byte) (*reply, error) {
	answer := &reply{}
	if err := json.Unmarshal(line, answer); err != nil {
		return nil, p.fault("sent the reply %q: %v", p.shorten(line), err)
	}
	if answer.ID != p.requestID {
		return nil, p.fault("replied to another request")
	}
	if limit := p.program.Memory; limit > 0 && p.peak > limit {
		return nil, p.overMemory()
	}
	if !answer.OK {
		if p.ranOutOfMemory(answer.Error) {
			return nil, p.overMemory()
		}
		shortened := limited([]string{p.conceal(answer.Error)}) // a long error becomes its beginning and a note
		message := oneLine(strings.Join(shortened, "... "))
		return nil, &Refusal{Msg: message, Trace: p.conceal(answer.Trace)}
	}
	for i, warning := range answer.Warnings {
		answer.Warnings[i] = oneLine(p.conceal(warning))
	}
	answer.Warnings = limited(answer.Warnings)
	return answer, nil
}

// newRequest chooses a random id below 2^53, which a float64 represents exactly, and makes a folder
// for the reply.
func (p *process) newRequest() error {
	if p.replyFolder != "" {
		if err := os.RemoveAll(p.replyFolder); err != nil {
			return err
		}
	}
	p.previousID = p.requestID
	p.requestID = rand.Int64N(1 << 53)
	answers, err := os.MkdirTemp(p.tempFolder.path, "answers-")
	p.replyFolder = answers
	return err
}

// A Refusal is an error that the program itself reports. The process keeps running.
type Refusal struct {
	Msg   string
	Trace string // the calls that led to the error, or ""
}

func (r *Refusal) Error() string {
	if r.Msg == "" {
		return "the program reported an error without a message"
	}
	return r.Msg
}

var (
	errEnded  = errors.New("ended before it answered")         // the process has ended
	errUnread = errors.New("ended before it read its request") // this request is not the reason
)

// await returns the next reply. If ctx is done or a limit is exceeded, await stops the program and
// returns an error. If the program ends first, the error wraps errEnded or errUnread.
//
// At regular intervals, await calls watch, which may be nil. An error of watch ends the wait.
func (p *process) await(ctx context.Context, watch func() error) ([]byte, error) {
	p.peak = 0 // checkMemory raises it at each tick
	ticks := time.Tick(lookEvery)
	for {
		select {
		case text := <-p.output.replies:
			return text, nil
		case <-p.ended:
			return p.lastReply()
		case <-ctx.Done():
			p.stop()
			return nil, p.fault("%w", context.Cause(ctx))
		case <-p.output.tooLong:
			p.stop()
			return nil, p.fault("sent a reply of more than %d bytes", longestReply)
		case <-ticks:
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

// lastReply returns a reply that the program sent just before it ended. Without a reply, the error
// wraps errEnded, or errUnread if the program did not read the whole request.
func (p *process) lastReply() ([]byte, error) {
	select {
	case text := <-p.output.replies:
		return text, nil
	default:
	}
	if unread(p.input) > 0 { // at least a part of the request
		return nil, p.endFault(errUnread)
	}
	return nil, p.endFault(errEnded)
}

// checkMemory stops the program if the memory of its process group exceeds the limit.
func (p *process) checkMemory() error {
	p.peak = max(p.peak, p.group.resident())
	if limit := p.program.Memory; limit > 0 && p.peak > limit {
		p.stop()
		return p.overMemory()
	}
	return nil
}

func (p *process) overMemory() error {
	return p.fault("memory limit of %s exceeded", config.FormatBytes(p.program.Memory))
}

// endFault returns a Fault for a program that ended without a reply. reason is errEnded or
// errUnread.
func (p *process) endFault(reason error) error {
	if p.ranOutOfMemory("") {
		return p.overMemory()
	}
	remedy := p.hint(p.output.log())
	if p.hello.Protocol == "" && p.program.Kind != CSVGenerator && p.command.ProcessState.Success() {
		remedy = ": the program must answer requests until its input ends; `copse new` writes a template that does"
	}
	return p.fault("%w (%s)%s", reason, p.command.ProcessState, remedy)
}

// endsWithin waits for the end of the process, and reports whether it has ended within the limit.
func (p *process) endsWithin(limit time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(limit):
		return false
	}
}

// stop ends all processes of the program by SIGTERM and, after at most the grace period, by
// SIGKILL.
func (p *process) stop() {
	p.group.terminate()
	p.endsWithin(grace)
	p.kill()
	<-p.ended
}

// kill kills all processes of the program, including those that left the process group.
func (p *process) kill() {
	p.group.kill()
	killStrays(string(p.output.token))
}

// close ends the input of the process, stops the process if it does not end by itself, and removes
// the private folder.
func (p *process) close() {
	p.input.Close()
	if p.command != nil {
		if p.endsWithin(closeGrace) {
			p.kill()
		} else {
			p.stop()
		}
		_ = notifySupervisor("end", p.group, string(p.output.token)) // harmless error: the program has ended
		p.group.release()
	}
	p.tempFolder.remove()
}

func (p *process) shorten(text []byte) string {
	return shorten(p.conceal(string(text[:min(len(text), longestText)])))
}

// shorten cuts a text of more than 80 bytes and marks the cut with "...".
func shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "?") + "..."
}
