package study

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats"
	"copse/stats/records"
)

// Additions describes the classifiers, factors and levels of the study that at least one of the earlier
// study files lacks: "new classifiers (boosting, qda)", "new factors (d)", "new levels of n (400)".
func (s *Study) Additions(earlier []config.Place) (list []string) {
	// add extends list by a description of the names that at least one file lacks.
	add := func(noun string, names []string, namesIn func(file config.Place) []string) {
		isOld := func(name string) bool {
			return !slices.ContainsFunc(earlier, func(file config.Place) bool {
				return !slices.Contains(namesIn(file), name)
			})
		}
		if added := slices.DeleteFunc(slices.Clone(names), isOld); len(added) > 0 {
			list = append(list, fmt.Sprintf("%s (%s)", noun, strings.Join(added, ", ")))
		}
	}
	add("new classifiers", s.ClassifierIDs(), func(file config.Place) []string {
		return stats.Map(file.Key("classifiers").Items(), classifierID)
	})
	add("new factors", records.FactorNames(s.Factors), factorsIn)
	for _, f := range s.Factors {
		present := s.presentLevels(f)
		add("new levels of "+f.Name, present, func(file config.Place) []string {
			if !slices.Contains(factorsIn(file), f.Name) {
				return present // the factor is new, which is described above
			}
			return levelNames(designsOf(file), f.Name)
		})
	}
	return list
}

// factorsIn returns the names of the factors in all designs of a study file.
func factorsIn(file config.Place) (names []string) {
	for _, design := range designsOf(file) {
		names = append(names, design.Names()...)
	}
	return names
}

// presentLevels returns the levels of a factor that occur in at least one cell. The key "exclude" may remove a
// level from all cells.
func (s *Study) presentLevels(f records.Factor) []string {
	isAbsent := func(level string) bool {
		return !slices.ContainsFunc(s.Cells, func(c *Cell) bool { return c.Levels.Of(f.Name) == level })
	}
	return slices.DeleteFunc(slices.Clone(f.Levels), isAbsent)
}
