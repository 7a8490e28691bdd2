package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/reported"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

const (
	alpha = 0.05 // family-wise level of the tests of one claim
	// margin is the equivalence margin: two classifiers are equivalent if their losses differ by less
	// than two percentage points.
	margin = 0.02
)

// A Finding is a claim with the counts of cells from our results and from the paper's table.
type Finding struct {
	*Claim
	Cells   int     // cells in which all classifiers of the claim have results
	Without int     // cells in which a classifier of the claim failed or did not run
	Ours    int     // cells of our results with the property that the claim counts
	Printed int     // cells of the printed means with this property; -1: unknown
	Needed  int     // smallest count that supports the claim
	Shown   int     // cells in which a test shows the claim
	Against int     // cells in which a test shows the contrary
	Folds   bool    // the results of some cell are folds or splits of one data set, which share rows
	Lead    float64 // with Pool: mean loss of the first rival minus mean loss of the classifier
}

// Verdict returns the result of the tests as Markdown. A claim holds if tests show it in at least Needed
// cells. It does not hold if tests show the contrary in so many cells that fewer than Needed remain.
func (f *Finding) Verdict() string {
	if f.Pool {
		return f.pooledVerdict()
	}
	open := f.Cells - f.Shown - f.Against
	switch {
	case f.Cells-f.Against < f.Needed:
		return fmt.Sprintf("**does not hold**: the contrary is shown in %d of %d", f.Against, f.Cells)
	case f.Shown >= f.Needed:
		return "**holds**"
	case f.Folds:
		return fmt.Sprintf("not decided: %d of %d open, because folds share rows", open, f.Cells)
	}
	return fmt.Sprintf("not decided: %d for the claim, %d against, %d open", f.Shown, f.Against, open)
}

// pooledVerdict returns the verdict of a claim with a single comparison over all cells.
func (f *Finding) pooledVerdict() string {
	switch {
	case f.Against > 0:
		return "**does not hold**: the contrary is shown"
	case f.Shown > 0:
		return "**holds**"
	}
	return "not decided"
}

// A judge decides a claim from the results of a study. The embedded view gives access to these results.
type judge struct {
	*view.View
	printed map[string]map[string]float64 // printed mean loss by cell and classifier
	metric  *metrics.Metric
	claim   *Claim
}

// Decide counts the cells that support a claim in the results of a study, and tests the claim in these
// cells. An error of the claim names its place in the file.
func Decide(c *Claim, r *reported.Results) (*Finding, error) {
	j := &judge{View: view.New(r.Study, r.Records.Records, r.Layout.Inference), claim: c,
		printed: printedMeans(r.Papers)}
	selected, err := j.selectCells()
	if err != nil {
		return nil, err
	}
	if err := j.setMetric(selected); err != nil {
		return nil, err
	}
	incomplete := func(cell records.Cell) bool { return !j.ran(&cell) }
	complete := slices.DeleteFunc(j.OnEach(selected), incomplete)
	f := &Finding{Claim: c, Printed: -1, Without: len(selected) - len(complete)}
	if c.Along != "" {
		err = j.countLeads(f, complete)
	} else {
		err = j.countCells(f, complete)
	}
	if err != nil {
		return f, err
	}
	f.Needed = c.Need
	if c.Need == 0 {
		f.Needed = f.Printed
	}
	if f.Needed < 1 {
		c.at.Fail("set need, the smallest number of cells that supports the statement; it cannot be computed " +
			"because the paper's table has no means for these cells")
		return f, c.at.Err()
	}
	return f, nil
}

// selectCells checks the names of the claim's levels and classifiers and returns the cells that the claim
// counts.
func (j *judge) selectCells() ([]records.Cell, error) {
	c := j.claim
	cells, err := j.Where(c.Where)
	if err != nil {
		c.at.Key("where").Fail("%s", err)
		return nil, c.at.Err()
	}
	for _, id := range c.classifiers() {
		if !slices.Contains(j.Records.Classifiers, id) {
			c.at.Fail("the study %s has no classifier %q", c.Study, id)
			return nil, c.at.Err()
		}
	}
	return cells, nil
}

