package experiments

import (
	"fmt"

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

// Draw makes the data of one trial: a function of the seed, the cell's content
// and the replicate alone.
func (c *Cell) Draw(seed uint64, replicate int) (*Draw, error) {
	data := c.Data
	if data.absent {
		return nil, fmt.Errorf("%s is not here", data.CSV)
	}
	if data.Folds > 0 {
		return c.drawFold(seed, replicate)
	}
	problem, err := data.Generator.New(stream(seed, c.Key, replicate, roleStructure))
	if err != nil {
		return nil, err
	}
	d := &Draw{
		Train:   problem.Sample(data.train, stream(seed, c.Key, replicate, roleTrain)),
		Test:    problem.Sample(data.test, stream(seed, c.Key, replicate, roleTest)),
		Problem: problem,
	}
	return c.finish(d, seed, replicate), nil
}

// finish removes values from the training set, if the study asks for it, and
// takes the fingerprint.
func (c *Cell) finish(d *Draw, seed uint64, replicate int) *Draw {
	if share := c.Data.Missing; share > 0 {
		d.Train = d.Train.RemoveValues(int(share*float64(d.Train.D())), stream(seed, c.Key, replicate, roleMissing))
	}
	d.Fingerprint = dataset.Fingerprint(d.Train, d.Test)
	return d
}

// drawFold holds out one fold of a task. The streams are keyed by the task, so
// its folds share one sample.
func (c *Cell) drawFold(seed uint64, replicate int) (*Draw, error) {
	data := c.Data
	task, fold := records.FoldTask(replicate, data.Folds), (replicate-1)%data.Folds
	d := &Draw{}
	set := data.file
	if set == nil {
		var err error
		if d.Problem, err = data.Generator.New(stream(seed, c.Key, task, roleStructure)); err != nil {
			return nil, err
		}
		set = d.Problem.Sample(data.sample, stream(seed, c.Key, task, roleTrain))
	}
	folds, err := dataset.StratifiedFolds(set.Y, set.C(), data.Folds, stream(seed, c.Key, task, roleFolds))
	if err != nil {
		return nil, err
	}
	in, out := dataset.SplitFold(folds, fold)
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	return c.finish(d, seed, replicate), nil
}
