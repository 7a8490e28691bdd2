package study

import (
	"maps"
	"slices"

	"copse/stats/records"
)

// Resampled tells whether replicates are folds, holdouts or refits of one data set,
// and then how many test rows there are per training row as far as the study says it,
// whether its files are here or not: an official test set counts as large as its
// training set. The manifest of results has the numbers of rows.
func (data *Data) Resampled() (share float64, ok bool) {
	switch {
	case !data.FromFiles():
		return 0, false
	case data.Folds > 1:
		return 1 / float64(data.Folds-1), true
	case data.Holdout > 0:
		return data.Holdout / (1 - data.Holdout), true
	}
	return 1, true
}

// OneSplit tells whether all replicates have the same training and test set: those of a
// column or of an official test set.
func (data *Data) OneSplit() bool { return data.SameTest() && data.sameRows() }

// SameTest tells whether all replicates have the same test rows.
func (data *Data) SameTest() bool {
	return data.FromFiles() && data.Folds == 0 && data.Holdout == 0 && data.Subsample == 0
}

// sameRows tells whether replicates with the same test rows have the same training
// rows, values and labels.
func (data *Data) sameRows() bool {
	return data.Subsample == 0 && data.Train.N == 0 && !data.Missing.any() && data.Flip == 0
}

// MeasuredShare is the mean number of test rows per training row, where it depends on
// the draw: of folds, of groups that stay together. tests are the test rows by
// replicate, all is the number of rows that are split, 0 where it is not known.
func (data *Data) MeasuredShare(tests map[int]int, all int) (share float64, ok bool) {
	if data.Train.N == 0 && (data.Groups == "" || data.Folds > 1) {
		return foldShare(tests, data.Folds)
	}
	n := 0
	for _, replicate := range slices.Sorted(maps.Keys(tests)) { // sums in a fixed order
		test, train := tests[replicate], data.Train.N
		if train == 0 {
			train = all - test
		}
		if test > 0 && train > 0 {
			share += float64(test) / float64(train)
			n++
		}
	}
	return share / float64(max(n, 1)), n > 0
}

// foldShare is the mean number of test rows per training row over the folds of
// those tasks of which all folds are there.
func foldShare(tests map[int]int, folds int) (share float64, ok bool) {
	if folds < 2 {
		return 0, false
	}
	tasks := map[int][]int{}
	for replicate := range tests {
		task := records.FoldTask(replicate, folds)
		tasks[task] = append(tasks[task], tests[replicate])
	}
	n := 0
	for _, task := range slices.Sorted(maps.Keys(tasks)) { // sums in a fixed order
		list := tasks[task]
		slices.Sort(list)
		total := 0
		for _, t := range list {
			total += t
		}
		if len(list) < folds || list[0] < 1 {
			continue
		}
		for _, t := range list {
			share += float64(t) / float64(total-t)
			n++
		}
	}
	return share / float64(max(n, 1)), n > 0
}
