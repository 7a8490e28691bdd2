package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Study contains the facts about a simulation study that captions and HTML pages show.
type Study struct {
	Name        string // as in file names
	Title       string
	Aims        []string // a sentence each
	Source      string   // what it repeats
	Factors     []Factor
	Generators  []Component
	Classifiers []Component
	Replicates  int                 // number in each cell of the report
	Sampling    map[string]Sampling // keys are cell ids; by default, each replicate draws new data
	Problems    map[string]string   // generator or data set of each cell; missing if unknown
	Classes     map[string][]string // keys are cell ids; missing if unknown
	Random      func(name string) *rand.Rand
	Posteriors  *verdicts.Posteriors // nil: no cache
	Rehearsal   bool                 // results are made up: reports need errors, but no exact numbers
	Seed        string
	Machine     []Setting         // processor, memory, operating system
	Versions    []Setting         // binary, Go, dependencies, configuration hash, dates
	Commands    []string          // lines that repeat the study
	ResultsDir  string            // directory, for `copse repro`
	Data        []Setting         // description, licence, checksum
	Remarks     map[string]string // remarks on the data; the keys are cell ids
	Extensions  []string          // increases of Replicates: "from 20 to 50 replicates on 2026-11-24"
	Changes     []string          // made after an earlier run: "new classifiers (svm)", "inference.alpha"
	Most        int               // highest number of a replicate that the report omits; 0 if there is none
	Unused      []string          // stored results that the study omits: "9 results of replicates above 7"
	Missing     []Missing         // in the order of the study
	Retried     map[string]int    // numbers of fits with a failed and a successful attempt, by classifier

	MetricLabels map[string]string // from the study file, by name of the metric; other keys have no effect

	// Predictions reads the stored predictions of a cell. It calls the function argument once for
	// every fit. Predictions is nil if the study stores no predictions.
	Predictions func(cell string, each func(replicate int, classifier string, p *metrics.Predictions) error) error
}

// A Missing describes a cell of an unfinished study that lacks results.
type Missing struct {
	Levels  records.Levels
	Results int // number of missing results
}

// MissingSentence describes missing results in the cells that meet a condition: "The study is not complete: 5
// results are missing (n = 200: 3; n = 400: 2)." It may be "".
func (v *View) MissingSentence(where records.Condition) string {
	total := 0
	var cells []string
	for _, m := range v.Missing {
		if !where.Holds(m.Levels) {
			continue
		}
		total += m.Results
		if words := v.InWords(v.FactorNames(), m.Levels); words != "" {
			cells = append(cells, fmt.Sprintf("%s: %d", words, m.Results))
		}
	}
	if total == 0 {
		return ""
	}
	text := "The study is not complete: " + Plural(total, "result is missing", "results are missing")
	if cells != nil {
		text += " (" + shortList(cells) + ")"
	}
	return text + "."
}

// OutdatedSentence names the classifiers with results of earlier versions. It may be "".
func (s *Study) OutdatedSentence() string {
	var labels []string
	for _, c := range s.Classifiers {
		if c.Outdated {
			labels = append(labels, s.Label(c.ID))
		}
	}
	if labels == nil {
		return ""
	}
	return fmt.Sprintf("Some results are from earlier versions of these classifiers: %s. "+
		"To compute them again, use copse run.",
		strings.Join(labels, ", "))
}

// ExtensionSentence lists the later sessions in which the study got more replicates. It may be "".
func (s *Study) ExtensionSentence() string {
	if s.Extensions == nil {
		return ""
	}
	return fmt.Sprintf("The study was extended: %s. The tests keep their levels only if the decision to extend did "+
		"not depend on the results.", strings.Join(s.Extensions, ", "))
}

// ChangeSentence lists the changes of classifiers, factors, levels and tests after an earlier run. It may be "".
func (s *Study) ChangeSentence() string {
	if s.Changes == nil {
		return ""
	}
	return fmt.Sprintf("The study was changed after an earlier run: %s. The tests keep their levels only if these "+
		"changes did not depend on the results.", strings.Join(s.Changes, ", "))
}

// ReductionSentence describes a study that now has fewer replicates than before. It may be "".
func (s *Study) ReductionSentence() string {
	if s.Most <= s.Replicates {
		return ""
	}
	return fmt.Sprintf("The study was run with up to %d replicates, but the report uses only the first %d. The tests "+
		"keep their levels only if this choice did not depend on the results.", s.Most, s.Replicates)
}

// UnusedSentence counts the stored results that the report omits. It may be "".
func (s *Study) UnusedSentence() string {
	if s.Unused == nil {
		return ""
	}
	return fmt.Sprintf("The study also computed results that the report omits: %s. The tests keep their levels only "+
		"if the choice of results did not depend on them.", strings.Join(s.Unused, ", "))
}

// RetriedSentence counts the fits with a failed and a successful attempt, by classifier. It may be "".
func (s *Study) RetriedSentence() string {
	var counts []string
	for _, c := range s.Classifiers {
		if n := s.Retried[c.ID]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", s.Label(c.ID), n))
		}
	}
	if counts == nil {
		return ""
	}
	return fmt.Sprintf("Fits that failed in one attempt and succeeded in another: %s. They count as successes.",
		strings.Join(counts, ", "))
}

// GapSentences returns sentences on missing, outdated, unused and retried results.
func (v *View) GapSentences() []string {
	missing := v.MissingSentence(nil) // nil means all cells
	sentences := []string{missing, v.OutdatedSentence(), v.UnusedSentence(), v.RetriedSentence()}
	return Except(sentences, "")
}

