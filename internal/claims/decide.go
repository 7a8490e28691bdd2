package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/experiments/config"
	"copse/internal/reported"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

const (
	alpha  = 0.05 // family-wise level of the tests of one claim
	margin = 0.02 // losses are equivalent if they differ by less than two percentage points
)

// A Finding counts the cells that have the claimed property. If Claim.Along is set, it counts
// groups of cells that differ only in this factor.
type Finding struct {
	*Claim
	Total   int     // the largest of Needed and the numbers of cells in the paper and in our study
	Cells   int     // cells in which all classifiers of the claim have results
	Without int     // cells of our study in which a classifier of the claim has no results
	Ours    int     // cells in which our results have the claimed property
	Means   int     // cells of our study for which the paper prints means of all classifiers of the claim
	Theirs  int     // cells in Means whose printed means have the claimed property
	Needed  int     // smallest count that supports the claim
	Shown   int     // cells in which a test shows the claim
	Against int     // cells in which a test shows the opposite of the claim
	Lead    float64 // if Pool is set, mean loss of the first rival minus mean loss of the classifier

	dependentUnit string // noun for results that share rows, such as "folds"; "" if no results share rows
}

// countCell adds a cell, or a group of cells, to the counts in f. ours reports whether our results
// have the claimed property. shown and against report whether tests support the claim or its
// opposite.
func (f *Finding) countCell(ours, shown, against bool) {
	if ours {
		f.Ours++
	}
	switch {
	case against:
		f.Against++
	case shown:
		f.Shown++
	}
}

// Verdict returns the result as Markdown. Of the Total cells, only Cells have results. Tests support
// the claim in Shown of them and its opposite in Against.
//
// A claim holds if tests support it in at least Needed cells. It does not hold if tests show the
// opposite in so many cells that fewer than Needed remain.
func (f *Finding) Verdict() string {
	if f.Pool {
		return f.pooledVerdict()
	}
	notDecided := "not decided"
	if missing := f.Total - f.Cells; missing > 0 {
		notDecided += fmt.Sprintf(" (%s missing)", view.Plural(missing, "cell", "cells"))
	}
	undecided := f.Cells - f.Shown - f.Against
	switch {
	case f.Total-f.Against < f.Needed: // even if all other cells support the claim
		return fmt.Sprintf("**does not hold**: tests show the opposite in %d of %d cases", f.Against, f.Total)
	case f.Shown >= f.Needed:
		return "**holds**"
	case f.Cells == 0:
		return notDecided
	case f.dependentUnit != "": // tests of dependent results can show little
		return fmt.Sprintf("%s: %d of %d cells are undecided, because training sets of %s share rows",
			notDecided, undecided, f.Cells, f.dependentUnit)
	}
	return fmt.Sprintf("%s: %d for the claim, %d against, %d undecided", notDecided, f.Shown, f.Against, undecided)
}

func (f *Finding) pooledVerdict() string {
	switch {
	case f.Against > 0:
		return "**does not hold**: the test shows the opposite"
	case f.Shown > 0:
		return "**holds**"
	}
	return "not decided"
}

// A judge tests a claim against the results of a study.
type judge struct {
	*view.View
	study  *reported.Study
	metric *metrics.Metric
	claim  *Claim
}

// Check returns an error if a claim names a classifier, factor or level that its study s lacks.
func (p *Paper) Check(s *reported.Study) error {
	for i := range p.Claims {
		j := &judge{study: s, claim: &p.Claims[i]}
		if j.claim.Study != s.Name {
			continue
		}
		if _, err := j.studiedGroups(); err != nil {
			return err
		}
	}
	return nil
}

