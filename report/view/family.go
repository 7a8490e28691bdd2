package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/stats/verdicts"
)

// A Family is hypotheses that share a correction, as they are declared before there
// are results; of those that a table or figure has alike, Count stands for all.
type Family struct {
	Shown      string   // where, such as "table errors"
	Measure    string   // what is compared, in words
	Beside     []string // measures in which the page has the same tests
	Members    []string // ids of the classifiers; nil: numbers are compared, not classifiers
	Outside    []string // ids of those shown beside them
	Asked      string   // what is compared with what by which test: a sentence
	Each       string   // what each such family belongs to, such as "row"; "": there is one
	Count      int      // of such families
	Hypotheses int      // in each
	Level      string   // with the correction, in words
	Needed     string   // results from which on any hypothesis can be rejected; "": not known, or any
}

// Gather counts families that are alike as one.
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

// Multiplicity counts the hypotheses of a report in a sentence and describes each family in another.
func (v *View) Multiplicity(families []Family) (total string, each []string) {
	count, hypotheses := 0, 0
	for _, f := range families {
		count += f.Count
		hypotheses += f.Count * f.Hypotheses
		each = append(each, v.familyWords(&f))
	}
	return fmt.Sprintf("The report tests %s in %s. A correction counts the hypotheses of one family; no family is "+
		"corrected for another.", Plural(hypotheses, "hypothesis", "hypotheses"), Plural(count, "family",
		"families")), each
}

// familyWords declare families of one kind.
func (v *View) familyWords(f *Family) string {
	text := fmt.Sprintf("%s, %s: %s ", Capital(f.Shown), f.Measure, f.Asked)
	switch {
	case f.Each != "" && f.Count > 1:
		text += fmt.Sprintf("%d families, one for each %s, of %s", f.Count, f.Each,
			Plural(f.Hypotheses, "hypothesis", "hypotheses"))
	default:
		text += fmt.Sprintf("%s of %s", Capital(Plural(f.Count, "family", "families")),
			Plural(f.Hypotheses, "hypothesis", "hypotheses"))
	}
	text += "; " + f.Level + "."
	if f.Needed != "" {
		text += fmt.Sprintf(" With fewer than %s none can be rejected.", f.Needed)
	}
	if len(f.Members) > 0 {
		text += fmt.Sprintf(" Members: %s.", v.Labels(f.Members))
	}
	if len(f.Outside) > 0 {
		text += fmt.Sprintf(" Outside, for reference: %s.", v.Labels(f.Outside))
	}
	if len(f.Beside) > 0 {
		text += fmt.Sprintf(" The page shows the same tests of %s, for which nothing is corrected either.",
			strings.Join(f.Beside, ", "))
	}
	return text
}

// Pairs is the number of pairs of k members.
func Pairs(k int) int { return k * (k - 1) / 2 }

// Comparisons is the number that the correction counts of k classifiers that one of
// them is compared with.
func (v *View) Comparisons(k int) int {
	if v.AllPairs() {
		return Pairs(k)
	}
	return k - 1
}

// Nominal tells whether the level of so many comparisons is nominal: of several with the
// best of the same data, where no champion was named before ("") and all pairs are not
// counted, those are made that look most different.
func (v *View) Nominal(champion string, comparisons int) bool {
	return champion == "" && !v.AllPairs() && comparisons > 1
}

// Sizes are the smallest and the largest number of classifiers of a family that run in
// a group, of those groups in which some are compared: the champion, unless there is
// none (""), with the others.
func (v *View) Sizes(groups []Group, family []string, champion string) (low, high int) {
	for i := range groups {
		pooled := v.Pool(&groups[i])
		ran := verdicts.Ran(&pooled, family)
		k := len(ran)
		if k < 2 || champion != "" && !slices.Contains(ran, champion) || v.Untested(&groups[i]) {
			continue
		}
		if high == 0 || k < low {
			low = k
		}
		high = max(high, k)
	}
	if high == 0 {
		return len(family), len(family)
	}
	return low, high
}