// A Factor describes a factor that the study varies.
type Factor struct {
	Name   string            // as in the records
	Label  string            // empty: the name
	Levels map[string]string // keys are levels; the default label is the level itself

	// Settings contains the parameters of the generator that each level determines, such as "rho = 0.5".
	Settings map[string][]string
}

// A Component is a generator or classifier of the study, with its parameters.
type Component struct {
	ID      string // as in the records
	Label   string // such as "SLB"; empty means the id
	Name    string // registry name
	Version string // several versions are joined by "or"; empty if it has none
	Summary string
	Source  string
	Params  []Setting
	Remark  string // printed with tables that show the component
	Oracle  bool   // the Bayes rule, which is outside every family of tests

	Outdated bool      // an earlier version of the classifier computed some of the records
	Software []Setting // versions of the language and the packages of an external program

	// Candidates are the settings among which tuning chooses, such as "c=10 gamma=0.1". nil means
	// no tuning. An empty list means that cells have different candidates.
	Candidates []string
}

// Names among Versions.
const (
	LastRun  = "last run"
	Revision = "source revision"
)

// Version returns the value of the named setting in Versions, or "" if there is none.
func (s *Study) Version(name string) string {
	i := slices.IndexFunc(s.Versions, func(v Setting) bool { return v.Name == name })
	if i < 0 {
		return ""
	}
	return s.Versions[i].Value
}

// A Setting is a named value.
type Setting struct {
	Name, Value string
	Default     bool // not set by the study
}

// Label returns the label of a classifier. By default, this is its id.
func (s *Study) Label(id string) string {
	return cmp.Or(s.Component(id).Label, id)
}

// Component returns the classifier with the given id. If there is no such classifier, it returns an empty Component.
func (s *Study) Component(id string) *Component {
	for i := range s.Classifiers {
		if s.Classifiers[i].ID == id {
			return &s.Classifiers[i]
		}
	}
	return &Component{}
}

// Factor returns the factor with the given name. If there is no such factor, it returns an empty Factor.
func (s *Study) Factor(name string) *Factor {
	i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name })
	if i < 0 {
		return &Factor{}
	}
	return &s.Factors[i]
}

// FactorLabel returns the label of a factor. By default, this is its name with spaces in place of
// underscores.
func (s *Study) FactorLabel(name string) string {
	return cmp.Or(s.Factor(name).Label, strings.ReplaceAll(name, "_", " "))
}

// FactorLabels returns the labels of factors.
func (s *Study) FactorLabels(names []string) []string { return stats.Map(names, s.FactorLabel) }

// LevelLabel returns the label of a factor level. If a cell does not have the factor, the level is ""
// and the label is a dash.
func (s *Study) LevelLabel(factor, level string) string {
	if level == "" {
		return "–"
	}
	return cmp.Or(s.Factor(factor).Levels[level], level)
}

// LevelWords lists the labels and settings of all levels of a factor, as in "200, 400" or
// "weak (rho = 0.2), strong (rho = 0.5)". If only some cells have the factor, it adds which: "none, some; only for
// climate".
func (v *View) LevelWords(f records.Factor) string {
	var list []string
	for _, level := range f.Levels {
		words := v.LevelLabel(f.Name, level)
		if settings := v.Factor(f.Name).Settings[level]; settings != nil {
			words += " (" + strings.Join(settings, ", ") + ")"
		}
		list = append(list, words)
	}
	words := strings.Join(list, ", ")
	if only := v.OnlyFor(f.Name, v.Cells); only != "" {
		words += "; only for " + only
	}
	return words
}

// LevelLabels returns the labels of the levels of the given factors, in the order of factors.
func (s *Study) LevelLabels(factors []string, levels records.Levels) []string {
	return stats.Map(factors, func(name string) string { return s.LevelLabel(name, levels.Of(name)) })
}

// InWords describes factor levels, as in "gaussian, n = 200, no common structure". It adds the label of the
// factor to ambiguous levels and to numbers.
//
// If a number has a label, InWords also adds the factor, as in "noise = none", unless the label contains it, as
// in "200 training rows".
func (s *Study) InWords(factors []string, levels records.Levels) string {
	var parts []string
	for _, name := range factors {
		level := levels.Of(name)
		if level == "" {
			continue // the cell lacks this factor
		}
		factor, label := s.FactorLabel(name), s.LevelLabel(name, level)
		namesFactor := strings.Contains(" "+label+" ", " "+factor+" ")
		switch {
		case label == "yes" || label == "true":
			parts = append(parts, factor) // "common structure"
		case label == "no" || label == "false":
			parts = append(parts, "no "+factor) // "no common structure"
		case Numeric(label):
			parts = append(parts, factor+" = "+label) // "n = 200"
		case Numeric(level) && !namesFactor:
			parts = append(parts, factor+" = "+label) // "noise = none"
		case s.isAmbiguous(name, label, factors, levels):
			parts = append(parts, factor+": "+label) // "margins: gaussian", since "gaussian" is also a copula
		default:
			parts = append(parts, label) // "gaussian", "200 training rows"
		}
	}
	return strings.Join(parts, ", ")
}

// isAmbiguous reports whether a level of another factor has the same label.
func (s *Study) isAmbiguous(name, label string, factors []string, levels records.Levels) bool {
	for _, other := range factors {
		if other == name {
			continue
		}
		if s.LevelLabel(other, levels.Of(other)) == label {
			return true
		}
		for _, text := range s.Factor(other).Levels {
			if text == label {
				return true
			}
		}
	}
	return false
}
