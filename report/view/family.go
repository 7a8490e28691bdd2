package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Family describes hypotheses that share a correction for multiple testing, such as the tests in one row of a
// table.
//
// If several families have the same description, one Family represents them all.
type Family struct {
	ShownIn      string   // "table errors"
	Measure      string   // compared measure in words
	Uncorrected  []string // further tests on the page that the correction does not count
	Members      []string // nil if the family compares numbers
	NotCompared  []string // shown but not compared
	Compares     string   // sentence on what the test compares
	Unit         string   // unit with its own family, such as "row"; "" if there is only one family
	Count        int      // number of families with this description
	Hypotheses   int      // number of hypotheses per family
	Level        string   // level and correction in words
	LeastResults string   // smallest number of results that allows a rejection; may be ""
}

// Gather merges families that differ only in Count.
func Gather(families []Family) []Family {
	var gathered []Family
	for _, f := range families {
		i := slices.IndexFunc(gathered, func(other Family) bool {
			other.Count = f.Count
			return reflect.DeepEqual(other, f)
		})
		if i < 0 {
			gathered = append(gathered, f)
		} else {
			gathered[i].Count += f.Count
		}
	}
	return gathered
}

// Multiplicity returns sentences on the number of hypotheses that a report tests, and a description of each family
// of hypotheses. The families in variants belong to tables with other treatments of failed fits; they are only
// counted.
func (v *View) Multiplicity(families, variants []Family) (total string, each []string) {
	var places []string // the tables and figures
	for _, f := range families {
		places = AddNew(places, f.ShownIn)
		each = append(each, v.familyWords(&f))
	}
	total = "The report tests no hypothesis."
	if len(families) > 0 {
		total = fmt.Sprintf("The report tests %s. Each family has its own correction; there is no correction across "+
			"families.", countWords(families, ""))
	}
	if len(places) > 1 {
		total += " A hypothesis that several tables or figures test is counted in each of them."
	}
	if len(variants) > 0 {
		total += fmt.Sprintf(" Variants of the tables with other treatments of failed fits (%s) test %s.",
			strings.Join(v.Failures[1:], ", "), countWords(variants, "further "))
	}
	return total, each
}

// countWords counts the hypotheses in families: "12 hypotheses in 6 families". The adjective may be "".
func countWords(families []Family, adjective string) string {
	count, hypotheses := 0, 0
	for _, f := range families {
		count += f.Count
		hypotheses += f.Count * f.Hypotheses
	}
	return fmt.Sprintf("%s in %s", Plural(hypotheses, adjective+"hypothesis", adjective+"hypotheses"),
		Plural(count, "family", "families"))
}

// familyWords describes the hypotheses, the correction and the classifiers of a family:
//
//	"Table errors, test error: The method with the best mean is compared with each of the others. 4
//	families, one for each row, of 2 hypotheses; family-wise level 0.05, Holm. Members: SLB, RF, NB."
func (v *View) familyWords(f *Family) string {
	families := Plural(f.Count, "family", "families")
	if f.Unit != "" && f.Count > 1 {
		families += fmt.Sprintf(", one for each %s,", f.Unit)
	}
	hypotheses := Plural(f.Hypotheses, "hypothesis", "hypotheses")
	text := fmt.Sprintf("%s, %s: %s", Capital(f.ShownIn), f.Measure, f.Compares)
	text += fmt.Sprintf(" %s of %s; %s.", families, hypotheses, f.Level)
	if f.LeastResults != "" {
		text += fmt.Sprintf(" No hypothesis can be rejected with fewer than %s.", f.LeastResults)
	}
	if len(f.Members) > 0 {
		text += fmt.Sprintf(" Members: %s.", v.Labels(f.Members))
	}
	if len(f.NotCompared) > 0 {
		text += fmt.Sprintf(" Not compared, shown for reference only: %s.", v.Labels(f.NotCompared))
	}
	if len(f.Uncorrected) > 0 { // other metrics or treatments of failed fits, outside this family
		text += fmt.Sprintf(" The page also contains tests of %s, but the correction does not count these tests.",
			strings.Join(f.Uncorrected, ", "))
	}
	return text
}

// Pairs returns the number of pairs of k classifiers.
func Pairs(k int) int { return k * (k - 1) / 2 }

// Comparisons returns the number of comparisons of k classifiers that the correction for multiple testing
// counts.
func (v *View) Comparisons(k int) int {
	if v.AllPairs() {
		return Pairs(k)
	}
	return k - 1
}

// Nominal reports whether the probability of a false rejection can exceed the family-wise level, because the
// same data choose the best classifier.
func (v *View) Nominal(champion string, comparisons int) bool {
	return champion == "" && !v.AllPairs() && comparisons > 1
}

// CanCompare reports whether ids has at least two classifiers. If champion is not "", ids must
// contain it.
func CanCompare(ids []string, champion string) bool {
	return len(ids) > 1 && (champion == "" || slices.Contains(ids, champion))
}

// Partial returns the classifiers that the joint test of all pairs in a group leaves out, because they ran on
// only part of the data. With them, every pair would have fewer results. Without a joint test, Partial returns
// nil.
func (v *View) Partial(g *Group, pooled *records.Cell, family []string, champion string) (list []string) {
	if champion != "" || !v.HasJointTest(g, len(verdicts.Ran(pooled, family))) {
		return nil
	}
	return RanOnPart(pooled, family)
}

// HasJointTest reports whether one joint test of all pairs compares k classifiers in a group. With a
// single test set, each pair has its own test on the rows of this set.
func (v *View) HasJointTest(g *Group, k int) bool {
	return v.Joint(k) && !v.HasOneTestSet(*g) && !v.Untested(*g)
}

// PartialSentence names the classifiers that Partial leaves out, and their groups: "Not compared, since they
// were not run on all data: RF in n = 200." partial[i] is the result of Partial for groups[i].
func (v *View) PartialSentence(verdict string, groups []Group, partial [][]string) string {
	return v.sinceSentence(verdict, "they were not run on all data", groups, partial)
}

// sinceSentence names the classifiers in any of the lists, with the groups to which their lists
// belong. lists[i] belongs to groups[i]. A classifier in all lists, such as SLB here, needs no groups:
//
//	"Not compared, since they were not run on all data: RF in n = 200, n = 400; SLB."
//
// In this example, verdict is "Not compared" and reason is "they were not run on all data". If all
// lists are empty, the sentence is "".
func (v *View) sinceSentence(verdict, reason string, groups []Group, lists [][]string) string {
	var parts []string
	for _, id := range v.Records.Classifiers {
		var where []string
		for i := range groups {
			if slices.Contains(lists[i], id) {
				where = append(where, v.sharedLevels(&groups[i]))
			}
		}
		switch len(where) {
		case 0:
		case len(groups):
			parts = append(parts, v.Label(id))
		default:
			parts = append(parts, v.Label(id)+" in "+strings.Join(where, ", "))
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("%s, since %s: %s.", verdict, reason, shortList(parts))
}
