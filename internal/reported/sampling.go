package reported

import (
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/records"
)

// samplings describes how the replicates of each cell are sampled, by cell id. The records in list
// contain the numbers of test rows, and the manifest m the sizes of fixed splits. Both are nil before
// a run.
func samplings(s *study.Study, list []records.Record, m *results.Manifest) map[string]view.Sampling {
	testRows := testRowsOf(list)
	all := map[string]view.Sampling{}
	for _, c := range s.Cells {
		all[c.ID] = samplingOf(s, c, testRows[c.ID], m)
	}
	return all
}

// testRowsOf returns the numbers of test rows by cell and replicate.
func testRowsOf(rows []records.Record) map[string]map[int]int {
	tests := map[string]map[int]int{}
	for _, row := range rows {
		if tests[row.Cell] == nil {
			tests[row.Cell] = map[int]int{}
		}
		tests[row.Cell][row.Replicate] = row.NTest
	}
	return tests
}

// samplingOf describes how the replicates of a cell are sampled. testRows[i] is the number of test
// rows of replicate i. Before a run, testRows and m are nil.
func samplingOf(s *study.Study, c *study.Cell, testRows map[int]int, m *results.Manifest) view.Sampling {
	folds := c.Data.Folds
	sampling := view.Sampling{Source: c.Source, Split: c.SplitID(), Folds: folds}
	if c.Data.SameTest() { // all replicates have the same test rows
		sampling.OneDataSet, sampling.OneTestSet = true, true
		return sampling
	}
	if c.Data.Scored == study.TrainingRows { // the test rows are the training rows
		sampling.OneDataSet, sampling.OnTrainingRows, sampling.TestRatio = true, true, 1
		return sampling
	}
	sampling.DrawnProblems = folds > 1 && !c.Data.FromFiles() // the folds divide data sets drawn at random
	sampling.TestRatio, sampling.OneDataSet = requestedTestRatio(s, c)
	if sampling.OneDataSet {
		sampling.TestRatio = actualTestRatio(c, testRows, m, sampling.TestRatio)
	}
	return sampling
}

// requestedTestRatio returns the number of test rows per training row that the study file requests,
// for replicates that are folds or splits of one data set. Otherwise, it returns 0 and false.
func requestedTestRatio(s *study.Study, c *study.Cell) (ratio float64, oneDataSet bool) {
	ratio, fromFiles := c.Data.Resampled()
	if fromFiles { // the replicates are folds or splits of the files
		return ratio, true
	}
	folds := c.Data.Folds
	if folds > 1 && s.Replicates <= folds { // the replicates are folds of the first generated data set
		return 1 / float64(folds-1), true
	}
	return 0, false
}

// actualTestRatio returns the ratio of test rows to training rows in a cell or, if it is unknown, the
// requested ratio.
func actualTestRatio(c *study.Cell, testRows map[int]int, m *results.Manifest, requested float64) float64 {
	split, _ := m.Cell(c.ID) // zero for a nil manifest
	if c.Data.Train.N > 0 {  // only some of the training rows are used
		split = results.ManifestCell{}
	}
	if ratio, ok := c.Data.MeasuredTestRatio(testRows, split.TrainRows+split.TestRows); ok {
		return ratio
	}
	if split.TrainRows > 0 {
		return float64(split.TestRows) / float64(split.TrainRows)
	}
	return requested
}
