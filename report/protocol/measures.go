package protocol

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// samplings records which kinds of replicates occur in a study.
type samplings struct {
	newData    bool // each replicate draws a new problem, training set and test set
	tasks      bool // folds of newly drawn problems
	oneDataSet bool // splits or folds of one data set
	oneTestSet bool // fits on one test set
	folds      bool // some replicates are folds
}

func samplingsOf(v *view.View) (kinds samplings) {
	for _, c := range v.FitCells {
		s := v.Sampling[c.ID]
		kinds.folds = kinds.folds || s.Folds > 1
		switch {
		case s.OneTestSet:
			kinds.oneTestSet = true
		case s.OneDataSet:
			kinds.oneDataSet = true
		case s.Folds > 1:
			kinds.tasks = true
		default:
			kinds.newData = true
		}
	}
	return kinds
}

// targets lists the estimands.
func targets(s *section, v *view.View, measures []*metrics.Metric) {
	s.text("For each method in each cell, the expected value of:")
	s.list(stats.Map(measures, func(m *metrics.Metric) string {
		// m.Source defines the metric on test rows, but trials may score training rows.
		definition := strings.ReplaceAll(m.Source, "test rows", v.ScoredRows(v.FitCells)+" rows")
		return v.ScoredName(m, v.FitCells) + ": " + definition
	}))
	kinds := samplingsOf(v)
	if kinds.newData {
		s.text("The expectation is over problems, which the mechanism generates, and over training sets and test " +
			"sets. All are new in every replicate.")
	}
	if kinds.tasks {
		s.text("In a cell that cross-validates a sample from each newly drawn problem, the expectation is over " +
			"problems and samples. Each such sample is one task. The result of a task is the mean over its folds.")
	}
	if kinds.oneDataSet {
		s.text("For a data set, the expectation is over its splits only. Conclusions apply to rules that are " +
			"trained on parts of this data set. If a row of a table pools several data sets, it compares the " +
			"means of the data sets.")
	}
	if kinds.oneTestSet {
		s.text("With one fixed test set, the expectation is over training sets and the random draws of a method. The " +
			"mean applies only to these test rows. Tests that compare methods on the rows allow conclusions about " +
			"new rows, but only for these fits.")
	}
	for _, c := range v.Classifiers {
		if c.Oracle {
			s.textf("%s, the Bayes rule of the randomly drawn problem, has the smallest expected error that any "+
				"method can have.", v.Label(c.ID))
		}
	}
}

// correlatedSplits describes the variance of means over the folds or splits of one data set.
func correlatedSplits(s *section, v *view.View) {
	s.text("The R splits of one data set share rows, so their results are correlated. The standard errors of " +
		"their means and the tests of their differences use the variance estimate of Nadeau and Bengio " +
		"(2003). It depends on the ratio of n_test, the number of test rows of a split, to the number of its " +
		"other rows. The ratio remains the same if a fit uses only some of the other rows. With n rows in a " +
		"split, the estimate for differences is:")
	s.formula(`\widehat{\mathrm{Var}}(\bar d) = ` +
		`\left(\frac{1}{R} + \frac{n_\mathrm{test}}{n-n_\mathrm{test}}\right)` +
		`\frac{1}{R-1}\sum_{r=1}^{R}(d_r-\bar d)^2.`)
	if v.ScoresTraining(view.Group{Cells: v.FitCells}) {
		s.text("For results on training rows, the ratio is 1.")
	}
}

// performance describes the estimators of performance and their Monte-Carlo standard errors (Morris,
// White and Crowther 2019, Table 6).
func performance(s *section, v *view.View, measures []*metrics.Metric) {
	names := stats.Map(measures, func(m *metrics.Metric) string { return v.ScoredName(m, v.FitCells) })
	kinds := samplingsOf(v)
	counted := "all methods included in the means succeeded"
	if v.ReplacesFailures() {
		counted = "at least one method succeeded; for a failed fit, t_r is the replacement score"
	}
	s.textf("For each measure (%s), let t_r be the value of a method on replicate r. In each cell, R is the "+
		"number of replicates in which %s (see Missingness). The performance of the method is the mean of t_r, with "+
		"its standard deviation and Monte-Carlo standard error (MCSE):", strings.Join(names, ", "), counted)
	s.formula(`\hat\theta = \frac{1}{R}\sum_{r=1}^{R} t_r, \qquad ` +
		`s^2 = \frac{1}{R-1}\sum_{r=1}^{R}(t_r-\hat\theta)^2, \qquad ` +
		`\mathrm{MCSE}(\hat\theta) = \frac{s}{\sqrt{R}}.`)
	if kinds.tasks {
		s.text("In a cell that cross-validates a sample from each newly drawn problem, the index r runs over the " +
			"problems, and t_r is the mean over the folds of problem r.")
	}
	s.text("Methods are compared in pairs. Let d_r be the difference between two methods on the same data:")
	s.formula(`\bar d = \frac{1}{R}\sum_{r=1}^{R} d_r, \qquad ` +
		`\mathrm{MCSE}(\bar d) = \sqrt{\frac{1}{R(R-1)}\sum_{r=1}^{R}(d_r-\bar d)^2}.`)
	if kinds.oneDataSet {
		correlatedSplits(s, v)
	}
	s.text("If F of N fits failed, the share of failed fits is:")
	s.formula(`\hat p = \frac{F}{N}, \qquad \mathrm{MCSE}(\hat p) = \sqrt{\frac{\hat p(1-\hat p)}{N}}.`)
	s.text("Reference: Morris, White and Crowther, Using simulation studies to evaluate statistical methods, " +
		"Statistics in Medicine 38 (2019), 2074-2102.")
}

