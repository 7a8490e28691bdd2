package study

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/records"
)

func (r *reader) checkPair() {
	names := records.FactorNames(r.factors)
	for i, name := range r.Pair {
		if !slices.Contains(names, name) {
			at := r.root.Key("pair").Item(i)
			at.Fail("the study has no factor %q%s", name, config.DidYouMean(name, names))
		}
	}
}

// pair implements the key "pair", which makes cells share random streams if they differ only in the factors listed
// under this key. Such cells have the same problems and test rows, and smaller training sets are parts of larger ones.
//
// c is the combination of factor levels of the cell, and list contains the combinations of all cells. pair describes
// the data of the first combination in list that equals c apart from the listed factors. This description becomes the
// value of SplitKey and NoiseKey, which seed the streams. Key still differs between the cells; pair only appends a
// digest of the description. If a listed factor varies the training size, the description contains the class
// proportions of the training rows but not their number. A new training size then does not change existing cells.
func (r *reader) pair(cell *Cell, c combination, list []combination) {
	if len(r.Pair) == 0 {
		return
	}
	if cell.Data.FromFiles() || cell.Data.Folds > 0 {
		r.root.Key("pair").Fail("needs a generator with `train` and `test`; cells that use folds or files share " +
			"their rows even without `pair`: remove `pair`, or put these cells into another study")
		return
	}
	if key := cell.Data.GeneratorKey.Key("normalise"); key.Text() == "sample" { // only polybeta has this key
		key.Fail("`sample` cannot be combined with `pair`, which draws each sample " +
			"in blocks: set `normalise` to `problem` or `none`")
		return
	}
	unpaired := slices.DeleteFunc(records.FactorNames(r.factors), r.isPaired)
	own := cell.Levels.Restrict(unpaired)
	isSame := func(other combination) bool { return other.levels().Restrict(unpaired) == own }
	first := list[slices.IndexFunc(list, isSame)] // IndexFunc always finds a combination, since list also contains c
	firstSection, dataFactors := r.dataSection(first)
	firstData := r.data(r.substitute(firstSection, first))
	if r.root.Failed() {
		return
	}
	train := firstData.TrainCounts
	variesData := slices.ContainsFunc(dataFactors, r.isPaired) // data: $factor
	variesTrain := r.refersToPaired(firstSection.Key("train"), first)
	if variesData || variesTrain {
		train = lowestTerms(train) // the proportions of the classes
	}
	key := fmt.Sprintf("pair;generator=%s;train=%v;test=%v", firstData.GeneratorSpec, train, firstData.TestCounts)
	cell.SplitKey, cell.NoiseKey, cell.Paired = key, key, true
	const digestBytes = 8
	cell.Key += ";pair=" + digest(key, digestBytes)
}

func (r *reader) isPaired(factor string) bool { return slices.Contains(r.Pair, factor) }

// refersToPaired reports whether a value refers to a paired factor, directly or through the level of another
// factor.
func (r *reader) refersToPaired(at config.Place, c combination) bool {
	found := false
	at.Substitute(func(reference config.Place) config.Place {
		if r.isPaired(factorOf(reference)) {
			found = true
		} else if value, ok := r.dereference(reference, c); ok {
			found = found || r.refersToPaired(value, c)
		}
		return reference // the copy is not used
	})
	return found
}

// factorOf returns the name of the factor in a reference, which is $factor or $factor.key.
func factorOf(reference config.Place) string {
	name, _, _ := strings.Cut(reference.Text()[1:], ".")
	return name
}

func lowestTerms(counts []int) []int {
	divisor := 0
	for _, n := range counts {
		divisor = gcd(divisor, n)
	}
	terms := make([]int, len(counts))
	for i, n := range counts {
		terms[i] = n / max(divisor, 1)
	}
	return terms
}
