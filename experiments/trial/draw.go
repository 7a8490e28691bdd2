package trial

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/rand"

	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/records"
)

// A Draw is the data of one trial.
type Draw struct {
	Train, Test *dataset.Set
	Problem     generators.Problem // nil when the data come from a file or a program
	External    *external.Problem  // of a generator that is a program, until Close
	Irrelevant  int                // attributes, the last ones, that the problem knows nothing of
	Fingerprint string
}

func (w *Worker) draw(ctx context.Context, c *study.Cell, replicate int) (*Draw, error) {
	data, d := c.Data, &Draw{}
	switch {
	case data.Absent:
		return nil, fmt.Errorf("%s: not here", data.Source())
	case data.FromFiles():
		return drawRows(c, w.seed, replicate)
	case data.Folds > 0:
		return w.drawFold(ctx, c, replicate)
	}
	sample, err := w.newProblem(ctx, c, replicate, d)
	if err != nil {
		return nil, err
	}
	if d.Train, err = sample(data.TrainCounts, stream.Train); err != nil {
		return nil, err
	}
	if d.Test, err = sample(data.TestCounts, stream.Test); err != nil {
		return nil, err
	}
	return d, d.finish(c, w.seed, replicate)
}

// newProblem draws the problem of a trial or, with folds, of a task; sample draws
// from it with the stream of a role.
func (w *Worker) newProblem(ctx context.Context, c *study.Cell, replicate int, d *Draw) (sample func(counts []int, role string) (*dataset.Set, error), err error) {
	source := func(role string) *rand.Rand { return stream.New(w.seed, c.SplitKey, replicate, role) }
	relevant, err := w.drawProblem(ctx, c, source, d)
	d.Irrelevant = c.Data.Irrelevant
	return func(counts []int, role string) (*dataset.Set, error) {
		set, err := relevant(counts, role)
		if err != nil {
			return nil, err
		}
		return set.WithIrrelevant(d.Irrelevant, source(stream.Irrelevant(role)))
	}, err
}

func (w *Worker) drawProblem(ctx context.Context, c *study.Cell, source func(role string) *rand.Rand, d *Draw) (sample func(counts []int, role string) (*dataset.Set, error), err error) {
	if program := c.Data.Program; program != nil {
		if w.host == nil {
			return nil, errors.New("the data come from a program, which only a run starts")
		}
		d.External, err = w.host.NewProblem(ctx, program, c.Data.Classes(), source(stream.Structure).Uint64())
		return func(counts []int, role string) (*dataset.Set, error) {
			return d.External.Sample(ctx, counts, source(role).Uint64())
		}, err
	}
	d.Problem, err = c.Data.Generator.New(source(stream.Structure))
	return func(counts []int, role string) (*dataset.Set, error) {
		return d.Problem.Sample(counts, source(role)), nil
	}, err
}

// Close lets an external generator forget the problem.
func (d *Draw) Close(ctx context.Context) {
	if d.External != nil {
		_ = d.External.Drop(ctx) // whoever refuses pays with memory
	}
}

// drawFold holds out one fold of a task. The streams are keyed by the task, so
// its folds share one sample.
func (w *Worker) drawFold(ctx context.Context, c *study.Cell, replicate int) (*Draw, error) {
	task, d := records.FoldTask(replicate, c.Data.Folds), &Draw{}
	sample, err := w.newProblem(ctx, c, task, d)
	if err != nil {
		return nil, err
	}
	set, err := sample(c.Data.SampleCounts, stream.Train)
	if err != nil {
		return nil, err
	}
	folds, err := dataset.StratifiedFolds(set.Y, set.C(), c.Data.Folds, stream.New(w.seed, c.SplitKey, task, stream.Folds))
	if err != nil {
		return nil, err
	}
	in, out := dataset.SplitFold(folds, (replicate-1)%c.Data.Folds)
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	return d, d.finish(c, w.seed, replicate)
}

// NewDraw makes the data of one trial: a function of the seed, the cell's
// content and the replicate alone. A panic on the way is an error. It starts
// nothing: cells whose data a program draws need a Worker.
func NewDraw(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	return (&Worker{seed: seed}).Draw(context.Background(), c, replicate)
}

// Draw makes the data of one trial, as NewDraw does. The time limit holds for a
// program that draws them, too.
func (w *Worker) Draw(ctx context.Context, c *study.Cell, replicate int) (d *Draw, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage(p))
		}
	}()
	if c.Data.Program == nil || w.limit == 0 {
		return w.draw(ctx, c, replicate)
	}
	limited, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	d, err = w.draw(limited, c, replicate)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &TimeLimitError{w.limit}
	}
	return d, err
}
