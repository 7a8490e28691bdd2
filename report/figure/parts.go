package figure

import (
	"fmt"
	"slices"
)

// mostPanels is the number of panels up to which a page is cut into parts.
const mostPanels = 10

// parts cuts classifiers into runs that readers can tell apart, as few as possible and all of about one length; the
// reference is in each. Up to enough classifiers are one part; more are cut into parts of at most most classifiers,
// unless a page has no room for such panels of all groups.
func parts(ids []string, reference string, enough, most, groups int) [][]string {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == reference })
	n := (len(ids) + most - 1) / most
	if len(ids) <= enough || n*groups > mostPanels {
		n = 1
	}
	list := make([][]string, n)
	for k := range list {
		list[k] = slices.Clone(ids[k*len(ids)/n : (k+1)*len(ids)/n])
		if reference != "" {
			list[k] = append(list[k], reference)
		}
	}
	return list
}

// manyNames returns a remark on panels that name more classifiers than can be told apart; nil: they do not.
func (r *request) manyNames(named []string, reference string, enough int) []string {
	n := len(named)
	if slices.Contains(named, reference) {
		n--
	}
	if n <= enough {
		return nil
	}
	return []string{fmt.Sprintf("each panel names %d classifiers, of which %d can be told apart without colour; "+
		"a page with at most %d panels in all would name some in each: name fewer (columns), or %s",
		n, enough, mostPanels, r.o.fewerPanels())}
}