// setMetric sets the metric of the claim. It returns an error if the cells do not have the metric.
func (j *judge) setMetric(cells []records.Cell) error {
	measure, err := j.Measure(cmp.Or(j.claim.Metric, "error"), "", cells)
	if err != nil {
		at := j.claim.at.Key("metric")
		at.Fail("%s", err)
		return at.Err()
	}
	j.metric = measure.Metric
	return nil
}

// classifiers returns the classifiers of the claim and their rivals.
func (c *Claim) classifiers() []string { return slices.Concat(c.Classifier, c.Rivals) }

// printedMeans returns the means in the papers' tables as losses, by cell and classifier. It skips printed
// minima and maxima.
func printedMeans(papers []compare.Options) map[string]map[string]float64 {
	means := map[string]map[string]float64{}
	for _, paper := range papers {
		for _, pair := range paper.Pairs {
			if pair.Extreme != nil {
				continue
			}
			if means[pair.Cell] == nil {
				means[pair.Cell] = map[string]float64{}
			}
			means[pair.Cell][pair.Classifier] = pair.Published.Mean
		}
	}
	return means
}

// ran reports whether all classifiers of the claim have results in a cell.
func (j *judge) ran(c *records.Cell) bool {
	for _, id := range j.claim.classifiers() {
		if values, _ := c.Values(j.metric, id); len(values) == 0 {
			return false
		}
	}
	return true
}

// resampled reports whether the results of a cell are folds or splits of one data set.
func (j *judge) resampled(c records.Cell) bool {
	paired, err := j.Paired(&c)
	return err == nil && paired.Design == stats.Resampled
}

// countCells sets the counts of f for the statistics that compare classifiers within a cell. If the claim
// has Pool, all cells are pooled into one. Each test has the Bonferroni level alpha/(cells·rivals).
func (j *judge) countCells(f *Finding, cells []records.Cell) error {
	if j.claim.Pool {
		cells = []records.Cell{j.Pool(&view.Group{Cells: cells})}
	}
	f.Cells, f.Folds = len(cells), slices.ContainsFunc(cells, j.resampled)
	level := alpha / float64(max(len(cells)*len(j.claim.Rivals), 1))
	for i := range cells {
		if err := j.countCell(f, &cells[i], level); err != nil {
			return err
		}
		if !j.claim.Pool {
			j.countPrinted(f, j.printed[cells[i].ID])
		}
	}
	if j.claim.Statistic == OnPar || j.claim.Statistic == Same {
		f.Printed = -1 // these statistics need tests, and printed means alone cannot be tested
	}
	return nil
}

// countCell adds our results in one cell to the counts Ours, Shown and Against of f, and sets Lead. level
// is the level of each test.
func (j *judge) countCell(f *Finding, c *records.Cell, level float64) error {
	mean := func(id string) float64 {
		values, _ := c.Values(j.metric, id)
		return stats.Summarize(values).Mean
	}
	best := j.claim.best(mean)
	tests, err := j.test(c, best)
	if err != nil {
		return err
	}
	if j.meets(tests, mean, best) {
		f.Ours++
	}
	f.Lead = mean(j.claim.Rivals[0]) - mean(best)
	switch {
	case j.claim.Statistic.refuted(tests, level):
		f.Against++
	case j.claim.Statistic.shown(tests, level):
		f.Shown++
	}
	return nil
}

// countPrinted adds one cell to the count Printed of f. means has the printed means of the cell by
// classifier. The cell is skipped if a mean is missing.
func (j *judge) countPrinted(f *Finding, means map[string]float64) {
	if !j.printedAll(means) {
		return
	}
	f.Printed = max(f.Printed, 0)
	mean := func(id string) float64 { return means[id] }
	if j.claim.meansMeet(mean, j.claim.best(mean)) {
		f.Printed++
	}
}

