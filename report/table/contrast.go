package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// addContrasts adds rows of contrasts. A contrast is the mean at one level of the factor o.Contrast
// minus the mean at the first level that occurs with the same levels of all other row factors.
//
// Cells without a partner at the other level are left out (see View.Partners). addContrasts removes
// groups from t.groups if they are at the first level, lack the factor or have no partners. It
// returns an error if no two levels can be compared.
func (t *Table) addContrasts(o Options) error {
	factor := o.Contrast
	t.omitCellsWithout(factor)
	if err := t.checkContrast(factor); err != nil {
		return err
	}
	t.contrastFactor = factor
	all := t.groups
	t.groups = nil
	first := firstLevels(all, view.Except(t.Factors, factor))
	subtracted := map[string]bool{} // cells at a first level that some row uses, by ID
	for i := range all {
		if first[i] == i { // the group itself is at the first level
			continue
		}
		g, base := t.view.Partners(&all[i], &all[first[i]])
		row := Row{Levels: g.Levels, Labels: t.contrastLabels(&g, &base), subtracted: &base}
		t.noteMissingPartners(&row, slices.Concat(all[first[i]].Cells, all[i].Cells),
			slices.Concat(base.Cells, g.Cells))
		if len(g.Cells) == 0 {
			continue
		}
		t.addEntries(&row, &g)
		if o.Bold {
			t.testContrasts(&row)
		}
		t.Rows = append(t.Rows, row)
		t.groups = append(t.groups, g)
		for _, c := range base.Cells {
			subtracted[c.ID] = true
		}
	}
	if t.groups == nil {
		return view.ValueError("contrast", factor, "no two of these cells differ only in the level of %q", factor)
	}
	t.Bold = t.contrastBoldWords()
	for i, g := range all {
		g.Cells = view.Without(g.Cells, func(c records.Cell) bool { return first[i] != i || !subtracted[c.ID] })
		if len(g.Cells) > 0 {
			t.firstLevelGroups = append(t.firstLevelGroups, g)
		}
	}
	return nil
}

// noteMissingPartners adds the cells that a contrast leaves out to t.lacksPartner, with the name of its row.
func (t *Table) noteMissingPartners(row *Row, all, matched []records.Cell) {
	factors := append(view.Except(t.view.FactorNames(), t.Factors...), t.contrastFactor) // the row states the others
	for _, c := range all {
		isSame := func(other records.Cell) bool { return other.ID == c.ID }
		if !slices.ContainsFunc(matched, isSame) {
			t.lacksPartner = append(t.lacksPartner, t.view.InWords(factors, c.Levels)+" in "+t.rowName(row))
		}
	}
}

// omitCellsWithout removes the groups without the factor from t.groups, and adds a remark on them.
func (t *Table) omitCellsWithout(factor string) {
	lacksFactor := func(c records.Cell) bool { return c.Levels.Of(factor) == "" }
	reason := "which do not have the factor " + t.view.FactorLabel(factor)
	t.addRemarks(t.view.LeftOutCells(t.cells(), lacksFactor, reason))
	t.groups = view.Without(t.groups, func(g view.Group) bool { return g.Levels.Of(factor) == "" })
}

// checkContrast returns an error unless factor is a factor of the rows and all groups have intervals.
func (t *Table) checkContrast(factor string) error {
	if !slices.Contains(t.Factors, factor) {
		return view.ValueError("contrast", factor,
			"%q is not a factor of the rows (their factors: %s)",
			factor, cmp.Or(strings.Join(t.Factors, ", "), "none"))
	}
	for _, g := range t.groups {
		if t.view.HasOneTestSet(g) {
			return view.ValueError("contrast", factor, "the replicates share one test set, so differences "+
				"have no interval%s", t.view.CellHint(&g.Cells[0]))
		}
	}
	return nil
}

// firstLevels returns a list in which list[i] is the index of the group with which groups[i] is compared: the first
// group with the same levels of the other factors.
func firstLevels(groups []view.Group, otherFactors []string) (list []int) {
	first := map[records.Levels]int{} // by the levels of the other factors
	for i, g := range groups {
		others := g.Levels.Restrict(otherFactors)
		if _, known := first[others]; !known {
			first[others] = i
		}
		list = append(list, first[others])
	}
	return list
}

