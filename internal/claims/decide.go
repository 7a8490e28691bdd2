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
	// margin is the loss in which two classifiers count as equal, as in the comparisons
	// with printed means: two percentage points.
	margin = 0.02
)

// A Finding is a claim with what our results and the paper's own table give.
type Finding struct {
	*Claim
	Cells   int // in which all classifiers of the claim have results
	Without int // in which one has none: its fit failed, or it takes no such data
	Ours    int // cells that the statistic counts
	Printed int // the same of the printed means; -1 without a table
	Needed  int
	Shown   int     // cells in which a test shows the claim
	Against int     // cells in which a test shows the contrary
	Folds   bool    // cells are data sets whose folds share rows
	Lead    float64 // the mean lead over the first rival, of all cells as one
}

// Verdict states what the tests decide. A claim about at least Needed cells holds once it is
// shown in so many; it fails once the contrary is shown in more cells than it can miss.
func (f *Finding) Verdict() string {
	open := f.Cells - f.Shown - f.Against
	switch {
	case f.Pool && f.Against > 0:
		return "**does not hold**: the contrary is shown"
	case f.Pool && f.Shown == 0:
		return "not decided"
	case f.Cells-f.Against < f.Needed:
		return fmt.Sprintf("**does not hold**: the contrary is shown in %d of %d", f.Against, f.Cells)
	case f.Shown >= f.Needed:
		return "**holds**"
	case f.Folds:
		return fmt.Sprintf("not decided: %d of %d open, since folds share rows", open, f.Cells)
	}
	return fmt.Sprintf("not decided: %d shown, %d against, %d open", f.Shown, f.Against, open)
}

// A judge decides claims from the results of one study.
type judge struct {
	*view.View
	printed map[string]map[string]float64 // loss by cell and classifier
	metric  *metrics.Metric
	claim   *Claim
}

