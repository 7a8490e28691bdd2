package external

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/exp/rand"
)

// A Finding states whether a program obeys a rule of the protocol, such as "same seed, same labels".
type Finding struct {
	Rule   string
	Result Result
	Detail string // the reason, or a measurement
	Trace  string // the calls that led to an error of the program, or ""
}

// A Result is the outcome of a check.
type Result string

const (
	Passed  Result = "passed"
	Failed  Result = "FAILED"
	Skipped Result = "skipped" // the program lacks a capability
)

// A Listener receives the progress of a conformance check.
type Listener struct {
	Waiting func(text string) // receives a message if the handshake takes long; may be nil
	Started func(Handshake)
	Checked func(Finding)
}

// Conform checks whether a program obeys the rules for its kind. It returns an error only if the
// program does not start or ctx is done. A generator must draw the given number of classes.
//
// If acts is true, the program is a test classifier that misbehaves as its parameter "act"
// requests. Conform then checks how its client library handles each misbehaviour.
func Conform(ctx context.Context, program *Program, folder string, classes int, acts bool, rng *rand.Rand,
	listener Listener) error {
	s := &subject{program: program, rng: rng, host: NewHost(folder), classes: classes}
	defer s.host.Close()

	handshake := &Handshake{Kind: CSVGenerator} // a command that writes a CSV file sends none
	if program.Kind != CSVGenerator {
		var err error
		if handshake, err = s.host.Handshake(ctx, program, Wait{Notify: listener.Waiting}); err != nil {
			return err
		}
	}
	s.capabilities = handshake.Capabilities
	listener.Started(*handshake)
	rules := classifierRules
	switch {
	case acts:
		rules = clientRules()
	case handshake.Kind == Generator:
		rules = generatorRules
	case handshake.Kind == CSVGenerator:
		rules = csvGeneratorRules
	}
	for _, rule := range rules {
		var cancel context.CancelFunc
		s.ctx, cancel = context.WithTimeout(ctx, checkLimit)
		finding := rule.finding(s)
		hangs := s.ctx.Err() != nil
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		listener.Checked(finding)
		if hangs { // further checks would probably hang, too
			break
		}
	}
	return nil
}

// checkLimit is the time limit of each check. Some checks start a process and request several fits.
var checkLimit = 2 * time.Minute

// finding checks whether a program obeys the rule. A check may set s.measured, a measurement that the
// user sees after a success.
func (l *rule) finding(s *subject) Finding {
	s.measured = ""
	err := l.check(s)
	switch {
	case err == nil:
		return Finding{Rule: l.name, Result: Passed, Detail: s.measured}
	case errors.Is(s.ctx.Err(), context.DeadlineExceeded):
		return Finding{Rule: l.name, Result: Failed, Detail: fmt.Sprintf("copse stopped the program after %s and "+
			"skipped the remaining checks; the program may be waiting for something, or may be too slow even for "+
			"small data", checkLimit)}
	case errors.As(err, new(skipped)):
		return Finding{Rule: l.name, Result: Skipped, Detail: err.Error()}
	}
	failed := Finding{Rule: l.name, Result: Failed, Detail: err.Error()}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		failed.Trace = refusal.Trace
	}
	return failed
}

// A subject is a program under test.
type subject struct {
	ctx          context.Context // of the current check
	program      *Program
	rng          *rand.Rand
	host         *Host        // runs the process of the program
	capabilities Capabilities // declared by the program
	classes      int          // number of classes that a generator draws
	measured     string       // what the current check shows after a success, such as a time
}

// A rule is a requirement of the protocol. check returns an error that describes a violation, and
// may set subject.measured.
type rule struct {
	name  string
	check func(*subject) error
}

// skipped is the reason why a check was skipped.
type skipped string

func (s skipped) Error() string { return string(s) }

// firstDifference returns an error unless two lists of labels with the same length are equal.
func firstDifference(got, want []int) error {
	first, n := 0, 0
	for i := range slices.Backward(want) {
		if got[i] != want[i] {
			first, n = i, n+1
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d labels differ: the first, in row %d, is %d instead of %d", n, len(want),
		first+1, got[first], want[first])
}

// endsWithInput checks that a program ends soon after its input ends.
func endsWithInput(s *subject) error {
	p, err := s.freshProcess()
	if err != nil {
		return err
	}
	p.input.Close()
	began := time.Now()
	if !p.endsWithin(grace) {
		return fmt.Errorf("the program is still running %s after its input ended", grace)
	}
	s.measured = fmt.Sprintf("after %d ms", time.Since(began).Milliseconds())
	return nil
}

// endsOnSignal checks that SIGTERM ends a program, so that copse need not kill it.
func endsOnSignal(s *subject) error {
	p, err := s.freshProcess()
	if err != nil {
		return err
	}
	p.group.terminate()
	if !p.endsWithin(grace) {
		return fmt.Errorf("the program is still running %s after SIGTERM, so copse has to kill it", grace)
	}
	s.host.Close()
	return nil
}

func (s *subject) freshProcess() (*process, error) {
	s.host.Close()
	return s.host.process(s.ctx, s.program, Wait{})
}

// refused reports whether err is an error that the program itself reported.
func refused(err error) bool {
	return errors.As(err, new(*Refusal))
}