// contrastLabels returns the labels of a row that compares g with base, such as "gaussian", "400 − 200".
func (t *Table) contrastLabels(g, base *view.Group) []string {
	labels := rowLabels(t.view, t.Factors, g.Levels)
	label := &labels[slices.Index(t.Factors, t.contrastFactor)]
	*label += " − " + t.view.LevelLabel(t.contrastFactor, base.Levels.Of(t.contrastFactor))
	return labels
}

// addEntries sets row.Entries: for each classifier, the mean in g minus the mean in row.subtracted.
//
// It updates t.pairedContrasts, t.sharesWeights, t.resultsPerLevel and t.lacksIntervals.
func (t *Table) addEntries(row *Row, g *view.Group) {
	for _, id := range t.IDs {
		used, usedBase := g, row.subtracted
		contrast := view.Contrast{Summary: stats.Summarize(nil)}
		if shared, sharedBase := t.sharedCells(g, row.subtracted, id); len(shared.Cells) > 0 {
			used, usedBase = &shared, &sharedBase
			contrast = t.view.Contrast(used, usedBase, &t.Measure, id)
			t.sharesWeights = t.sharesWeights || !contrast.Dependent && t.view.ShareWeights(used, usedBase)
		}
		t.pairedContrasts = t.pairedContrasts || contrast.Dependent
		t.resultsPerLevel.Add(contrast.Results.Least)
		t.resultsPerLevel.Add(contrast.Results.Most)
		entry := t.contrastEntry(used, usedBase, id, contrast.Summary)
		hasMean := entry.N > 0 && !entry.Excluded
		t.lacksIntervals = t.lacksIntervals || hasMean && math.IsNaN(entry.Low)
		row.Entries = append(row.Entries, entry)
	}
}

// contrastEntry returns an entry with a classifier's difference between g and base, and with the
// confidence interval of this difference. The counts of fits are for g and base together.
func (t *Table) contrastEntry(g, base *view.Group, id string, difference stats.Summary) Entry {
	e := Entry{Summary: difference}
	e.Low, e.High = t.view.Interval(e.Summary)
	e.FirstShare = math.NaN() // a contrast does not rank the classifiers
	both := &view.Group{Cells: slices.Concat(g.Cells, base.Cells)}
	e.Tried, e.Failed = both.Attempts(id)
	e.Undrawn = both.Undrawn(id)
	e.Excluded = slices.Contains(t.view.ExcludedFrom(both), id)
	ids := []string{id}
	undefined := slices.Concat(t.view.UndefinedIn(g, &t.Measure, ids), t.view.UndefinedIn(base, &t.Measure, ids))
	e.Undefined = len(undefined) > 0
	return e
}

// testContrasts sets row.compared, the members of the family with results in the row. Two-sided t tests compare their
// differences with 0, with the study's correction over row.compared. Significant differences become bold. If no
// difference can have a standard error, the row has no tests, and row.compared is nil.
func (t *Table) testContrasts(row *Row) {
	var tested []*Entry
	var p []float64
	testable := false
	for k, id := range t.IDs {
		e := &row.Entries[k]
		if !slices.Contains(t.Family, id) || e.N == 0 || e.Excluded || e.Undefined {
			continue
		}
		row.compared = append(row.compared, id)
		// Results that do not vary have the standard error 0. They have no test, but other results would have one.
		testable = testable || e.DF >= 1 && !math.IsNaN(e.MCSE)
		if !math.IsNaN(e.Low) {
			tested = append(tested, e)
			p = append(p, 2*stats.Student(e.DF).Survival(math.Abs(e.Mean)/e.MCSE))
		}
	}
	if !testable {
		row.compared = nil
	}
	for i, adjusted := range t.view.Adjustment().Adjust(p, len(row.compared)) {
		tested[i].Bold = adjusted <= t.view.Alpha
	}
}

// contrastBoldWords explains bold type in a table of contrasts. It returns "" if nothing is tested.
func (t *Table) contrastBoldWords() string {
	var compared view.Range
	for _, row := range t.Rows {
		compared.Add(len(row.compared))
	}
	if compared.Most == 0 {
		return ""
	}
	classifiers := "compared classifiers"
	if compared.Most == 1 {
		classifiers = "compared classifier"
	}
	text := fmt.Sprintf("Bold: a two-sided t test shows that the difference is not 0 (%s; %s %s per row).",
		t.contrastLevel(), compared, classifiers)
	if notCompared := t.shownForReference(t.IDs); len(notCompared) > 0 {
		text += fmt.Sprintf(" Shown for reference only: %s.", t.view.Labels(notCompared))
	}
	return text
}

