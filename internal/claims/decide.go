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
	alpha = 0.05
	// margin is the equivalence margin: two classifiers are equivalent if their losses differ by less
	// than two percentage points. Comparisons with printed means use the same margin.
	margin = 0.02
)

// A Finding is a claim with the counts from our results and from the paper's table.
type Finding struct {
	*Claim
	Cells   int     // cells in which all classifiers of the claim have results
	Without int     // cells in which one lacks results: it failed or did not run
	Ours    int     // cells that meet the statistic by our results
	Printed int     // cells that meet it by the printed means; -1: unknown
	Needed  int     // cells that the claim needs
	Shown   int     // cells in which a test shows the claim
	Against int     // cells in which a test shows the contrary
	Folds   bool    // some cells are folds of one data set, which share rows
	Lead    float64 // with Pool: mean loss of the first rival minus the classifier's
}

// Verdict returns the result of the tests as Markdown. A claim holds if tests show it in at least Needed
// cells. It does not hold if tests show the contrary in so many cells that fewer than Needed remain.
func (f *Finding) Verdict() string {
	open := f.Cells - f.Shown - f.Against
	if f.Pool { // one comparison
		switch {
		case f.Against > 0:
			return "**does not hold**: the contrary is shown"
		case f.Shown > 0:
			return "**holds**"
		}
		return "not decided"
	}
	switch {
	case f.Cells-f.Against < f.Needed:
		return fmt.Sprintf("**does not hold**: the contrary is shown in %d of %d", f.Against, f.Cells)
	case f.Shown >= f.Needed:
		return "**holds**"
	case f.Folds:
		return fmt.Sprintf("not decided: %d of %d open, since folds share rows", open, f.Cells)
	}
	return fmt.Sprintf("not decided: %d shown, %d against, %d open", f.Shown, f.Against, open)
}

// A judge decides a claim from the results of a study.
type judge struct {
	*view.View
	printed map[string]map[string]float64 // loss by cell and classifier
	metric  *metrics.Metric
	claim   *Claim
}

// Decide decides a claim from the results of the study that tests it. Errors name the place of the claim
// in the file.
func Decide(c *Claim, r *reported.Results) (*Finding, error) {
	j := &judge{View: view.New(r.Study, r.Records.Records, r.Layout.Inference), claim: c,
		printed: printedMeans(r.Papers)}
	selected, err := j.prepare()
	if err != nil {
		return nil, err
	}
	lacks := func(cell records.Cell) bool { return !j.ran(&cell) }
	complete := slices.DeleteFunc(j.OnEach(selected), lacks)
	f := &Finding{Claim: c, Printed: -1, Without: len(selected) - len(complete)}
	count := j.countCells
	if c.Along != "" {
		count = j.countLeads
	}
	if err := count(f, complete); err != nil {
		return f, err
	}
	if f.Needed = c.Need; c.Need == 0 {
		f.Needed = f.Printed
	}
	if f.Needed < 1 {
		c.at.Fail("the statement needs a number of cells (need): no printed means give it")
		return f, c.at.Err()
	}
	return f, nil
}

// prepare checks the claim against the study, sets the metric and returns the cells that
// the claim is about.
func (j *judge) prepare() ([]records.Cell, error) {
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
	m, err := j.Measure(cmp.Or(c.Metric, "error"), "", cells)
	if err != nil {
		c.at.Key("metric").Fail("%s", err)
		return nil, c.at.Err()
	}
	j.metric = m.Metric
	return cells, nil
}

// classifiers returns the classifiers of the claim and their rivals.
func (c *Claim) classifiers() []string { return slices.Concat(c.Classifier, c.Rivals) }

