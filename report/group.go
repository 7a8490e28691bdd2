package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// source is what tables and figures are made from: the study, its records laid
// out by cell, and the timings.
type source struct {
	Study
	records *records.Records
	trials  []records.Cell // as they were run
	cells   []records.Cell // in the units of the inference: trials or tasks
	seconds map[timingKey]Timing
	Inference
}

type timingKey struct {
	cell       string
	replicate  int
	classifier string
}

func newSource(study Study, records *records.Records, inference Inference) *source {
	s := &source{Study: study, records: records, trials: records.Cells(), Inference: inference,
		seconds: make(map[timingKey]Timing, len(study.Timings))}
	s.cells = s.trials
	if s.Unit == "task" {
		s.cells = records.OverFolds(study.Folds).Cells()
	}
	for _, t := range study.Timings {
		s.addTiming(t)
	}
	return s
}

// addTiming keeps the seconds of a fit, or of a task's mean fit.
func (s *source) addTiming(t Timing) {
	key := timingKey{t.Cell, t.Replicate, t.Classifier}
	k := s.Folds[t.Cell]
	if s.Unit != "task" || k < 2 {
		s.seconds[key] = t
		return
	}
	key.replicate = records.FoldTask(t.Replicate, k)
	sum := s.seconds[key]
	sum.Fit, sum.Predict = sum.Fit+t.Fit/float64(k), sum.Predict+t.Predict/float64(k)
	s.seconds[key] = sum
}

// units names what the inference counts.
func (s *source) units() string {
	if s.Unit == "task" {
		return "tasks"
	}
	return "replicates"
}

// foldRemark warns that folds are taken for independent replicates.
func (s *source) foldRemark(t *table) {
	if s.Unit == "task" || !t.measure.perRate {
		return
	}
	for _, c := range s.cells {
		if s.Folds[c.ID] > 1 {
			t.remark("Replicates are folds of a cross-validation, which share data: tests and standard errors that take them for independent are too sure of themselves. With inference: {unit: task} each task counts once, with its mean over the folds.")
			return
		}
	}
}

// A group is the cells that share the levels of some factors, as one.
type group struct {
	factors []string
	levels  []string
	cells   []records.Cell
}

// groups splits the cells by the levels of factors, in the order of the levels.
func (s *source) groups(cells []records.Cell, factors []string) ([]group, error) {
	at, err := s.positions(factors)
	if err != nil {
		return nil, err
	}
	var list []group
	for _, c := range cells {
		levels := make([]string, len(at))
		for i, j := range at {
			levels[i] = c.Levels[j]
		}
		k := slices.IndexFunc(list, func(g group) bool { return slices.Equal(g.levels, levels) })
		if k < 0 {
			k = len(list)
			list = append(list, group{factors: factors, levels: levels})
		}
		list[k].cells = append(list[k].cells, c)
	}
	slices.SortStableFunc(list, func(a, b group) int {
		for i, j := range at {
			order := s.records.Factors[j].Levels
			if d := cmp.Compare(slices.Index(order, a.levels[i]), slices.Index(order, b.levels[i])); d != 0 {
				return d
			}
		}
		return 0
	})
	return list, nil
}

// positions finds factors in the records.
func (s *source) positions(factors []string) ([]int, error) {
	at := make([]int, len(factors))
	for i, name := range factors {
		at[i] = slices.IndexFunc(s.records.Factors, func(f records.Factor) bool { return f.Name == name })
		if at[i] < 0 {
			return nil, fmt.Errorf("no factor %q; the records have %s", name, strings.Join(s.factorNames(), ", "))
		}
	}
	return at, nil
}

func (s *source) factorNames() []string {
	names := make([]string, len(s.records.Factors))
	for j, f := range s.records.Factors {
		names[j] = f.Name
	}
	return names
}

// where keeps the cells that fit "factor=level" conditions: those of one factor
// are alternatives, different factors must all fit.
func (s *source) where(conditions []string) ([]records.Cell, error) {
	allowed := make([][]string, len(s.records.Factors))
	for _, c := range conditions {
		name, level, ok := strings.Cut(c, "=")
		if !ok {
			return nil, fmt.Errorf("condition %q: want factor=level", c)
		}
		at, err := s.positions([]string{name})
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w", c, err)
		}
		if f := s.records.Factors[at[0]]; level != "" && !slices.Contains(f.Levels, level) {
			return nil, fmt.Errorf("condition %q: factor %q has no level %q; it has %s", c, name, level, strings.Join(f.Levels, ", "))
		}
		allowed[at[0]] = append(allowed[at[0]], level)
	}
	var kept []records.Cell
	for _, c := range s.cells {
		fits := true
		for j, levels := range allowed {
			fits = fits && (levels == nil || slices.Contains(levels, c.Levels[j]))
		}
		if fits {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("no cell fits %s", strings.Join(conditions, ", "))
	}
	return kept, nil
}

// varying returns the factors with more than one level among the cells.
func (s *source) varying(cells []records.Cell) []string {
	var names []string
	for j, f := range s.records.Factors {
		if slices.ContainsFunc(cells, func(c records.Cell) bool { return c.Levels[j] != cells[0].Levels[j] }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// pooled returns the group as one cell; the replicates of several cells are
// numbered through.
func (g *group) pooled() records.Cell {
	if len(g.cells) == 1 {
		return g.cells[0]
	}
	all := records.Records{Classifiers: g.cells[0].Classifiers}
	next := 0
	for _, c := range g.cells {
		for _, row := range c.Rows {
			i, _ := slices.BinarySearch(c.Replicates, row.Replicate)
			row.Cell, row.Replicate = "pooled", next+i+1
			all.Rows = append(all.Rows, row)
		}
		next += len(c.Replicates)
	}
	return all.Cells()[0]
}

// columns resolves the classifiers of a table or figure; empty means all.
func (s *source) columns(ids []string) ([]string, error) {
	if len(ids) == 0 {
		return s.records.Classifiers, nil
	}
	for _, id := range ids {
		if !slices.Contains(s.records.Classifiers, id) {
			return nil, fmt.Errorf("no classifier %q; the records have %s", id, strings.Join(s.records.Classifiers, ", "))
		}
	}
	return ids, nil
}

// family returns the classifiers of columns that are compared by tests.
func (s *source) family(columns []string) []string {
	var family []string
	for _, id := range columns {
		if c := s.classifier(id); len(s.Family) == 0 && (c == nil || !c.Oracle) || slices.Contains(s.Family, id) {
			family = append(family, id)
		}
	}
	return family
}

func numeric(level string) bool {
	v, err := strconv.ParseFloat(level, 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}
