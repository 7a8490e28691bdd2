package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/stats/verdicts"
)

// A Family is a set of hypotheses that share a correction, as declared before there are
// results. Families of a table or figure that are alike are one Family with a Count.
type Family struct {
	Shown      string   // where, such as "table errors"
	Measure    string   // compared measure, in words
	Beside     []string // measures for which the page shows the same tests
	Members    []string // ids of the classifiers; nil: the family compares numbers
	Outside    []string // ids of classifiers shown for reference
	Asked      string   // a sentence: what the test compares
	Each       string   // unit that has one family each, such as "row"; "": there is one family
	Count      int      // number of such families
	Hypotheses int      // number per family
	Level      string   // level and correction, in words
	Needed     string   // fewest results with which any hypothesis can be rejected; "": unknown or none
}

// Gather merges families that differ in Count alone and adds their counts.
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

// Multiplicity returns a sentence on the number of hypotheses of a report, and a description
// of each family.
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

// familyWords describes families of one kind.
func (v *View) familyWords(f *Family) string {
	text := fmt.Sprintf("%s, %s: %s ", Capital(f.Shown), f.Measure, f.Asked)
	hypotheses := Plural(f.Hypotheses, "hypothesis", "hypotheses")
	if f.Each != "" && f.Count > 1 {
		text += fmt.Sprintf("%d families, one for each %s, of %s", f.Count, f.Each, hypotheses)
	} else {
		text += fmt.Sprintf("%s of %s", Capital(Plural(f.Count, "family", "families")), hypotheses)
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

// Pairs returns the number of pairs of k members.
func Pairs(k int) int { return k * (k - 1) / 2 }

// Comparisons returns the number of comparisons that the correction counts when one of k
// classifiers is compared with the others.
func (v *View) Comparisons(k int) int {
	if v.AllPairs() {
		return Pairs(k)
	}
	return k - 1
}

// Nominal reports whether the level of a number of comparisons is only nominal. It is if
// there are several with a best chosen on the same data (champion is ""), unless the
// correction counts all pairs: the comparisons made look most different.
func (v *View) Nominal(champion string, comparisons int) bool {
	return champion == "" && !v.AllPairs() && comparisons > 1
}

// Sizes returns the smallest and the largest number of classifiers of a family that run in a
// group. It considers groups with comparisons alone: at least two classifiers, with the
// champion if there is one. Without such groups both are the size of the family.
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