// printedMeans returns the printed mean losses by cell and classifier. It skips printed
// minima and maxima.
func printedMeans(papers []compare.Options) map[string]map[string]float64 {
	means := map[string]map[string]float64{}
	for _, paper := range papers {
		for _, p := range paper.Pairs {
			if p.Extreme != nil {
				continue
			}
			if means[p.Cell] == nil {
				means[p.Cell] = map[string]float64{}
			}
			means[p.Cell][p.Classifier] = p.Published.Mean
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

// countCells counts the cells that meet the statistic and sets the counts of f. If the claim has Pool,
// it pools all cells into one.
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
		f.Printed = -1 // these counts need tests, which printed means do not allow
	}
	return nil
}

// countCell adds our results in one cell to the counts of f, and sets the lead. level is the level of
// each test.
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

// countPrinted counts one cell by the printed means. It skips a cell if a printed mean is missing.
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

// printedAll reports whether all classifiers of the claim have a printed mean.
func (j *judge) printedAll(means map[string]float64) bool {
	for _, id := range j.claim.classifiers() {
		if _, ok := means[id]; !ok {
			return false
		}
	}
	return true
}

// meets reports whether a cell meets the statistic.
func (j *judge) meets(tests []rivalTest, mean func(string) float64, best string) bool {
	switch j.claim.Statistic {
	case OnPar:
		return !OnPar.refuted(tests, alpha/float64(len(j.claim.Rivals)))
	case Same:
		return !Same.refuted(tests, alpha)
	}
	return j.claim.meansMeet(mean, best)
}

// meansMeet reports whether the mean of classifier best meets the statistic against every
// rival: it is lower, by the points of the claim, or not higher.
func (c *Claim) meansMeet(mean func(string) float64, best string) bool {
	for _, rival := range c.Rivals {
		lead := mean(rival) - mean(best)
		switch {
		case c.Statistic == Lower && (lead <= 0 || lead < c.By/100):
			return false
		case c.Statistic == AsLow && lead < 0:
			return false
		}
	}
	return true
}

// A rivalTest has the one-sided p-values of a classifier's loss against one rival in a cell.
// margin is the equivalence margin of the package.
type rivalTest struct {
	lower     float64 // alternative: loss < rival's loss - points of the claim
	higher    float64 // alternative: loss > rival's loss - points of the claim
	notHigher float64 // alternative: loss < rival's loss + margin
	notLower  float64 // alternative: loss > rival's loss - margin
}

// test makes the tests of the classifier id against each rival in a cell.
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

// testRival makes the four one-sided tests of the paired differences from a rival.
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

// shifted returns a copy of d after adding shift to each difference. shift is a loss; differences are in
// stats.Steps.
func shifted(d stats.Differences, shift float64) stats.Differences {
	d.D = slices.Clone(d.D)
	for i := range d.D {
		d.D[i] += stats.Steps(shift)
	}
	return d
}

// shown reports whether the tests of a cell show the statistic against every rival.
func (s Statistic) shown(tests []rivalTest, level float64) bool {
	open := func(t rivalTest) bool { // the statistic is not shown
		switch s {
		case Lower:
			return t.lower > level
		case Same:
			return t.notHigher > level || t.notLower > level
		}
		return t.notHigher > level
	}
	return !slices.ContainsFunc(tests, open)
}

// refuted reports whether the tests of a cell show the contrary of the statistic against some
// rival. Same has two contraries, each at half the level.
func (s Statistic) refuted(tests []rivalTest, level float64) bool {
	contrary := func(t rivalTest) bool {
		if s == Same {
			return t.higher <= level/2 || t.lower <= level/2
		}
		return t.higher <= level
	}
	return slices.ContainsFunc(tests, contrary)
}

// countLeads sets the counts of f for the statistics narrows and widens. It groups the cells into
// settings, whose cells differ only in the factor Along. It counts the settings in which the lead changes
// as claimed between the first and the last level. Results of different levels are independent.
func (j *judge) countLeads(f *Finding, cells []records.Cell) error {
	others := slices.DeleteFunc(j.FactorNames(), func(name string) bool { return name == j.claim.Along })
	settings, err := j.Groups(cells, others)
	if err != nil {
		return err
	}
	f.Cells = len(settings)
	level := alpha / float64(max(len(settings), 1))
	for _, g := range settings {
		first, last := &g.Cells[0], &g.Cells[len(g.Cells)-1]
		change, se, err := j.change(first, last)
		if err != nil {
			return err
		}
		if change > 0 {
			f.Ours++
		}
		p := distuv.UnitNormal.CDF(-change / se) // p-value of the claimed change
		if p <= level {
			f.Shown++
		} else if 1-p <= level {
			f.Against++
		}
		before, after := j.printed[first.ID], j.printed[last.ID]
		if !j.printedAll(before) || !j.printedAll(after) {
			continue
		}
		f.Printed = max(f.Printed, 0)
		if j.sign()*(j.lead(after)-j.lead(before)) > 0 {
			f.Printed++
		}
	}
	return nil
}

// sign returns 1 if the claim states that the lead widens, and -1 if it narrows.
func (j *judge) sign() float64 {
	if j.claim.Statistic == Widens {
		return 1
	}
	return -1
}

// lead returns the absolute difference of the means of the first classifier and the first rival.
func (j *judge) lead(means map[string]float64) float64 {
	return math.Abs(means[j.claim.Rivals[0]] - means[j.claim.Classifier[0]])
}

// change returns the change of the lead between two cells, and its standard error. The change is
// positive if it has the direction of the claim.
func (j *judge) change(first, last *records.Cell) (change, se float64, err error) {
	before, v1, err := j.pairedLead(first)
	if err != nil {
		return 0, 0, err
	}
	after, v2, err := j.pairedLead(last)
	return j.sign() * (after - before), math.Sqrt(v1 + v2), err
}

// pairedLead returns the lead in a cell, computed from paired losses, and its variance.
func (j *judge) pairedLead(c *records.Cell) (lead, variance float64, err error) {
	pairs, err := c.Pairs(j.metric, j.claim.Classifier[0], j.claim.Rivals[0])
	if err != nil {
		return 0, 0, err
	}
	s := stats.Summarize(pairs.Differences())
	return math.Abs(s.Mean), s.SD * s.SD / float64(s.N), nil
}
