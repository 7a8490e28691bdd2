package reported

import (
	"cmp"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats"
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
	if c.Data.SameTest() { // the files contain the test rows, the same for all replicates
		sampling.OneDataSet, sampling.OneTestSet = true, true
		sampling.DependentRows = hasDependentRows(c, m)
		return sampling
	}
	if c.Data.Scored == study.TrainingRows { // the test rows are the training rows
		sampling.OneDataSet, sampling.OnTrainingRows, sampling.TestRatio = true, true, 1
		return sampling
	}
	fromFiles := c.Data.FromFiles()
	// Without files, each cross-validation draws its own data set at random.
	sampling.DrawnProblems = folds > 1 && !fromFiles
	onlyFirst := sampling.DrawnProblems && s.Replicates <= folds // all replicates are folds of the first data set
	sampling.OneDataSet = fromFiles || onlyFirst
	if sampling.OneDataSet {
		sampling.TestRatio = testRatio(c, testRows, m)
	}
	return sampling
}

// hasDependentRows reports whether several rows of the official test set belong to one group.
func hasDependentRows(c *study.Cell, m *results.Manifest) bool {
	if c.Data.Groups == "" {
		return false
	}
	facts := factsOf(c, m)
	return facts.TestGroups < facts.TestRows
}

// testRatio returns the number of test rows per other row in a cell whose replicates are folds or
// splits of one data set. The other rows include training rows that a learning curve does not use.
// If the number is unknown, it returns the ratio that the study file requests.
func testRatio(c *study.Cell, testRows map[int]int, m *results.Manifest) float64 {
	facts, _ := m.Cell(c.ID) // zero for a nil manifest
	allRows := cmp.Or(c.Data.Subsample, stats.Sum(facts.Counts))
	if allRows == 0 && c.Data.Train.N == 0 { // a manifest without counts
		allRows = facts.TrainRows + facts.TestRows
	}
	if ratio, ok := c.Data.MeasuredTestRatio(testRows, allRows); ok {
		return ratio
	}
	if others := allRows - facts.TestRows; facts.TestRows > 0 && others > 0 {
		return float64(facts.TestRows) / float64(others)
	}
	return requestedTestRatio(c.Data)
}

// requestedTestRatio returns the number of test rows per other row that the study file requests,
// for folds or splits of one data set.
func requestedTestRatio(d *study.Data) float64 {
	if ratio, fromFiles := d.Resampled(); fromFiles {
		return ratio
	}
	return 1 / float64(d.Folds-1) // folds of a data set that is drawn at random
}
