package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/exp/rand" //lint:ignore SA1019 the studies' random source
)

// A Finding is what came of one law that every program is held to.
type Finding struct {
	Law    string
	Result Result
	Detail string // why it failed or was skipped, or what was seen
}

// A Result is what came of a law.
type Result string

const (
	Passed  Result = "passed"
	Failed  Result = "FAILED"
	Skipped Result = "skipped" // the program does not declare what the law is about
)

// A Listener is told how a program is held to its contract.
type Listener struct {
	Waits   func(text string) // a long time for its greeting; may be nil
	Greeted func(Hello)
	Found   func(Finding)
}

// Conform holds a program, whose files lie in the given folder, to the contract
// of its kind, law by law, and tells the listener. classes is what a generator draws.
// The error says that it could not even be started.
func Conform(ctx context.Context, program *Program, folder string, classes int, rng *rand.Rand, tell Listener) error {
	return conform(ctx, program, folder, classes, rng, tell, func(kind Kind) []law {
		if kind == Generator {
			return generatorLaws
		}
		return classifierLaws
	})
}

// conform checks the laws for the kind of program that the handshake declares.
func conform(ctx context.Context, program *Program, folder string, classes int, rng *rand.Rand, tell Listener,
	lawsFor func(Kind) []law) error {
	s := &subject{ctx: ctx, program: program, folder: folder, rng: rng, host: NewHost(folder), classes: classes}
	defer func() { s.host.Close() }()
	hello, err := s.host.Greet(ctx, program, Wait{Told: tell.Waits})
	if err != nil {
		return err
	}
	s.can = hello.Capabilities
	tell.Greeted(*hello)
	for _, law := range lawsFor(hello.Kind) {
		finding := Finding{law.name, Passed, ""}
		detail, err := law.check(s)
		if err != nil {
			finding.Result, detail = Failed, err.Error()
		}
		if errors.As(err, new(skipped)) {
			finding.Result = Skipped
		}
		finding.Detail = detail
		tell.Found(finding)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// A subject is a program that is held to the laws, and what these share.
type subject struct {
	ctx     context.Context
	program *Program
	folder  string
	rng     *rand.Rand
	host    *Host
	can     Capabilities
	classes int // of a generator
}

// fresh goes on with a new process.
func (s *subject) fresh() {
	s.host.Close()
	s.host = NewHost(s.folder)
}

type law struct {
	name  string
	check func(*subject) (seen string, err error)
}

// skipped says why a law does not apply.
type skipped string

func (s skipped) Error() string { return string(s) }

// firstDifference names the first row in which two answers differ.
func firstDifference(got, want []int) error {
	for i := range want {
		if got[i] != want[i] {
			n := 0
			for j := range want {
				if got[j] != want[j] {
					n++
				}
			}
			return fmt.Errorf("%d of %d labels differ, first in row %d: %d, before %d", n, len(want), i+1, got[i],
				want[i])
		}
	}
	return nil
}

// endsWithInput: a program ends soon after its input does, and by itself.
func endsWithInput(s *subject) (string, error) {
	s.fresh()
	if _, err := s.host.Greet(s.ctx, s.program, Wait{}); err != nil {
		return "", err
	}
	p := s.host.running[s.program.process()]
	p.input.Close()
	began := time.Now()
	select {
	case <-p.ended:
		return fmt.Sprintf("after %d ms", time.Since(began).Milliseconds()), nil
	case <-time.After(grace):
		return "", fmt.Errorf("still runs %s after its input ended", grace)
	}
}

// endsWhenTold: SIGTERM ends it, so that nothing has to be killed.
func endsWhenTold(s *subject) (string, error) {
	s.fresh()
	if _, err := s.host.Greet(s.ctx, s.program, Wait{}); err != nil {
		return "", err
	}
	p := s.host.running[s.program.process()]
	p.group.terminate()
	select {
	case <-p.ended:
		s.fresh()
		return "", nil
	case <-time.After(grace):
		return "", fmt.Errorf("still runs %s after SIGTERM; copse would kill it", grace)
	}
}

func refused(err error) bool {
	var r *Refusal
	return errors.As(err, &r)
}