// Decide tests a claim against the results r of its study. A claim is about the number of cells (or
// groups of cells, see studiedGroups) that have a property. Decide counts them in our results and in
// the means that the paper prints. Errors about the claim contain the position in the file.
func Decide(c *Claim, r *reported.Results) (*Finding, error) {
	j := &judge{View: view.New(r.Study, r.Records.Records, r.Layout.Inference), claim: c, study: r.Source}
	groups, err := j.studiedGroups()
	if err != nil {
		return nil, err
	}
	isOther := func(cell records.Cell) bool { return !c.Where.Holds(cell.Levels) }
	selected := slices.DeleteFunc(slices.Clone(j.Cells), isOther)
	if err := j.setMetric(selected); err != nil {
		return nil, err
	}
	// After failed fits are treated, all classifiers of the claim have results in these cells.
	complete := slices.DeleteFunc(j.TreatFailuresInEach(selected), j.lacksResults)
	f := &Finding{Claim: c}
	if err := j.countOurs(f, groups, complete); err != nil {
		return nil, err
	}
	f.Means, f.Theirs = j.countPrinted(groups)
	if err := f.setNeededCount(len(groups)); err != nil {
		return nil, err
	}
	return f, nil
}

// setNeededCount sets f.Needed, the smallest count that supports the claim, and f.Total. It returns
// an error if neither the claim nor the paper's means give this count. studied is the number of
// cells (or groups) in the study.
func (f *Finding) setNeededCount(studied int) error {
	c := f.Claim
	statedCount, statedTotal := c.stated()
	f.Needed = cmp.Or(c.Need, statedCount, f.Theirs)
	f.Total = max(statedTotal, studied, f.Needed)
	if f.Needed < 1 {
		c.position.Fail("set the key `need` to the smallest number of cells that supports the statement; it cannot " +
			"be computed, because the paper's table has no means for these cells")
		return c.position.Err()
	}
	return nil
}

// countOurs sets the counts in f that depend on our results. studied contains all cells of the
// claim, in groups (see studiedGroups). complete contains the cells in which all classifiers of the
// claim have results.
func (j *judge) countOurs(f *Finding, studied [][]records.Levels, complete []records.Cell) error {
	if j.claim.Along == "" { // each group is a single cell
		f.Without = len(studied) - len(complete)
		return j.countCells(f, complete)
	}
	leads := firstAndLast(studied, complete)
	f.Without = len(studied) - len(leads)
	return j.countLeads(f, leads)
}

// studiedGroups returns groups of the cells to which the claim applies. If Along is set, a group
// contains cells that differ only in this factor, in the order of its levels.
func (j *judge) studiedGroups() ([][]records.Levels, error) {
	var levels []records.Levels
	for _, cell := range j.study.Cells {
		if j.claim.Where.Holds(cell.Levels) {
			levels = append(levels, cell.Levels)
		}
	}
	if err := j.checkNames(len(levels)); err != nil {
		return nil, err
	}
	others := view.Except(records.FactorNames(j.study.Factors), j.claim.Along)
	return stats.Grouped(levels, func(l records.Levels) records.Levels { return l.Restrict(others) }), nil
}

// checkNames returns an error if the study lacks a classifier, factor or level of the claim, or if
// the number of cells that meet the claim's condition is 0.
func (j *judge) checkNames(cells int) error {
	c := j.claim
	if !c.position.Key("where").CheckCondition(c.Where, j.study.Factors) {
		return c.position.Err()
	}
	ids := j.study.ClassifierIDs()
	for _, id := range c.classifiers() {
		if !slices.Contains(ids, id) {
			c.position.Fail("the study %s has no classifier %q%s", c.Study, id, config.DidYouMean(id, ids))
			return c.position.Err()
		}
	}
	if cells == 0 {
		c.position.Key("where").Fail("no cell of the study meets the condition %s", c.Where)
		return c.position.Err()
	}
	if c.Along != "" && !slices.Contains(records.FactorNames(j.study.Factors), c.Along) {
		c.position.Key("along").Fail("the study %s has no factor %q", c.Study, c.Along)
	}
	return c.position.Err()
}

