package trial

import (
	"fmt"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/records"
)

// drawRows splits the rows of a file into a training and a test set: it takes a subsample of all rows,
// splits them, and takes a subsample of the training rows, as the study requests. With folds, replicates
// 1 to Folds are the folds of task 1, and so on; a task has one subsample and one partition.
func (d *Draw) drawRows(c *study.Cell, seed uint64, replicate int) error {
	data, task := c.Data, replicate
	if data.Folds > 0 {
		task = records.FoldTask(replicate, data.Folds)
	}
	set, groups, official := data.File.Rows, data.File.Groups, data.File.Test
	if data.Subsample > 0 {
		y, strata := set.Strata(!data.Random)
		rows, err := dataset.Subsample(y, strata, data.Subsample, stream.New(seed, c.SplitKey, task, stream.Subsample))
		if err != nil {
			return err
		}
		set, groups, official = set.Subset(rows), pick(groups, rows), pick(official, rows)
	}
	var in, out []int
	var err error
	if given := data.File.Folds; given != nil {
		in, out = dataset.SplitFold(given[task-1], (replicate-1)%data.Folds)
	} else if in, out, err = split(c, seed, task, replicate, set, groups, official); err != nil {
		return err
	}
	d.Train, d.Test = set.Subset(in), set.Subset(out)
	if n := data.Train.N; n > 0 {
		y, strata := d.Train.Strata(!data.Random)
		rows, err := dataset.Subsample(y, strata, n, stream.New(seed, c.SplitKey, replicate, stream.Train))
		if err != nil {
			return err
		}
		d.Train = d.Train.Subset(rows)
	}
	if d.Train.N() == 0 || d.Test.N() == 0 {
		return fmt.Errorf("the split leaves %d rows for training and %d for testing", d.Train.N(), d.Test.N())
	}
	return nil
}

// pick returns the values of the given rows; nil without values.
func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	return dataset.At(values, rows)
}

// split returns the training and the test rows: by the official split (1 marks test
// rows) if there is one, else by a holdout or by the replicate's fold. Groups stay whole.
func split(
	c *study.Cell,
	seed uint64,
	task, replicate int,
	set *dataset.Set,
	groups []string,
	official []int,
) (train, test []int, err error) {
	data, rng := c.Data, stream.New(seed, c.SplitKey, task, stream.Folds)
	y, strata := set.Strata(!data.Random)
	var fold []int
	switch {
	case official != nil:
		train, test = dataset.SplitFold(official, 1)
		return train, test, nil
	case data.Holdout > 0 && groups != nil:
		return dataset.GroupHoldout(groups, data.Holdout, rng)
	case data.Holdout > 0:
		return dataset.Holdout(y, strata, data.Holdout, rng)
	case groups != nil:
		fold, err = dataset.GroupFolds(groups, data.Folds, rng)
	default:
		fold, err = dataset.StratifiedFolds(y, strata, data.Folds, rng)
	}
	if err != nil {
		return nil, nil, err
	}
	train, test = dataset.SplitFold(fold, (replicate-1)%data.Folds)
	return train, test, nil
}