// comparisons lists the families of hypotheses that the study tests.
func comparisons(s *section, v *view.View, design Design) {
	families := design.Families
	if len(families)+len(design.Variants) == 0 {
		s.text("No hypothesis is tested.")
		return
	}
	total, list := v.Multiplicity(families, design.Variants)
	s.text(total, "These numbers assume that every method has results in every cell. The page of the report counts "+
		"the hypotheses that it tests.")
	s.list(list)
	s.text(pairSentence(v, families))
	if v.Margin > 0 {
		s.textf("For each test in a row of a table, two one-sided tests, corrected in the same way, show whether "+
			"the difference is smaller than %s. A joint test of all pairs shows equivalence only if the simultaneous "+
			"interval for the difference lies within this margin.", view.Number(v.Margin))
	}
	if v.Rope > 0 {
		s.textf("For each comparison in a row of a table, the Bayesian signed-rank test considers the average of two "+
			"random differences. It gives the posterior probability that this average lies within %s of zero more "+
			"often than above or below.", view.Number(v.Rope))
	}
}

// Failed fits may leave only two methods to compare in a row. pairSentence names the test of such rows. It
// returns "" if it is the test of all other rows.
func pairSentence(v *view.View, families []view.Family) string {
	hasSeveral := func(f view.Family) bool { return len(f.Members) > 2 }
	var groups []view.Group // the cells with a joint test
	for _, c := range v.FitCells {
		if g := (view.Group{Cells: []records.Cell{c}}); v.HasJointTest(&g, 3) {
			groups = append(groups, g)
		}
	}
	if groups == nil || v.ReplacesFailures() || !slices.ContainsFunc(families, hasSeveral) {
		return ""
	}
	return fmt.Sprintf("If failed fits leave only two methods to compare in a row, the test is the %s, and the tested "+
		"quantity is the %s.", v.TestLabels(groups, view.PairedTests), v.Estimates(groups, view.PairedTests))
}

// replicates describes the number of replicates, the author's reason for it and the resulting precision.
func replicates(s *section, v *view.View, author Author, measures []*metrics.Metric) {
	s.text(author.Replicates, view.Plural(v.Replicates, "replicate", "replicates")+" per cell.",
		v.ExtensionSentence(), v.ChangeSentence(), v.ReductionSentence(), v.UnusedSentence())
	kinds := samplingsOf(v)
	if kinds.folds {
		s.text("In a cell with folds, each replicate is a fold, so the number of problems or repeats is the " +
			"number of replicates divided by the number of folds.")
	}
	// The bound requires independent results. Folds, splits and fits on one test set are dependent.
	bounded := boundedNames(v, measures)
	if bounded != nil && !kinds.tasks && !kinds.oneDataSet && !kinds.oneTestSet {
		largest := 0.5 / math.Sqrt(float64(v.Replicates))
		s.textf("The values of %s are between 0 and 1, so their standard deviation is at most 1/2. With %d "+
			"independent replicates, the Monte-Carlo standard error of a mean is therefore at most %.3g for every "+
			"method.",
			view.And(bounded), v.Replicates, largest)
	}
}

// boundedNames returns the names of the measures whose values are between 0 and 1.
func boundedNames(v *view.View, measures []*metrics.Metric) (names []string) {
	for _, m := range measures {
		if m.Low >= 0 && m.High <= 1 {
			names = append(names, v.ScoredName(m, v.FitCells))
		}
	}
	return names
}

func missingness(s *section, v *view.View, design Design) {
	s.text("A failed fit is recorded with its error message. The data of its replicate are never drawn again, and " +
		"neither a default prediction nor another method replaces the fit in the records. The report lists all " +
		"failures and states their number with every table and figure that they affect. If the data of a replicate " +
		"cannot be drawn, no method is fitted, and the replicate is left out of all means.")
	s.text(v.RetriedSentence(), v.TreatmentSentence("Means, tests and ranks"))
	for _, treatment := range v.Failures[1:] {
		s.text(v.WithTreatment(treatment).TreatmentSentence("Further tables"))
	}
	s.text(design.Limits...)
}

func environment(s *section, v *view.View) {
	s.text("The file manifest.json records, for every session, the version and source revision of copse, the " +
		"version of Go, the operating system, the processor and its cores. It also records the SHA-256 of the " +
		"study file, of every data file and of the records; the version of every method and generator; and the " +
		"versions that external programs report.")
	if len(v.Commands) > 0 {
		s.text("To repeat the study:")
		s.blocks = append(s.blocks, block{items: v.Commands, isCode: true})
	}
	s.text("copse verify checks the files, computes trials again and compares the results bit for bit.")
}