// best returns the classifier of the claim with the smallest mean.
func (c *Claim) best(mean func(id string) float64) string {
	return slices.MinFunc(c.Classifier, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
}

// printedAll reports whether means contains all classifiers of the claim.
func (j *judge) printedAll(means map[string]float64) bool {
	for _, id := range j.claim.classifiers() {
		if _, ok := means[id]; !ok {
			return false
		}
	}
	return true
}

// meets reports whether our results in a cell have the property that the claim counts. best is the
// classifier of the claim, mean returns mean losses, and tests has the tests against each rival.
func (j *judge) meets(tests []rivalTest, mean func(string) float64, best string) bool {
	switch j.claim.Statistic {
	case OnPar:
		return !OnPar.refuted(tests, alpha/float64(len(j.claim.Rivals)))
	case Same:
		return !Same.refuted(tests, alpha)
	}
	return j.claim.meansMeet(mean, best)
}

// meansMeet reports whether the means meet the statistic Lower or AsLow against every rival. best is the
// classifier of the claim. Other statistics need tests, and meansMeet returns true.
func (c *Claim) meansMeet(mean func(string) float64, best string) bool {
	for _, rival := range c.Rivals {
		lead := mean(rival) - mean(best)
		if c.Statistic == Lower && (lead <= 0 || lead < c.By/100) {
			return false
		}
		if c.Statistic == AsLow && lead < 0 {
			return false
		}
	}
	return true
}

// A rivalTest has the one-sided p-values of a classifier against one rival in a cell. loss is the loss of
// the classifier, by is Claim.By, and margin is the equivalence margin.
type rivalTest struct {
	lower     float64 // alternative: loss < rival's loss - by
	higher    float64 // alternative: loss > rival's loss - by
	notHigher float64 // alternative: loss < rival's loss + margin
	notLower  float64 // alternative: loss > rival's loss - margin
}

// test tests the classifier id against each rival in a cell, with the paired test of the design.
func (j *judge) test(c *records.Cell, id string) (list []rivalTest, err error) {
	paired, err := j.Paired(c)
	if err != nil {
		return nil, err
	}
	for _, rival := range j.claim.Rivals {
		pairs, err := c.Pairs(j.metric, id, rival)
		if err != nil {
			return nil, err
		}
		differences := stats.Differences{D: pairs.Differences(), Share: paired.Share}
		test, err := j.testRival(paired.Test, differences)
		if err != nil {
			return nil, err
		}
		list = append(list, test)
	}
	return list, nil
}

// testRival computes the four p-values of a rivalTest. d has the paired differences of losses, classifier
// minus rival.
func (j *judge) testRival(test stats.Test, d stats.Differences) (t rivalTest, err error) {
	by := j.claim.By / 100
	if t.lower, err = test.PValue(shifted(d, by), stats.Less); err != nil {
		return t, err
	}
	if t.higher, err = test.PValue(shifted(d, by), stats.Greater); err != nil {
		return t, err
	}
	if t.notHigher, err = test.PValue(shifted(d, -margin), stats.Less); err != nil {
		return t, err
	}
	t.notLower, err = test.PValue(shifted(d, margin), stats.Greater)
	return t, err
}

// shifted returns a copy of d with shift added to each difference. shift is a loss. The differences are
// counted in the units of stats.Steps.
func shifted(d stats.Differences, shift float64) stats.Differences {
	d.D = slices.Clone(d.D)
	for i := range d.D {
		d.D[i] += stats.Steps(shift)
	}
	return d
}

// shown reports whether the tests of a cell show the statistic against every rival.
func (s Statistic) shown(tests []rivalTest, level float64) bool {
	notShown := func(t rivalTest) bool {
		switch s {
		case Lower:
			return t.lower > level
		case Same:
			return t.notHigher > level || t.notLower > level
		}
		return t.notHigher > level // AsLow and OnPar
	}
	return !slices.ContainsFunc(tests, notShown)
}

// refuted reports whether the tests of a cell show the contrary of the statistic for at least one rival.
// The contrary of Same has two directions, and each is tested at half the level.
func (s Statistic) refuted(tests []rivalTest, level float64) bool {
	contrary := func(t rivalTest) bool {
		if s == Same {
			return t.higher <= level/2 || t.lower <= level/2
		}
		return t.higher <= level
	}
	return slices.ContainsFunc(tests, contrary)
}

// countLeads sets the counts of f for the statistics Narrows and Widens. It groups the cells so that the
// cells of a group differ only in the factor Along, and counts the groups in which the lead changes as
// claimed between the first and the last level.
func (j *judge) countLeads(f *Finding, cells []records.Cell) error {
	others := slices.DeleteFunc(j.FactorNames(), func(name string) bool { return name == j.claim.Along })
	groups, err := j.Groups(cells, others)
	if err != nil {
		return err
	}
	f.Cells = len(groups)
	level := alpha / float64(max(len(groups), 1))
	for _, g := range groups {
		first, last := &g.Cells[0], &g.Cells[len(g.Cells)-1]
		if err := j.countChange(f, first, last, level); err != nil {
			return err
		}
		j.countPrintedChange(f, j.printed[first.ID], j.printed[last.ID])
	}
	return nil
}

// countChange adds the change of our lead from cell first to cell last to the counts of f. The z test of
// the change is valid because results of different levels are independent.
func (j *judge) countChange(f *Finding, first, last *records.Cell, level float64) error {
	change, se, err := j.change(first, last)
	if err != nil {
		return err
	}
	if change > 0 {
		f.Ours++
	}
	p := distuv.UnitNormal.CDF(-change / se) // alternative: the lead changes as claimed
	if p <= level {
		f.Shown++
	} else if 1-p <= level {
		f.Against++
	}
	return nil
}

// countPrintedChange adds the change of the printed lead to the count Printed of f. first and last have
// the printed means of two cells by classifier. The change is skipped if a mean is missing.
func (j *judge) countPrintedChange(f *Finding, first, last map[string]float64) {
	if !j.printedAll(first) || !j.printedAll(last) {
		return
	}
	f.Printed = max(f.Printed, 0)
	if j.sign()*(j.lead(last)-j.lead(first)) > 0 {
		f.Printed++
	}
}

// sign returns 1 if the claim states that the lead widens, and -1 if it narrows.
func (j *judge) sign() float64 {
	if j.claim.Statistic == Widens {
		return 1
	}
	return -1
}

// lead returns the absolute difference of the means of the claim's first classifier and first rival.
func (j *judge) lead(means map[string]float64) float64 {
	return math.Abs(means[j.claim.Rivals[0]] - means[j.claim.Classifier[0]])
}

// change returns the change of our lead from cell first to cell last, and its standard error. The change
// is positive if it has the direction that the claim states.
func (j *judge) change(first, last *records.Cell) (change, se float64, err error) {
	before, v1, err := j.pairedLead(first)
	if err != nil {
		return 0, 0, err
	}
	after, v2, err := j.pairedLead(last)
	return j.sign() * (after - before), math.Sqrt(v1 + v2), err
}

// pairedLead returns the absolute mean of the paired differences of losses in a cell, and its variance.
func (j *judge) pairedLead(c *records.Cell) (lead, variance float64, err error) {
	pairs, err := c.Pairs(j.metric, j.claim.Classifier[0], j.claim.Rivals[0])
	if err != nil {
		return 0, 0, err
	}
	s := stats.Summarize(pairs.Differences())
	return math.Abs(s.Mean), s.SD * s.SD / float64(s.N), nil
}
