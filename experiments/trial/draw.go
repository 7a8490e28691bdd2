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
	if data.Absent {
		return nil, fmt.Errorf("%s is not here", data.CSV)
	}
	if data.Folds > 0 {
		return drawFold(c, seed, replicate)
	}
	problem, err := data.Generator.New(stream.New(seed, c.Key, replicate, stream.Structure))
	if err != nil {
		return nil, err
	}
	d := &Draw{
		Train:   problem.Sample(data.TrainCounts, stream.New(seed, c.Key, replicate, stream.Train)),
		Test:    problem.Sample(data.TestCounts, stream.New(seed, c.Key, replicate, stream.Test)),
		Problem: problem,
	}
	return finish(c, d, seed, replicate), nil
}

// finish removes values from the training set, if the study asks for it, and
// takes the fingerprint.
func finish(c *study.Cell, d *Draw, seed uint64, replicate int) *Draw {
	if share := c.Data.Missing; share > 0 {
		d.Train = d.Train.RemoveValues(int(share*float64(d.Train.D())), stream.New(seed, c.Key, replicate, stream.Missing))
	}
	d.Fingerprint = dataset.Fingerprint(d.Train, d.Test)
	return d
}

// drawFold holds out one fold of a task. The streams are keyed by the task, so
// its folds share one sample.
func drawFold(c *study.Cell, seed uint64, replicate int) (*Draw, error) {
	data := c.Data
	task, fold := records.FoldTask(replicate, data.Folds), (replicate-1)%data.Folds
	d := &Draw{}
	set := data.Set
	if set == nil {
		var err error
		if d.Problem, err = data.Generator.New(stream.New(seed, c.Key, task, stream.Structure)); err != nil {
			return nil, err
		}
		set = d.Problem.Sample(data.SampleCounts, stream.New(seed, c.Key, task, stream.Train))
	}
	folds, err := dataset.StratifiedFolds(set.Y, set.C(), data.Folds, stream.New(seed, c.Key, task, stream.Folds))
	if err != nil {
		return nil, err
	}
	in, out := dataset.SplitFold(folds, fold)
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	return finish(c, d, seed, replicate), nil
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
