package trial

import (
	"fmt"

	"golang.org/x/exp/rand"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/records"
)

// drawRows splits the rows of a file, or a random subsample of them, into a training set and a test set. The replicates
// of one cross-validation share the subsample and the folds.
func (d *Draw) drawRows(c *study.Cell, seed uint64, replicate int) error {
	data, task := c.Data, replicate // task is the number of the cross-validation, or the replicate without folds
	if data.Folds > 0 {
		task = records.FoldTask(replicate, data.Folds)
	}
	// official[i] is 1 if row i is a test row in the official split of the file. official is nil
	// without such a split.
	set, groups, official := data.File.Rows, data.File.Groups, data.File.Test
	if data.Subsample > 0 {
		rows, err := subsample(set, data, data.Subsample, stream.New(seed, c.SplitKey, task, stream.Subsample))
		if err != nil {
			return err
		}
		set, groups, official = set.Subset(rows), subsetOf(groups, rows), subsetOf(official, rows)
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

// subsample draws n rows of a set. It stratifies them by class unless the study sets random: true.
func subsample(set *dataset.Set, data *study.Data, n int, rng *rand.Rand) ([]int, error) {
	y, strata := set.Strata(!data.Random)
	return dataset.Subsample(y, strata, n, rng)
}

func subsetOf[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	return dataset.At(values, rows)
}

// split returns the indices of the training and test rows of a set.
//
// The argument task is the number of the cross-validation or, without folds, the number of the
// replicate. The element official[i] is 1 if row i is a test row of the official split, and
// otherwise 0. Rows with the same value in groups stay together. The arguments official and groups
// may be nil.
func split(
	c *study.Cell,
	seed uint64,
	task, replicate int,
	set *dataset.Set,
	groups []string,
	official []int,
) (train, test []int, err error) {
	data, rng := c.Data, stream.New(seed, c.SplitKey, task, stream.Folds)
	stratum, strata := set.Strata(!data.Random) // the stratum of each row, and the number of strata
	var fold []int                              // the fold of each row
	switch {
	case data.File != nil && data.File.Folds != nil:
		fold = data.File.Folds[task-1]
	case official != nil:
		const testRows = 1
		train, test = dataset.SplitFold(official, testRows)
		return train, test, nil
	case data.Holdout > 0 && groups != nil:
		return dataset.GroupHoldout(groups, data.Holdout, rng)
	case data.Holdout > 0:
		return dataset.Holdout(stratum, strata, data.Holdout, rng)
	case groups != nil:
		fold, err = dataset.GroupFolds(groups, data.Folds, rng)
	default:
		fold, err = dataset.StratifiedFolds(stratum, strata, data.Folds, rng)
	}
	if err != nil {
		return nil, nil, err
	}
	testFold := (replicate - 1) % data.Folds // replicates are counted from 1, folds from 0
	train, test = dataset.SplitFold(fold, testFold)
	return train, test, nil
}
