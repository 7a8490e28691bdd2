package trial

import (
	"fmt"

	"golang.org/x/exp/rand"

	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/records"
)

// drawRows sets the training set and the test set of d to rows of a file.
func (d *Draw) drawRows(c *study.Cell, seed uint64, replicate int) error {
	train, test, err := splitFile(c, seed, replicate)
	if err != nil {
		return err
	}
	if len(train) == 0 || len(test) == 0 {
		return fmt.Errorf("the split leaves %d rows for training and %d for testing", len(train), len(test))
	}
	rows := c.Data.File.Rows
	d.Train, d.Test = rows.Subset(train), rows.Subset(test)
	return nil
}

// ScoredRows returns the rows on which the rules of a trial are scored, as indices in the rows of
// the data files. The data of the cell must come from files.
func ScoredRows(c *study.Cell, seed uint64, replicate int) ([]int, error) {
	train, test, err := splitFile(c, seed, replicate)
	if c.Data.Scored == study.TrainingRows {
		return train, err
	}
	return test, err
}

// splitFile returns the indices of the training and test rows among all rows of the data file. If the
// study requests a subsample, splitFile draws it first and splits only the drawn rows. The replicates
// of one cross-validation share the subsample and the folds.
func splitFile(c *study.Cell, seed uint64, replicate int) (train, test []int, err error) {
	data := c.Data
	task := replicate
	if data.Folds > 0 {
		task = records.FoldTask(replicate, data.Folds) // number of the cross-validation
	}
	set := data.File.Rows
	official := data.File.Test        // official[i] is 1 for a test row of the official split; nil if there is none
	fileRow := stats.Indices(set.N()) // fileRow[i] is the index in the file of row i of set
	if data.Subsample > 0 {
		rng := stream.New(seed, c.SplitKey, task, stream.Subsample)
		if fileRow, err = subsample(set, data, data.Subsample, rng); err != nil {
			return nil, nil, err
		}
		set, official = set.Subset(fileRow), dataset.At(official, fileRow)
	}
	if train, test, err = split(c, seed, task, replicate, set, official); err != nil {
		return nil, nil, err
	}
	if data.Train.N > 0 {
		rng := stream.New(seed, c.SplitKey, replicate, stream.Train)
		if train, err = chooseTrainingRows(set, train, data, rng); err != nil {
			return nil, nil, err
		}
	}
	return dataset.At(fileRow, train), dataset.At(fileRow, test), nil
}

// chooseTrainingRows draws data.Train.N of the training rows. train and the result contain indices of
// rows of set.
func chooseTrainingRows(set *dataset.Set, train []int, data *study.Data, rng *rand.Rand) ([]int, error) {
	chosen, err := subsample(set.Subset(train), data, data.Train.N, rng) // indices in train
	if err != nil {
		return nil, err
	}
	return dataset.At(train, chosen), nil
}

// subsample draws n rows of a set, stratified by class unless the study sets random: true.
func subsample(set *dataset.Set, data *study.Data, n int, rng *rand.Rand) ([]int, error) {
	return dataset.Subsample(set.Strata(!data.Random), n, rng)
}

// split returns the indices of the training and test rows of a set. The argument task is the number
// of the cross-validation or, without folds, the number of the replicate. If there is an official
// test set, official[i] is 1 for its rows and 0 for others, and otherwise official is nil. Rows of
// the same group stay together.
func split(
	c *study.Cell,
	seed uint64,
	task, replicate int,
	set *dataset.Set,
	official []int,
) (train, test []int, err error) {
	data := c.Data
	rng := stream.New(seed, c.SplitKey, task, stream.Folds)
	stratum := set.Strata(!data.Random) // of each row
	var fold []int                      // of each row
	switch {
	case data.File != nil && data.File.Folds != nil:
		fold = data.File.Folds[task-1]
	case official != nil:
		const testRows = 1
		train, test = dataset.SplitFold(official, testRows)
		return train, test, nil
	case data.Holdout > 0 && set.Groups != nil:
		return dataset.GroupHoldout(set.Groups, data.Holdout, rng)
	case data.Holdout > 0:
		return dataset.Holdout(stratum, data.Holdout, rng)
	case set.Groups != nil:
		fold, err = dataset.StratifiedGroupFolds(stratum, set.Groups, data.Folds, rng)
	default:
		fold, err = dataset.StratifiedFolds(stratum, data.Folds, rng)
	}
	if err != nil {
		return nil, nil, err
	}
	testFold := (replicate - 1) % data.Folds // replicates are counted from 1, folds from 0
	train, test = dataset.SplitFold(fold, testFold)
	return train, test, nil
}
