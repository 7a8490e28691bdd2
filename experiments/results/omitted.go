package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/stats/records"
)

// Omitted describes computed results that the records omit because the current study does not include them, for example
// after the user has removed a classifier. They are the results of one recipe (a classifier with its settings) in
// consecutive replicates of a cell.
type Omitted struct {
	Cell       string         `json:"cell"`
	Levels     records.Levels `json:"levels"`
	Classifier string         `json:"classifier"`
	Recipe     string         `json:"recipe"`
	First      int            `json:"first"`  // replicate
	Last       int            `json:"last"`   // replicate
	Reason     string         `json:"reason"` // such as "of replicates above 6"
}

// omittedIn describes the stored results of a cell that are not records of the study, for example because the study has
// other classifiers or fewer replicates. Each element of the list describes the results of one recipe in consecutive
// replicates, such as 7, 8 and 9. index is the cell's index in store.cells.
func (s *Selection) omittedIn(index int32) []Omitted {
	cell := &s.store.cells[index]
	var list []Omitted        // all results of the cell; explain then removes those that are records
	latest := map[int32]int{} // index in list of the latest element of each recipe
	for _, replicate := range cell.replicates() {
		for _, r := range s.store.results(trialKey{index, replicate}) {
			if i, ok := latest[r.recipe]; ok && list[i].Last == int(replicate)-1 {
				list[i].Last++ // the element ended at the previous replicate
				continue
			}
			recipe := s.store.recipes.values[r.recipe]
			latest[r.recipe] = len(list)
			list = append(list, Omitted{Cell: cell.id, Levels: cell.levels, Classifier: recipe.id, Recipe: recipe.spec,
				First: int(replicate), Last: int(replicate)})
		}
	}
	return s.explain(list)
}

// addKnown merges two lists of omitted results: the list stored, from the current journals, and the list in the
// manifest m. Journals of the results in m may have been removed. addKnown drops results of other versions of
// classifiers. They are omitted because the software has changed, and not because a user selected results by their
// values.
func (s *Selection) addKnown(stored []Omitted, m *Manifest) []Omitted {
	if m != nil {
		stored = slices.Concat(stored, m.Omitted)
	}
	isOtherVersion := func(o Omitted) bool { return strings.HasPrefix(o.Reason, otherVersions) }
	return slices.DeleteFunc(s.explain(joinOmitted(stored)), isOtherVersion)
}

// joinOmitted returns a sorted list that contains each result only once. It sorts the argument, too.
func joinOmitted(list []Omitted) (joined []Omitted) {
	byRecipe := func(a, b Omitted) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.Classifier, b.Classifier),
			strings.Compare(a.Recipe, b.Recipe))
	}
	slices.SortFunc(list, func(a, b Omitted) int { return cmp.Or(byRecipe(a, b), cmp.Compare(a.First, b.First)) })
	for _, o := range list {
		last := len(joined) - 1
		if last >= 0 && byRecipe(joined[last], o) == 0 && o.First <= joined[last].Last+1 {
			joined[last].Last = max(joined[last].Last, o.Last)
		} else {
			joined = append(joined, o)
		}
	}
	return joined
}

// explain returns a copy of a list of omitted results, in which each element has the reason for its omission. It drops
// elements whose results are records of the study. An element describes the replicates from First to Last. If only some
// of them exceed the study's number of replicates, explain splits the element in two, because the reasons differ.
func (s *Selection) explain(list []Omitted) (explained []Omitted) {
	for _, o := range list {
		within, above := o, o
		within.Last = min(o.Last, s.study.Replicates)
		above.First = max(o.First, s.study.Replicates+1)
		for _, part := range []Omitted{within, above} {
			part.Reason = s.whyOmitted(&part)
			if part.First <= part.Last && part.Reason != "" {
				explained = append(explained, part)
			}
		}
	}
	return explained
}

// otherVersions is the prefix of Omitted.Reason for results that other versions of a classifier computed.
const otherVersions = "of other versions of "

// whyOmitted returns the reason why results are not records of the study. The reason completes a phrase: "of
// replicates above 6" becomes "8 results of replicates above 6". whyOmitted returns "" for results that are
// records.
func (s *Selection) whyOmitted(o *Omitted) string {
	wanted, isInStudy := s.wanted[o.Cell]
	spec, runs := wanted[o.Classifier]
	switch {
	case !isInStudy:
		return s.describeOther(o.Levels)
	case !runs:
		return s.whyNotRun(wanted, o)
	case !sameButVersion(spec, o.Recipe):
		return "of " + o.Classifier + " with other settings"
	case o.First > s.study.Replicates:
		return aboveReplicates(s.study.Replicates)
	case spec != o.Recipe:
		return otherVersions + o.Classifier
	}
	return ""
}

// whyNotRun returns the reason why results are omitted if the study does not run their classifier in their cell.
// wanted contains the recipes of the cell by classifier id.
func (s *Selection) whyNotRun(wanted map[string]string, o *Omitted) string {
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		if wanted[id] == o.Recipe {
			return "of " + o.Classifier + ", which has the settings of " + id
		}
	}
	if !slices.Contains(s.Classifiers, o.Classifier) {
		return "of " + o.Classifier + ", which the study no longer has"
	}
	return "of " + o.Classifier + " in cells that do not have it"
}

// aboveReplicates returns the reason for omitting results of replicates above n, the study's number of replicates.
// Manifests contain this text, and MostReplicates compares it, so it must not change.
func aboveReplicates(n int) string { return fmt.Sprintf("of replicates above %d", n) }

// describeOther returns the reason for omitting the results of a cell whose ID does not occur in the study. levels
// contains the factor levels of the cell. The reason completes a phrase, such as "8 results of other cells (n = 90)"
// or "8 results with other factors".
func (s *Selection) describeOther(levels records.Levels) string {
	var other []string
	for _, f := range s.Factors {
		if level := levels.Of(f.Name); level != "" && !slices.Contains(f.Levels, level) {
			other = append(other, f.Name+" = "+level)
		}
	}
	hasOtherFactors := levels.Restrict(records.FactorNames(s.Factors)) != levels
	switch {
	case len(other) > 0: // the study does not have these levels, or has renamed them
		return "of other cells (" + strings.Join(other, ", ") + ")"
	case hasOtherFactors:
		return "with other factors"
	case !s.levels[levels]: // such as excluded cells
		return "of cells that are not in the study"
	}
	return "of other data" // a cell of the study has the same levels, but the ID also depends on the data
}

// MostReplicates returns the largest replicate number of the results that are omitted only because the study now
// has fewer replicates. It returns 0 if there are no such results.
func (m *Manifest) MostReplicates() (most int) {
	for _, o := range m.Omitted {
		if o.Reason == aboveReplicates(m.Replicates) {
			most = max(most, o.Last)
		}
	}
	return most
}

// maxReasons is the largest number of reasons that OmittedInWords lists.
const maxReasons = 6

// OmittedInWords counts omitted results by the reason why they are omitted. It returns texts such as "8 results of
// replicates above 6" and "4 results of 5nn with other settings". The most frequent reason comes first.
func OmittedInWords(list []Omitted) (parts []string) {
	n := map[string]int{} // number of results, by reason
	for _, o := range list {
		n[o.Reason] += o.Last - o.First + 1
	}
	reasons := slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(a, b))
	})
	others := 0
	for i, reason := range reasons {
		if i < maxReasons {
			parts = append(parts, fmt.Sprintf("%d results %s", n[reason], reason))
		} else {
			others += n[reason]
		}
	}
	if others > 0 {
		parts = append(parts, fmt.Sprintf("%d other results", others))
	}
	return parts
}
