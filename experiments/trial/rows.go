package trial

import (
	"fmt"

	"golang.org/x/exp/rand"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/records"
)

// drawRows splits the rows of a file into a training and a test set. It draws a subsample of all rows,
// splits it, and then draws a subsample of the training rows. All folds of a task share the first subsample
// and the split.
func (d *Draw) drawRows(c *study.Cell, seed uint64, replicate int) error {
	data, task := c.Data, replicate
	if data.Folds > 0 {
		task = records.FoldTask(replicate, data.Folds)
	}
	set, groups, official := data.File.Rows, data.File.Groups, data.File.Test
	if data.Subsample > 0 {
		rows, err := subsample(set, data, data.Subsample, stream.New(seed, c.SplitKey, task, stream.Subsample))
		if err != nil {
			return err
		}
		set, groups, official = set.Subset(rows), pick(groups, rows), pick(official, rows)
	}
	train, test, err := split(c, seed, task, replicate, set, groups, official)
	if err != nil {
		return err
	}
	d.Train, d.Test = set.Subset(train), set.Subset(test)
	if data.Train.N > 0 {
		rows, err := subsample(d.Train, data, data.Train.N, stream.New(seed, c.SplitKey, replicate, stream.Train))
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

// subsample draws n rows of a set, stratified by class unless the study sets random: true.
func subsample(set *dataset.Set, data *study.Data, n int, rng *rand.Rand) ([]int, error) {
	y, strata := set.Strata(!data.Random)
	return dataset.Subsample(y, strata, n, rng)
}

func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	return dataset.At(values, rows)
}

// split splits the rows of a set by given folds, a given test set (1 for test rows), a random holdout or
// random folds. If groups is not nil, the rows of a group stay together.
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
	var fold []int // the fold of each row
	switch {
	case data.File.Folds != nil:
		fold = data.File.Folds[task-1]
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
