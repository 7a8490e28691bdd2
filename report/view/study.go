package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/exp/rand"

	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Study says what was run, for captions and pages.
type Study struct {
	Name        string // identity, as in file names
	Title       string
	Aims        []string // the author's questions, a sentence each
	Source      string   // the paper, section or table it follows
	Factors     []Factor
	Generators  []Component
	Classifiers []Component
	Replicates  int
	Sampling    map[string]Sampling          // by cell; absent: drawn anew for each replicate
	Problems    map[string]string            // the generator or data set of each cell; absent: not known
	Classes     map[string][]string          // names of the classes, by cell; absent: not known
	Random      func(name string) *rand.Rand // sources of tests that draw; nil: none can
	Posteriors  *verdicts.Posteriors         // Bayesian tests made before; nil: none is kept
	Seed        string
	Machine     []Setting         // processor, memory, operating system
	Versions    []Setting         // binary, Go, dependencies, configuration hash, dates
	Commands    []string          // lines that repeat the study
	Results     string            // directory of the results, as `copse repro` wants it
	Data        []Setting         // data sets that were read: what they are, licence, checksum
	Remarks     map[string]string // cell: what every table with it says of its data
	Extensions  []string          // later sessions with more replicates: "20 to 50 replicates on 2026-11-24"
	Missing     int               // results that the study asks for and that are not there

	// Predictions yields what the classifiers of a cell said of its test rows, by
	// replicate, as far as that is kept; nil: it is not.
	Predictions func(cell string, each func(replicate int, classifier string, p *metrics.Predictions) error) error
}

// Lacking says how many results are missing; "": none.
func (v *View) Lacking() string {
	if v.Missing == 0 {
		return ""
	}
	return fmt.Sprintf("The study is not complete: %s not there yet.", Plural(v.Missing, "result is", "results are"))
}

// A Factor is a varied quantity as readers see it.
type Factor struct {
	Name   string            // as in the records
	Label  string            // empty: the name
	Doc    string            // one line
	Levels map[string]string // what they are in the records, and what readers see; empty: the same
}

// A Component is a generator or a classifier entry of the study.
type Component struct {
	ID      string // id within the study, as in the records
	Label   string // what tables print, "SLB"; empty: the id
	Name    string // registry name
	Version int
	Summary string
	Source  string
	Params  []Setting
	Remark  string // what every table with it says of it
	Oracle  bool   // the Bayes rule: shown, but outside every family of tests
}

// Names among Versions.
const (
	LastRun  = "last run"
	Revision = "source revision"
)

// Version returns the version of a name; "": it is not known.
func (s *Study) Version(name string) string {
	for _, v := range s.Versions {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// A Setting is one named value.
type Setting struct {
	Name, Value string
	Default     bool // not set by the study
}

// Label returns what readers see of a classifier.
func (s *Study) Label(id string) string {
	if c := s.Component(id); c != nil && c.Label != "" {
		return c.Label
	}
	return id
}

// Component returns the classifier entry of an id; nil: none.
func (s *Study) Component(id string) *Component {
	for i := range s.Classifiers { // a component is too large to copy in a search
		if s.Classifiers[i].ID == id {
			return &s.Classifiers[i]
		}
	}
	return nil
}

// Factor returns the factor of a name; nil: none.
func (s *Study) Factor(name string) *Factor {
	i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Factors[i]
}

// FactorLabel returns what readers see of a factor.
func (s *Study) FactorLabel(name string) string {
	if f := s.Factor(name); f != nil && f.Label != "" {
		return f.Label
	}
	return strings.ReplaceAll(name, "_", " ")
}

// LevelLabel returns what readers see of a level; a factor that is absent from
// a cell has the level "" and reads as a dash.
func (s *Study) LevelLabel(factor, level string) string {
	if level == "" {
		return "–"
	}
	if f := s.Factor(factor); f != nil {
		return cmp.Or(f.Levels[level], level)
	}
	return level
}

// LevelLabels are the levels on some factors as readers see them.
func (s *Study) LevelLabels(factors []string, levels records.Levels) []string {
	labels := make([]string, len(factors))
	for j, name := range factors {
		labels[j] = s.LevelLabel(name, levels.Of(name))
	}
	return labels
}

// InWords writes levels as "gaussian, n = 200, no common structure". A number stands with
// its factor, and so does a level that another factor has as well.
func (s *Study) InWords(factors []string, levels records.Levels) string {
	var parts []string
	for _, name := range factors {
		own := levels.Of(name)
		label, level := s.FactorLabel(name), s.LevelLabel(name, own)
		switch {
		case own == "":
		case level == "yes" || level == "true":
			parts = append(parts, label)
		case level == "no" || level == "false":
			parts = append(parts, "no "+label)
		case Numeric(level):
			parts = append(parts, label+" = "+level)
		case s.sharesLevel(factors, levels, name):
			parts = append(parts, label+": "+level)
		default:
			parts = append(parts, level)
		}
	}
	return strings.Join(parts, ", ")
}

// sharesLevel reports whether another of the factors has the level that a factor has here,
// here or in another cell.
func (s *Study) sharesLevel(factors []string, levels records.Levels, name string) bool {
	level := s.LevelLabel(name, levels.Of(name))
	return slices.ContainsFunc(factors, func(other string) bool {
		if other == name {
			return false
		}
		if s.LevelLabel(other, levels.Of(other)) == level {
			return true
		}
		f := s.Factor(other)
		return f != nil && slices.Contains(slices.Collect(maps.Values(f.Levels)), level)
	})
}