func (j *judge) setMetric(cells []records.Cell) error {
	measure, err := j.Measure(cmp.Or(j.claim.Metric, "error"), "", cells)
	if err != nil {
		at := j.claim.position.Key("metric")
		at.Fail("%s", err)
		return at.Err()
	}
	j.metric = measure.Metric
	return nil
}

func (c *Claim) classifiers() []string { return slices.Concat(c.Classifier, c.Rivals) }

// countPrinted counts the groups of cells for which the paper prints the means of all classifiers of
// the claim, and the groups in which these means have the claimed property.
//
// A claim with a factor Along compares the first and the last level of this factor. The cells of a group
// are in the order of these levels, so only its first and last cell matter. Without Along, a group is a
// single cell, which is both.
func (j *judge) countPrinted(groups [][]records.Levels) (withMeans, withProperty int) {
	c := j.claim
	// A pooled claim has no cells to count. OnPar and Same require tests, so printed means cannot
	// decide them.
	if c.Pool || c.Statistic == OnPar || c.Statistic == Same {
		return 0, 0
	}
	for _, group := range groups {
		first, hasFirst := j.printedMeans(group[0])
		last, hasLast := j.printedMeans(group[len(group)-1])
		if !hasFirst || !hasLast {
			continue
		}
		withMeans++
		if c.endsHaveProperty(first, last) {
			withProperty++
		}
	}
	return withMeans, withProperty
}

// endsHaveProperty reports whether the mean losses in the first and the last cell of a group have the
// claimed property. If Along is empty, both are means in the same cell.
func (c *Claim) endsHaveProperty(first, last map[string]float64) bool {
	if c.Along == "" {
		return c.meansHaveProperty(first)
	}
	lead := func(means map[string]float64) float64 { return means[c.Rivals[0]] - means[c.Classifier[0]] }
	return c.changesAsClaimed(lead(first), lead(last))
}

// printedMeans returns the mean losses that the paper prints for the classifiers of the claim in a
// cell, in steps (see means). hasAll is false if one of the means is missing.
func (j *judge) printedMeans(cell records.Levels) (means map[string]float64, hasAll bool) {
	means = map[string]float64{}
	for _, id := range j.claim.classifiers() {
		for i := range j.study.Tables {
			if mean, ok := j.study.Tables[i].Mean(cell, id); ok {
				means[id] = stats.RoundedSteps(mean.Mean)
			}
		}
	}
	return means, len(means) == len(j.claim.classifiers())
}

// lacksResults reports whether a classifier of the claim has no results in a cell.
func (j *judge) lacksResults(c records.Cell) bool {
	return slices.ContainsFunc(j.claim.classifiers(), func(id string) bool {
		return c.Summary(j.metric, id).N == 0
	})
}

// countCells tests the claim in each cell and adds the outcomes to the counts in f. All classifiers
// of the claim must have results in each cell. If Claim.Pool is set, countCells first pools all cells
// into one.
func (j *judge) countCells(f *Finding, cells []records.Cell) error {
	if j.claim.Pool && len(cells) > 0 {
		pooled := j.Pool(&view.Group{Cells: cells}) // one cell with the results of all cells
		f.Lead = j.lead(&pooled)
		cells = []records.Cell{pooled}
	}
	f.Cells = len(cells)
	f.dependentUnit = j.dependentUnit(cells)
	// Each cell needs one test per rival. Bonferroni's correction divides alpha by their number.
	tests := len(cells) * len(j.claim.Rivals)
	level := alpha / float64(max(tests, 1)) // without cells, this avoids a division by 0
	for i := range cells {
		if err := j.judgeCell(f, &cells[i], level); err != nil {
			return err
		}
	}
	return nil
}

// judgeCell tests the claim in a cell and adds the outcome to the counts in f. level is the level
// of each test.
func (j *judge) judgeCell(f *Finding, cell *records.Cell, level float64) error {
	means := j.means(cell)
	best := j.claim.best(means)
	tests, err := j.testRivals(cell, best)
	if err != nil {
		return err
	}
	ours := j.claim.haveProperty(means, tests) // does not require a significant test
	shown, against := j.claim.Statistic.shown(tests, level), j.claim.Statistic.refuted(tests, level)
	f.countCell(ours, shown, against)
	return nil
}

