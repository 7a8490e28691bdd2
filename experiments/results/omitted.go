package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/stats/records"
)

// Omitted describes stored results that the study does not include: consecutive replicates of one
// recipe in a cell.
type Omitted struct {
	Cell       string         `json:"cell"`
	Levels     records.Levels `json:"levels"`
	Classifier string         `json:"classifier"`
	Recipe     string         `json:"recipe"`
	First      int            `json:"first"`  // replicate
	Last       int            `json:"last"`   // replicate
	Reason     string         `json:"reason"` // such as "of replicates above 6"
}

// omittedIn describes the stored results of the cell store.cells[index] that the records omit.
func (s *Selection) omittedIn(index int32) []Omitted {
	return s.explain(s.rangesIn(index)) // explain drops the records
}

// rangesIn describes all stored results of the cell store.cells[index]. Each element contains the
// results of one recipe in consecutive replicates. The field Reason is not set.
func (s *Selection) rangesIn(index int32) (list []Omitted) {
	cell := &s.store.cells[index]
	latest := map[int32]int{} // index in list of the latest element of each recipe
	for _, replicate := range cell.replicates() {
		for _, r := range s.store.results(trialKey{index, replicate}) {
			i, hasElement := latest[r.recipe]
			continues := hasElement && list[i].Last == int(replicate)-1
			if continues {
				list[i].Last++
				continue
			}
			recipe := s.store.recipes.values[r.recipe]
			latest[r.recipe] = len(list)
			list = append(list, Omitted{Cell: cell.id, Levels: cell.levels, Classifier: recipe.id, Recipe: recipe.spec,
				First: int(replicate), Last: int(replicate)})
		}
	}
	return list
}

// addKnown adds the omitted results that the manifest m lists, because their journals may have been
// removed. It drops results of other versions of classifiers.
func (s *Selection) addKnown(stored []Omitted, m *Manifest) []Omitted {
	if m != nil {
		stored = slices.Concat(stored, m.Omitted)
	}
	isOtherVersion := func(o Omitted) bool { return strings.HasPrefix(o.Reason, otherVersions) }
	return slices.DeleteFunc(s.explain(joinOmitted(stored)), isOtherVersion)
}

// joinOmitted joins overlapping or adjacent ranges of replicates of the same cell, classifier and
// recipe. It sorts its argument.
func joinOmitted(list []Omitted) (joined []Omitted) {
	byRecipe := func(a, b Omitted) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.Classifier, b.Classifier),
			strings.Compare(a.Recipe, b.Recipe))
	}
	slices.SortFunc(list, func(a, b Omitted) int { return cmp.Or(byRecipe(a, b), cmp.Compare(a.First, b.First)) })
	for _, o := range list {
		last := len(joined) - 1
		touchesLast := last >= 0 && byRecipe(joined[last], o) == 0 && o.First <= joined[last].Last+1
		if touchesLast {
			joined[last].Last = max(joined[last].Last, o.Last)
		} else {
			joined = append(joined, o)
		}
	}
	return joined
}

// explain adds a reason to each element of list, and drops elements that are records of the study.
func (s *Selection) explain(list []Omitted) (explained []Omitted) {
	for _, o := range list {
		// Replicates above the study's number need another reason than those within it, so divide the
		// range. Either part may be empty.
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

// whyOmitted returns the reason why the study does not include the results o. For example, "of replicates above
// 6" means that the study has 6 replicates. It returns "" if the study includes them. The replicates from
// o.First to o.Last must either all be in the study, or all exceed its number of replicates.
func (s *Selection) whyOmitted(o *Omitted) string {
	recipes, isInStudy := s.wanted[o.Cell]
	recipe, isRun := recipes[o.Classifier]
	switch {
	case !isInStudy:
		return s.describeOther(o.Levels)
	case !isRun:
		return s.whyNotRun(recipes, o)
	case !sameButVersion(recipe, o.Recipe):
		return "of " + o.Classifier + " with other settings"
	case o.First > s.study.Replicates:
		return aboveReplicates(s.study.Replicates)
	case recipe != o.Recipe: // only the versions differ
		return otherVersions + o.Classifier
	}
	return ""
}

// whyNotRun returns the reason for omitting a classifier that the study does not run in this cell.
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

// aboveReplicates returns the reason for omitting replicates above n, the number in the study.
// Manifests contain this text, so it must not change.
func aboveReplicates(n int) string { return fmt.Sprintf("of replicates above %d", n) }

// describeOther describes results of a cell that the study does not have, such as "of other cells
// (n = 90)".
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
	case !s.levels[levels]: // the study has each level, but not this combination
		return "of cells that are not in the study"
	}
	return "of other data" // the ID of a cell also depends on its data
}

// MostReplicates returns the highest number of a replicate that is omitted only because the study
// has fewer replicates, or 0 if there is none.
func (m *Manifest) MostReplicates() (largest int) {
	for _, o := range m.Omitted {
		if o.Reason == aboveReplicates(m.Replicates) {
			largest = max(largest, o.Last)
		}
	}
	return largest
}

// maxReasons is the largest number of reasons that OmittedInWords lists.
const maxReasons = 6

// OmittedInWords returns the number of omitted results for each reason, as in "8 results of
// replicates above 6". The most frequent reason comes first.
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