// Decide decides a claim from the results of its study.
func Decide(c *Claim, r *reported.Results) (*Finding, error) {
	j := &judge{View: view.New(r.Study, r.Records.Records, r.Layout.Inference), claim: c,
		printed: printedMeans(r.Papers)}
	cells, err := j.Where(c.Where)
	if err != nil {
		c.at.Key("where").Fail("%s", err)
		return nil, c.at.Err()
	}
	for _, id := range slices.Concat(c.Classifier, c.Rivals) {
		if !slices.Contains(r.Records.Classifiers, id) {
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
	asked := len(cells)
	cells = slices.DeleteFunc(j.OnEach(cells), func(cell records.Cell) bool { return !j.ran(&cell) })
	f := &Finding{Claim: c, Printed: -1, Without: asked - len(cells)}
	if c.Along != "" {
		err = j.countLeads(f, cells)
	} else {
		err = j.countCells(f, cells)
	}
	f.Needed = c.Need
	if c.Need == 0 {
		f.Needed = f.Printed
	}
	if err == nil && f.Needed < 1 {
		c.at.Fail("the statement needs a number of cells (need): no printed means give it")
		err = c.at.Err()
	}
	return f, err
}

// printedMeans returns the printed losses of the metric that a paper prints.
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

// ran reports whether the classifiers of the claim have results in a cell.
func (j *judge) ran(c *records.Cell) bool {
	for _, id := range slices.Concat(j.claim.Classifier, j.claim.Rivals) {
		if values, _ := c.Values(j.metric, id); len(values) == 0 {
			return false
		}
	}
	return true
}

func (j *judge) resampled(c records.Cell) bool {
	paired, err := j.Paired(&c)
	return err == nil && paired.Design == stats.Resampled
}

// countCells counts the cells, or all cells as one, that meet the statistic.
func (j *judge) countCells(f *Finding, cells []records.Cell) error {
	if j.claim.Pool {
		cells = []records.Cell{j.Pool(&view.Group{Cells: cells})}
	}
	f.Cells, f.Folds = len(cells), slices.ContainsFunc(cells, j.resampled)
	level := alpha / float64(max(len(cells)*len(j.claim.Rivals), 1))
	for i := range cells {
		c := &cells[i]
		mean := func(id string) float64 {
			values, _ := c.Values(j.metric, id)
			return stats.Summarize(values).Mean
		}
		best := slices.MinFunc(j.claim.Classifier, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
		tests, err := j.test(c, best)
		if err != nil {
			return err
		}
		if j.meets(tests, mean, best) {
			f.Ours++
		}
		f.Lead = mean(j.claim.Rivals[0]) - mean(best)
		switch {
		case tests.against(j.claim.Statistic, level):
			f.Against++
		case tests.shown(j.claim.Statistic, level):
			f.Shown++
		}
		if means, ok := j.printed[c.ID]; ok && j.printedAll(means) && !j.claim.Pool {
			f.Printed = max(f.Printed, 0)
			of := func(id string) float64 { return means[id] }
			best := slices.MinFunc(j.claim.Classifier, func(a, b string) int { return cmp.Compare(of(a), of(b)) })
			if j.claim.meansMeet(of, best) {
				f.Printed++
			}
		}
	}
	if j.claim.Statistic == OnPar || j.claim.Statistic == Same {
		f.Printed = -1 // printed means do not give these counts
	}
	return nil
}

func (j *judge) printedAll(means map[string]float64) bool {
	for _, id := range slices.Concat(j.claim.Classifier, j.claim.Rivals) {
		if _, ok := means[id]; !ok {
			return false
		}
	}
	return true
}

// meets reports whether a cell counts.
func (j *judge) meets(t cellTests, mean func(string) float64, best string) bool {
	switch j.claim.Statistic {
	case OnPar:
		return !t.against(OnPar, alpha/float64(len(j.claim.Rivals)))
	case Same:
		return !t.against(Same, alpha)
	}
	return j.claim.meansMeet(mean, best)
}

// meansMeet reports whether the mean of a classifier is as much lower than each rival's as
// the claim says.
func (c *Claim) meansMeet(mean func(string) float64, best string) bool {
	for _, rival := range c.Rivals {
		lead := mean(rival) - mean(best)
		if c.Statistic == Lower && (lead <= 0 || lead < c.By/100) || c.Statistic == AsLow && lead < 0 {
			return false
		}
	}
	return true
}

// cellTests are one-sided p-values of a classifier against its rivals in a cell.
type cellTests struct {
	lower     []float64 // that it is lower, by the points of the claim
	higher    []float64 // that it is higher, or not that much lower
	notHigher []float64 // that it is not above the margin
	notLower  []float64 // that it is not below the margin
}

func (j *judge) test(c *records.Cell, id string) (t cellTests, err error) {
	paired, err := j.Paired(c)
	if err != nil {
		return t, err
	}
	for _, rival := range j.claim.Rivals {
		pairs, err := c.Pairs(j.metric, id, rival)
		if err != nil {
			return t, err
		}
		d := pairs.Differences()
		p := func(shift float64, side stats.Alternative) float64 {
			shifted := make([]float64, len(d))
			for i, v := range d {
				shifted[i] = v + stats.Steps(shift)
			}
			value, testErr := paired.Test.PValue(stats.Differences{D: shifted, Share: paired.Share}, side)
			if testErr != nil {
				err = testErr
			}
			return value
		}
		t.lower = append(t.lower, p(j.claim.By/100, stats.Less))
		t.higher = append(t.higher, p(j.claim.By/100, stats.Greater))
		t.notHigher = append(t.notHigher, p(-margin, stats.Less))
		t.notLower = append(t.notLower, p(margin, stats.Greater))
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// shown reports whether tests at a level show the claim in a cell.
func (t *cellTests) shown(s Statistic, level float64) bool {
	switch s {
	case Lower:
		return slices.Max(t.lower) <= level
	case Same:
		return slices.Max(t.notHigher) <= level && slices.Max(t.notLower) <= level
	}
	return slices.Max(t.notHigher) <= level
}

// against reports whether tests at a level show the contrary.
func (t *cellTests) against(s Statistic, level float64) bool {
	if s == Same {
		return slices.Min(t.higher) <= level/2 || slices.Min(t.lower) <= level/2
	}
	return slices.Min(t.higher) <= level
}

// countLeads counts the settings in which the lead of the classifier over its rival changes
// from the first to the last level of a factor as the claim says. Results of different
// levels are independent.
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
		switch p := distuv.UnitNormal.CDF(-change / se); {
		case p <= level:
			f.Shown++
		case 1-p <= level:
			f.Against++
		}
		a, b := j.printed[first.ID], j.printed[last.ID]
		if j.printedAll(a) && j.printedAll(b) {
			f.Printed = max(f.Printed, 0)
			if j.sign()*(j.lead(b)-j.lead(a)) > 0 {
				f.Printed++
			}
		}
	}
	return nil
}

// sign is 1 where the claim is that the lead widens, -1 where it narrows.
func (j *judge) sign() float64 {
	if j.claim.Statistic == Widens {
		return 1
	}
	return -1
}

// lead returns the size of the difference between the classifier and its rival.
func (j *judge) lead(means map[string]float64) float64 {
	return math.Abs(means[j.claim.Rivals[0]] - means[j.claim.Classifier[0]])
}

// change returns by how much the lead changes in the direction of the claim, and the
// standard error.
func (j *judge) change(first, last *records.Cell) (change, se float64, err error) {
	size := func(c *records.Cell) (lead, variance float64) {
		pairs, pairErr := c.Pairs(j.metric, j.claim.Classifier[0], j.claim.Rivals[0])
		if pairErr != nil {
			err = pairErr
		}
		s := stats.Summarize(pairs.Differences())
		return math.Abs(s.Mean), s.SD * s.SD / float64(s.N)
	}
	before, v1 := size(first)
	after, v2 := size(last)
	return j.sign() * (after - before), math.Sqrt(v1 + v2), err
}
