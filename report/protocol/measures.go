package protocol

import (
	"fmt"
	"math"
	"strings"

	"copse/report/view"
	"copse/stats/metrics"
)

// samplings tells how replicates come about: anew, as folds of drawn problems, as
// parts of one data set, in one split or several.
func samplings(v *view.View) (anew, tasks, oneSet, refits bool) {
	for _, c := range v.Trials {
		switch sampling := v.Sampling[c.ID]; {
		case sampling.FixedTest:
			refits = true
		case sampling.OneSet:
			oneSet = true
		case sampling.Folds > 1:
			tasks = true
		default:
			anew = true
		}
	}
	return anew, tasks, oneSet, refits
}

func targets(s *section, v *view.View, measures []*metrics.Metric) {
	anew, tasks, oneSet, refits := samplings(v)
	s.say("For each method in each cell, the expected value of:")
	var list []string
	for _, m := range measures {
		list = append(list, fmt.Sprintf("%s: %s", m.Label, m.Source))
	}
	s.list(list)
	if anew {
		s.say("The expectation is over problems of the mechanism, training sets and test sets, all drawn anew for " +
			"every replicate.")
	}
	if tasks {
		s.say("Under cross-validation of drawn problems it is over problems and samples: a task is one sample of one " +
			"problem, its result the mean over its folds.")
	}
	if oneSet {
		s.say("Of a data set it is over its splits alone: what is said holds of rules trained on parts of this one " +
			"sample.")
	}
	if refits {
		s.say("Of one test set it is over training sets and what a method draws at random: the mean holds of these " +
			"test rows, and tests on the rows hold of these fits on further rows.")
	}
	for _, c := range v.Classifiers {
		if c.Oracle {
			s.say("%s, the Bayes rule of the drawn problem, gives the least expected error that any method can have "+
				"there.", v.Label(c.ID))
		}
	}
}

// performance states the estimators and their Monte-Carlo standard errors (Morris,
// White and Crowther 2019, Table 6, for a mean and for a proportion).
func performance(s *section, v *view.View, measures []*metrics.Metric) {
	var names []string
	for _, m := range measures {
		names = append(names, m.Label)
	}
	_, tasks, oneSet, _ := samplings(v)
	s.say("Of each measure (%s), let t_r be the value of a method on replicate r of the R replicates of a cell in "+
		"which it did not fail. Its performance is the mean, with standard deviation and Monte-Carlo standard error "+
		"(MCSE):", strings.Join(names, ", "))
	s.formula(`\hat\theta = \frac{1}{R}\sum_{r=1}^{R} t_r, \qquad ` +
		`s^2 = \frac{1}{R-1}\sum_{r=1}^{R}(t_r-\hat\theta)^2, \qquad ` +
		`\mathrm{MCSE}(\hat\theta) = \frac{s}{\sqrt{R}}.`)
	if tasks {
		s.say("Where a cell is cross-validated on problems drawn anew, r counts the problems and t_r is the mean " +
			"over the folds of one.")
	}
	s.say("Methods are compared on pairs, with d_r the difference of two methods on the same data:")
	s.formula(`\bar d = \frac{1}{R}\sum_{r=1}^{R} d_r, \qquad ` +
		`\mathrm{MCSE}(\bar d) = \sqrt{\frac{1}{R(R-1)}\sum_{r=1}^{R}(d_r-\bar d)^2}.`)
	if oneSet {
		s.say("The R splits of one data set share rows. Standard errors of their means, and tests of their " +
			"differences, count with the variance that Nadeau and Bengio (2003) correct by the ratio of test to " +
			"training rows, here of differences:")
		s.formula(`\widehat{\mathrm{Var}}(\bar d) = ` +
			`\left(\frac{1}{R} + \frac{n_\mathrm{test}}{n_\mathrm{train}}\right)` +
			`\frac{1}{R-1}\sum_{r=1}^{R}(d_r-\bar d)^2.`)
	}
	s.say("The share of failed fits, F of the N that were tried:")
	s.formula(`\hat p = \frac{F}{N}, \qquad \mathrm{MCSE}(\hat p) = \sqrt{\frac{\hat p(1-\hat p)}{N}}.`)
	s.say("Reference: Morris, White and Crowther, Using simulation studies to evaluate statistical methods, " +
		"Statistics in Medicine 38 (2019), 2074-2102.")
}

// comparisons names every family of hypotheses, and what is corrected for what.
func comparisons(s *section, v *view.View, families []view.Family) {
	if len(families) == 0 {
		s.say("No hypothesis is tested.")
		return
	}
	total, list := v.Multiplicity(families)
	s.say("%s", total)
	s.list(list)
	if v.Margin > 0 {
		s.say("Beside each test in the row of a table two one-sided ones ask whether the difference is smaller than "+
			"%s, corrected alike.", view.Number(v.Margin))
	}
	if v.Rope > 0 {
		s.say("The Bayesian signed-rank test gives the probability that differences in the row of a table lie within "+
			"%s of zero.", view.Number(v.Rope))
	}
}

// replicates says how many there are, and what they are enough for.
func replicates(s *section, v *view.View) {
	s.say("%s per cell.", view.Plural(v.Replicates, "replicate", "replicates"))
	_, tasks, oneSet, refits := samplings(v)
	if tasks || oneSet {
		s.say("Those of a cell with folds are its folds: how many problems or repeats they make follows from the " +
			"number of folds.")
	}
	if !tasks && !oneSet && !refits {
		s.say("A share has a standard deviation of at most 1/2: with %d independent replicates the Monte-Carlo "+
			"standard error of its mean is at most %.3g, whatever the "+
			"method.", v.Replicates, 0.5/math.Sqrt(float64(v.Replicates)))
	}
}

func missingness(s *section, v *view.View, design Design) {
	s.say("A fit that fails is a record with its message. It is never drawn again, and neither a default prediction " +
		"nor another method takes its place; the number of failures stands beside every mean that they touch and in " +
		"the list of the report.")
	s.say("%s", v.Treatment("Means, tests and ranks"))
	for _, limit := range design.Limits {
		s.say("%s", limit)
	}
}

func environment(s *section, v *view.View) {
	s.say("Recorded with the results, in manifest.json: version and source revision of copse, version of Go, " +
		"operating system, processor and cores of every session; the SHA-256 of the study file, of every file of " +
		"data and of the records; the version of every method and generator, and what external programs report " +
		"of themselves.")
	s.say("To repeat the study:")
	s.list(v.Commands)
	s.say("copse verify checks the files and computes trials again, bit for bit.")
}