// contrastLevel describes the level and the correction of the tests in a row of contrasts.
func (t *Table) contrastLevel() string {
	alpha, correction := view.Number(t.view.Alpha), t.view.Adjustment()
	if correction == stats.Uncorrected {
		return fmt.Sprintf("each at level %s, uncorrected", alpha)
	}
	return fmt.Sprintf("family-wise level %s, %s", alpha, correction)
}

// sharedCells returns the cells of g and base that the contrast of a classifier uses: those in which it ran at
// both levels. It sets t.omitsUnshared if this omits cells in which it ran at only one level.
func (t *Table) sharedCells(g, base *view.Group, id string) (shared, sharedBase view.Group) {
	didNotRun := func(c records.Cell) bool {
		tried, _ := c.Attempts(id)
		return tried == 0
	}
	ran, baseRan := *g, *base
	ran.Cells, baseRan.Cells = view.Without(g.Cells, didNotRun), view.Without(base.Cells, didNotRun)
	shared, sharedBase = t.view.Partners(&ran, &baseRan)
	omitsCells := len(shared.Cells) < len(ran.Cells) || len(sharedBase.Cells) < len(baseRan.Cells)
	if len(shared.Cells) > 0 && omitsCells {
		t.omitsUnshared = true
	}
	return shared, sharedBase
}

// contrastCaption returns the caption of a table of contrasts without the name of the metric: "mean
// difference between two levels of n, with its 95% confidence interval ...".
func (t *Table) contrastCaption() string {
	results := t.resultWords()
	pairing := "If two levels share draws or folds, the interval for their difference uses paired differences."
	if !t.pairedContrasts {
		results = t.levelResultWords()
		pairing = t.independenceWords()
	}
	contrast := fmt.Sprintf("mean difference between two levels of %s, with its %.3g%% confidence interval (%s, not "+
		"simultaneous), over %s.", t.view.FactorLabel(t.contrastFactor), 100*(1-t.view.Alpha), t.contrastStatistics(),
		results)
	sentences := appendText([]string{contrast, pairing}, t.varianceWords())
	if t.omitsUnshared {
		sentences = append(sentences, "A difference uses only the cells in which the classifier ran at both levels.")
	}
	if t.lacksIntervals {
		sentences = append(sentences, "An entry without an interval has one result, results that do not vary, or "+
			"levels with different folds of one data set.")
	}
	return strings.Join(appendText(sentences, t.Bold), " ")
}

// independenceWords states why unpaired contrasts treat the levels as independent samples. Different files may
// still describe the same units.
func (t *Table) independenceWords() string {
	if slices.ContainsFunc(t.allGroups(), t.view.FromDataSets) {
		return "The levels are treated as independent samples, because their files differ."
	}
	return "The levels are independent samples."
}

// varianceWords describes the variances and degrees of freedom of the intervals in a table of contrasts. It
// returns "" for paired differences of single cells.
func (t *Table) varianceWords() string {
	isWithinCells := func(g view.Group) bool { return t.view.HasErrorWithinCells(g, &t.Measure) }
	switch {
	case slices.ContainsFunc(t.allGroups(), isWithinCells):
		return "Intervals use the variances within cells and Welch-Satterthwaite degrees of freedom."
	case !t.pairedContrasts:
		return "Intervals have Welch-Satterthwaite degrees of freedom."
	}
	return ""
}

// levelResultWords describes how many results a mean at one level averages, as in "R = 50 replicates per level".
func (t *Table) levelResultWords() string {
	words := t.view.ResultWords(t.resultsPerLevel, t.Measure.Pooled(t.allGroups()))
	return words + " per level" + unitWords(&t.Measure, words)
}

func (t *Table) contrastStatistics() string {
	return view.DistinctWords(t.allGroups(), func(g view.Group) string {
		if len(g.Cells) == 1 && t.view.Sampling[g.Cells[0].ID].OneDataSet {
			return "corrected resampled t"
		}
		return "Student's t"
	})
}
