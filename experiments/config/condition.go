package config

import (
	"reflect"
	"slices"
	"strings"

	"copse/stats/records"
)

// oneOrMoreLevels is the struct tag of the levels in a condition: one level or a nonempty list of levels,
// which may be numbers (see Key).
const oneOrMoreLevels = `short:"list" plain:"true" least:"1"`

// condition parses a condition on factor levels. For example, {n: [200, 400], balance: even} and
// [n=200, n=400, balance=even] select the cells in which n is 200 or 400 and balance is even.
func (p Place) condition() records.Condition {
	c := records.Condition{}
	switch {
	case p.IsMapping():
		p.decodeMap(reflect.ValueOf(&c).Elem(), oneOrMoreLevels)
	case p.IsList():
		for _, item := range p.Items() {
			if factor, level, ok := strings.Cut(item.Text(), "="); ok {
				c[factor] = append(c[factor], level)
			} else {
				item.Fail("want `factor=level`, got %s", item.Describe())
			}
		}
	default:
		p.Fail("want factors with their levels, got %s", p.Describe())
	}
	return c
}

// CheckCondition reports factors and levels in a condition that the design does not have. It
// returns false if there are any.
func (p Place) CheckCondition(c records.Condition, factors []records.Factor) bool {
	unknown := c.Unknown(factors)
	for _, u := range unknown {
		if u.Level == "" {
			p.factorName(u.Factor).Fail("unknown factor %q%s", u.Factor, DidYouMean(u.Factor, u.Known))
		} else {
			p.level(u.Factor, u.Level).Fail("unknown level %q%s", u.Level, DidYouMean(u.Level, u.Known))
		}
	}
	return len(unknown) == 0
}

func (p Place) factorName(factor string) Place {
	for _, item := range p.Items() {
		if strings.HasPrefix(item.Text(), factor+"=") {
			return item
		}
	}
	for key := range p.Entries() {
		if key.Text() == factor {
			return key
		}
	}
	return p
}

func (p Place) level(factor, level string) Place {
	if p.IsList() {
		return p.Find(factor + "=" + level)
	}
	return p.Key(factor).Find(level)
}

// RemoveLevels removes from the condition p the levels of a factor for which gone returns true. It
// returns false if p required one of these levels and no other remains. A single level outside a
// list, as in {n: 200}, always remains in p.
func (p Place) RemoveLevels(factor string, gone func(level string) bool) bool {
	if p.IsList() {
		return p.removePairs(factor, gone)
	}
	levels := p.Key(factor)
	if !levels.IsList() { // a single level, or none
		isRemoved := levels.IsPlain() && gone(levels.Text())
		return !isRemoved
	}
	levels.RemoveItems(func(item Place) bool { return gone(item.Text()) })
	return !levels.IsEmpty()
}

// removePairs does the work of RemoveLevels for a list of pairs, such as [n=200, balance=even].
func (p Place) removePairs(factor string, gone func(level string) bool) bool {
	prefix := factor + "="
	isOfFactor := func(item Place) bool { return strings.HasPrefix(item.Text(), prefix) }
	if !slices.ContainsFunc(p.Items(), isOfFactor) {
		return true // the condition allows all levels of the factor
	}
	p.RemoveItems(func(item Place) bool {
		return isOfFactor(item) && gone(strings.TrimPrefix(item.Text(), prefix))
	})
	return slices.ContainsFunc(p.Items(), isOfFactor)
}
