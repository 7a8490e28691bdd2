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
	Law     string
	Passed  bool
	Skipped bool   // the program does not declare what the law is about
	Detail  string // why it failed or was skipped, or what was seen
}

// Conform holds a program, whose files lie in the given folder, to the contract
// of its kind, law by law, and tells its greeting and each finding. classes is
// what a generator draws. The error says that it could not even be started.
func Conform(ctx context.Context, program *Program, folder string, classes int, rng *rand.Rand, greeted func(Hello), tell func(Finding)) error {
	c := &trials{ctx: ctx, program: program, folder: folder, rng: rng, host: NewHost(folder), classes: classes}
	defer func() { c.host.Close() }()
	hello, err := c.host.Greet(ctx, program)
	if err != nil {
		return err
	}
	c.can = hello.Capabilities
	greeted(*hello)
	laws := classifierLaws
	if hello.Kind == Generator {
		laws = generatorLaws
	}
	for _, law := range laws {
		finding := Finding{Law: law.name}
		var skip skipped
		switch detail, err := law.check(c); {
		case errors.As(err, &skip):
			finding.Skipped, finding.Detail = true, string(skip)
		case err != nil:
			finding.Detail = err.Error()
		default:
			finding.Passed, finding.Detail = true, detail
		}
		tell(finding)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// trials are what the laws share: a program under test.
type trials struct {
	ctx     context.Context
	program *Program
	folder  string
	rng     *rand.Rand
	host    *Host
	can     Capabilities
	classes int // of a generator
}

// fresh goes on with a new process.
func (c *trials) fresh() {
	c.host.Close()
	c.host = NewHost(c.folder)
}

type law struct {
	name  string
	check func(*trials) (seen string, err error)
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
			return fmt.Errorf("%d of %d labels differ, first in row %d: %d, before %d", n, len(want), i+1, got[i], want[i])
		}
	}
	return nil
}

// endsWithInput: a program ends soon after its input does, and by itself.
func endsWithInput(c *trials) (string, error) {
	c.fresh()
	if _, err := c.host.Greet(c.ctx, c.program); err != nil {
		return "", err
	}
	p := c.host.running[c.program.Spec()]
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
func endsWhenTold(c *trials) (string, error) {
	c.fresh()
	if _, err := c.host.Greet(c.ctx, c.program); err != nil {
		return "", err
	}
	p := c.host.running[c.program.Spec()]
	p.group.terminate()
	select {
	case <-p.ended:
		c.fresh()
		return "", nil
	case <-time.After(grace):
		return "", fmt.Errorf("still runs %s after SIGTERM; copse would kill it", grace)
	}
}

// permuted returns a random order of n things.
func (c *trials) permuted(n int) []int { return c.rng.Perm(n) }

// pick returns the entries of labels at the given places.
func pick(labels, places []int) []int {
	out := make([]int, len(places))
	for i, p := range places {
		out[i] = labels[p]
	}
	return out
}

func refused(err error) bool {
	var r *Refusal
	return errors.As(err, &r)
}
