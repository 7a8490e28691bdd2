package study

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/records"
)

// checkPairedFactors reports names under the key "pair" that are not factors.
func (r *reader) checkPairedFactors() {
	names := records.FactorNames(r.factors)
	for i, name := range r.Pair {
		r.root.Key("pair").Item(i).CheckAmong("the study has no factor", name, names)
	}
}

// shareStreams implements the key "pair": cells that differ only in these factors share random
// streams, and thus problems and test rows. list contains the factor levels of all cells.
//
// SplitKey and NoiseKey seed the shared streams. Key still describes the data of this cell only.
func (r *reader) shareStreams(cell *Cell, list []combination) {
	if len(r.Pair) == 0 {
		return
	}
	if cell.Data.FromFiles() || cell.Data.Folds > 0 {
		r.root.Key("pair").Fail("needs a generator with `train` and `test`: remove `pair`, or put these cells into " +
			"another study. Cells with folds or files that differ only in noise, `train` or classifiers share " +
			"their rows and splits even without `pair`. If `drop` or another key differs, " +
			"`folds: {column: NAME}` gives them the same folds")
		return
	}
	normalise := cell.Data.GeneratorKey.Key("normalise") // only polybeta has this key
	if normalise.Text() == "sample" {
		normalise.Fail("`sample` cannot be combined with `pair`, which draws each sample " +
			"in blocks: set `normalise` to `problem` or `none`")
		return
	}
	key := r.pairKey(cell.Levels, list)
	if r.root.Failed() {
		return
	}
	cell.SplitKey = key
	cell.NoiseKey = key
	cell.Paired = true
	const digestBytes = 8
	cell.Key += ";pair=" + digest(key, digestBytes)
}

// pairKey returns the key of a group of paired cells, or "" after an error. The key describes the
// data of the first cell in the group. The argument levels contains the factor levels of any cell
// in the group, and list contains the factor levels of all cells in the study.
func (r *reader) pairKey(levels records.Levels, list []combination) string {
	first := r.firstOfGroup(levels, list)
	// The data section may itself be a level, as in data: $factor. sectionFactors then contains factor.
	section, sectionFactors := r.dataSection(first)
	d := r.data(r.substitute(section, first))
	if r.root.Failed() {
		return ""
	}
	train := d.TrainCounts
	isSectionPaired := slices.ContainsFunc(sectionFactors, r.isPaired)
	mayDifferInSize := isSectionPaired || r.refersToPaired(section.Key("train"), first)
	if mayDifferInSize {
		// A smaller training set has the first rows of a larger one. The key therefore contains class
		// proportions in place of sizes, such as 1:2 for 100 and 200 rows.
		train = lowestTerms(train)
	}
	return fmt.Sprintf("pair;generator=%s;train=%v;test=%v", d.GeneratorSpec, train, d.TestCounts)
}

// firstOfGroup returns the first combination in list that has the given levels of all unpaired
// factors.
func (r *reader) firstOfGroup(levels records.Levels, list []combination) combination {
	unpaired := slices.DeleteFunc(records.FactorNames(r.factors), r.isPaired)
	shared := levels.Restrict(unpaired) // the levels that all paired cells have
	isInGroup := func(c combination) bool { return c.levels().Restrict(unpaired) == shared }
	return list[slices.IndexFunc(list, isInGroup)]
}

func (r *reader) isPaired(factor string) bool { return slices.Contains(r.Pair, factor) }

// refersToPaired reports whether a value refers to a paired factor, possibly through the level of
// another factor.
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
