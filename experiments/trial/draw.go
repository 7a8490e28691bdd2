package trial

import (
	"errors"
	"fmt"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/records"
)

// A Draw is the data of one trial.
type Draw struct {
	Train, Test *dataset.Set
	Problem     generators.Problem // nil when the data come from a file
	Fingerprint string
}

func draw(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	data := c.Data
	switch {
	case data.Absent:
		return nil, fmt.Errorf("%s: not here", data.Source())
	case data.FromFiles():
		return drawRows(c, seed, replicate)
	case data.Folds > 0:
		return drawFold(c, seed, replicate)
	}
	problem, err := data.Generator.New(stream.New(seed, c.SplitKey, replicate, stream.Structure))
	if err != nil {
		return nil, err
	}
	d := &Draw{
		Train:   problem.Sample(data.TrainCounts, stream.New(seed, c.SplitKey, replicate, stream.Train)),
		Test:    problem.Sample(data.TestCounts, stream.New(seed, c.SplitKey, replicate, stream.Test)),
		Problem: problem,
	}
	return d, d.finish(c, seed, replicate)
}

// drawFold holds out one fold of a task. The streams are keyed by the task, so
// its folds share one sample.
func drawFold(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	task := records.FoldTask(replicate, c.Data.Folds)
	problem, err := c.Data.Generator.New(stream.New(seed, c.SplitKey, task, stream.Structure))
	if err != nil {
		return nil, err
	}
	d := &Draw{Problem: problem}
	set := problem.Sample(c.Data.SampleCounts, stream.New(seed, c.SplitKey, task, stream.Train))
	folds, err := dataset.StratifiedFolds(set.Y, set.C(), c.Data.Folds, stream.New(seed, c.SplitKey, task, stream.Folds))
	if err != nil {
		return nil, err
	}
	in, out := dataset.SplitFold(folds, (replicate-1)%c.Data.Folds)
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	return d, d.finish(c, seed, replicate)
}

// NewDraw makes the data of one trial: a function of the seed, the cell's
// content and the replicate alone. A panic on the way is an error.
func NewDraw(c *study.Cell, seed uint64, replicate int) (d *Draw, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage(p))
		}
	}()
	return draw(c, seed, replicate)
}