// lead returns the mean loss of the first rival minus the smallest mean loss of the claim's
// classifiers.
func (j *judge) lead(cell *records.Cell) float64 {
	means := j.means(cell)
	return (means[j.claim.Rivals[0]] - means[j.claim.best(means)]) / stats.Grid // a loss of 1 has Grid steps
}

// dependentUnit returns the noun for the results of the cells, such as "folds", if the results of
// some cell come from a single data set. Otherwise, it returns "".
func (j *judge) dependentUnit(cells []records.Cell) string {
	ofOneDataSet := func(cell records.Cell) bool { return j.Sampling[cell.ID].OneDataSet }
	if slices.ContainsFunc(cells, ofOneDataSet) {
		return j.UnitNoun(view.SingleCellGroups(cells))
	}
	return ""
}

// means returns the mean loss of each classifier in a cell, in steps (see stats.RoundedSteps). Means are
// whole numbers of steps, so that rounding errors do not break ties.
func (j *judge) means(c *records.Cell) map[string]float64 {
	means := map[string]float64{}
	for _, id := range j.claim.classifiers() {
		means[id] = stats.RoundedSteps(c.Summary(j.metric, id).Mean)
	}
	return means
}

func (c *Claim) best(means map[string]float64) string {
	return slices.MinFunc(c.Classifier, func(a, b string) int { return cmp.Compare(means[a], means[b]) })
}

// haveProperty reports whether our results in a cell have the claimed property. tests[k] compares the
// best classifier with rival k.
func (c *Claim) haveProperty(means map[string]float64, tests []rivalTest) bool {
	switch c.Statistic {
	case OnPar:
		return !OnPar.refuted(tests, alpha/float64(len(c.Rivals)))
	case Same:
		return !Same.refuted(tests, alpha)
	}
	return c.meansHaveProperty(means)
}

// meansHaveProperty reports whether the means have the claimed property. The statistic must be Lower,
// AsLow or Higher.
func (c *Claim) meansHaveProperty(means map[string]float64) bool {
	best := means[c.best(means)]
	for _, rival := range c.Rivals {
		lead := means[rival] - best
		if c.Statistic == Lower && (lead <= 0 || lead < stats.RoundedSteps(c.By/100)) {
			return false
		}
		if c.Statistic == AsLow && lead < 0 || c.Statistic == Higher && lead >= 0 {
			return false
		}
	}
	return true
}

// A rivalTest contains the p-values of four one-sided tests. In their alternatives, loss is the mean
// loss of the classifier.
type rivalTest struct {
	lower     float64 // alternative: loss < rival's loss - Claim.By
	higher    float64 // alternative: loss > rival's loss - Claim.By
	notHigher float64 // alternative: loss < rival's loss + margin
	notLower  float64 // alternative: loss > rival's loss - margin
}

// testRivals tests a classifier against each rival in a cell by the paired test for this cell.
func (j *judge) testRivals(c *records.Cell, id string) (list []rivalTest, err error) {
	paired, err := j.Paired(c)
	if err != nil {
		return nil, err
	}
	for _, rival := range j.claim.Rivals {
		pairs, err := c.Pairs(j.metric, id, rival)
		if err != nil {
			return nil, err
		}
		// Tests for resampled data need Share, the number of test rows per training row.
		differences := stats.Differences{D: pairs.Differences(), Share: paired.Share}
		test, err := j.testRival(paired.Test, differences)
		if err != nil {
			return nil, err
		}
		list = append(list, test)
	}
	return list, nil
}

// testRival returns the p-values for the differences d of paired losses, classifier minus rival.
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

