package study

import (
	"copse/experiments/config"
	"copse/stats/records"
)

// At returns the cell that the study would have at other levels of its factors,
// everything else being as it is. Level values are looked up in the study and then in
// earlier ones, the latest first. It is nil where a value is not known.
func (s *Study) At(levels records.Levels, earlier []*Study) *Cell {
	root := s.Root()
	chosen := combination{}
	for factor, name := range levels.Map() {
		value := levelValue(root, factor, name)
		for _, e := range earlier {
			if !value.There() {
				value = levelValue(e.Root(), factor, name)
			}
		}
		if !value.There() {
			value = newLevel(root, factor, name)
		}
		if !value.There() {
			return nil
		}
		chosen[factor] = level{name, value}
	}
	r := newReader(root, s.reader.folder, s.reader.recall)
	root.Decode("key", &r.keys)
	r.checkKeys()
	r.factors, r.files = s.Factors, s.reader.files
	cell := r.cell(chosen, r.candidates())
	if root.Failed() {
		return nil
	}
	return cell
}

// levelValue is what a level of a factor stands for; not there where the study lacks it.
func levelValue(root config.Place, factor, name string) config.Place {
	for _, levels := range definitions(root, factor) {
		if value := levels.Key(name); value.There() {
			return value
		}
		if value := levels.Find(name); value.There() && value.Text() == name {
			return value
		}
	}
	return config.Place{}
}

// newLevel is what one more level would stand for in a list, whose levels stand
// for themselves.
func newLevel(root config.Place, factor, name string) config.Place {
	for _, levels := range definitions(root, factor) {
		if levels.IsList() {
			if value, err := levels.Value(name); err == nil {
				return value
			}
		}
	}
	return config.Place{}
}