// shifted returns a copy of d in which loss is added to each difference.
func shifted(d stats.Differences, loss float64) stats.Differences {
	d.D = slices.Clone(d.D)
	for i := range d.D {
		d.D[i] += stats.RoundedSteps(loss) // the unit of the differences
	}
	return d
}

// shown reports whether the tests in a cell confirm the claimed property against every rival.
func (s Statistic) shown(tests []rivalTest, level float64) bool {
	notShown := func(t rivalTest) bool {
		switch s {
		case Lower:
			return t.lower > level
		case Higher:
			return t.higher > level
		case Same:
			return t.notHigher > level || t.notLower > level
		}
		return t.notHigher > level // AsLow and OnPar
	}
	return !slices.ContainsFunc(tests, notShown)
}

// refuted reports whether a test at the given level shows the opposite of the claimed property for
// a rival. For the statistic Same, this is a difference in either direction, found by two one-sided
// tests at half the level.
func (s Statistic) refuted(tests []rivalTest, level float64) bool {
	contrary := func(t rivalTest) bool {
		switch s {
		case Same:
			return t.higher <= level/2 || t.lower <= level/2
		case Higher:
			return t.lower <= level
		}
		return t.higher <= level
	}
	return slices.ContainsFunc(tests, contrary)
}

// firstAndLast returns the first and the last cell of each group. It omits a group if cells
// lacks one of the two.
func firstAndLast(groups [][]records.Levels, cells []records.Cell) (ends [][2]*records.Cell) {
	byLevels := map[records.Levels]*records.Cell{}
	for i := range cells {
		byLevels[cells[i].Levels] = &cells[i]
	}
	for _, group := range groups {
		first, last := byLevels[group[0]], byLevels[group[len(group)-1]]
		if first != nil && last != nil {
			ends = append(ends, [2]*records.Cell{first, last})
		}
	}
	return ends
}

// countLeads updates the counts in f for the claim that the lead over the rival narrows or widens.
// groups[k] contains the first and the last cell of a group. A z test compares the leads in both.
func (j *judge) countLeads(f *Finding, groups [][2]*records.Cell) error {
	f.Cells = len(groups)
	level := alpha / float64(max(len(groups), 1)) // Bonferroni; the maximum avoids a division by 0
	for _, group := range groups {
		first, firstVariance, err := j.pairedLead(group[0])
		if err != nil {
			return err
		}
		last, lastVariance, err := j.pairedLead(group[1])
		if err != nil {
			return err
		}
		z := j.claim.claimedChange(first, last) / math.Sqrt(firstVariance+lastVariance)
		p := distuv.UnitNormal.CDF(-z) // one-sided p-value of the claimed change
		ours := j.claim.changesAsClaimed(first, last)
		shown, refuted := ours && p <= level, 1-p <= level // 1-p is the p-value of the opposite change
		f.countCell(ours, shown, refuted)
	}
	return nil
}

// claimedChange returns the change of a lead in the claimed direction: its increase for Widens, and
// the decrease of its absolute value for Narrows.
func (c *Claim) claimedChange(before, after float64) float64 {
	if c.Statistic == Widens {
		return after - before
	}
	return math.Abs(before) - math.Abs(after)
}

// changesAsClaimed reports whether a lead changes in the claimed direction. For Widens, the final
// lead must also be positive.
func (c *Claim) changesAsClaimed(before, after float64) bool {
	return c.claimedChange(before, after) > 0 && (c.Statistic == Narrows || after > 0)
}

// pairedLead returns the lead in a cell and the variance of this estimate, from paired differences
// of losses. The variance is valid only for independent replicates.
func (j *judge) pairedLead(c *records.Cell) (lead, variance float64, err error) {
	pairs, err := c.Pairs(j.metric, j.claim.Classifier[0], j.claim.Rivals[0])
	if err != nil {
		return 0, 0, err
	}
	s := stats.Summarize(pairs.Differences())
	return -s.Mean, s.SD * s.SD / float64(s.N), nil
}
