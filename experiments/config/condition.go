package config

import (
	"reflect"
	"strings"

	"copse/stats/records"
)

// condition reads a condition on the levels of cells and reports mistakes. It has one of two forms:
// {n: [200, 400], balance: even} and [n=200, n=400, balance=even] both mean the cells in which n is 200
// or 400 and balance is even.
func (p Place) condition() records.Condition {
	c := records.Condition{}
	switch {
	case p.IsList():
		for _, item := range p.Items() {
			factor, level, ok := strings.Cut(item.Text(), "=")
			if !ok {
				item.Fail("want factor=level, got %s", item.Describe())
				continue
			}
			c[factor] = append(c[factor], level)
		}
	case p.IsMapping():
		for factor, value := range p.Entries() {
			var levels []string
			value.value(reflect.ValueOf(&levels).Elem(), `short:"list" plain:"true" least:"1"`)
			c[factor.Text()] = levels
		}
	default:
		p.Fail("want factors with their levels, got %s", p.Describe())
	}
	return c
}

// CheckCondition reports the factors and levels of a condition that are not in the design.
// The condition was read from p. CheckCondition returns false after reporting a mistake.
func (p Place) CheckCondition(c records.Condition, factors []records.Factor) bool {
	unknown := c.Unknown(factors)
	for _, u := range unknown {
		if u.Level == "" {
			p.factorName(u.Factor).Fail("unknown factor%s", DidYouMean(u.Factor, u.Known))
		} else {
			p.level(u.Factor, u.Level).Fail("unknown level %q%s", u.Level, DidYouMean(u.Level, u.Known))
		}
	}
	return len(unknown) == 0
}

// factorName returns the place where a condition names a factor.
func (p Place) factorName(factor string) Place {
	for _, item := range p.Items() {
		if name, _, ok := strings.Cut(item.Text(), "="); ok && name == factor {
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

// level returns the place where a condition names a level of a factor.
func (p Place) level(factor, level string) Place {
	if p.IsList() {
		return p.Find(factor + "=" + level)
	}
	return p.Key(factor).Find(level)
}

// RemoveLevels removes levels of a factor from the condition p: all levels for which gone returns true. It
// returns false if this removes the last level of the factor, so that no cell can meet the condition.
func (p Place) RemoveLevels(factor string, gone func(level string) bool) bool {
	if p.IsList() {
		return p.removeListed(factor, gone)
	}
	levels := p.Key(factor)
	if !levels.IsList() {
		return !levels.IsPlain() || !gone(levels.Text())
	}
	levels.RemoveItems(func(item Place) bool { return gone(item.Text()) })
	return len(levels.Items()) > 0
}

// removeListed does the work of RemoveLevels for a condition in the form [factor=level, ...].
func (p Place) removeListed(factor string, gone func(level string) bool) bool {
	before, after := 0, 0 // number of levels of the factor before and after the removal
	p.RemoveItems(func(item Place) bool {
		name, level, _ := strings.Cut(item.Text(), "=")
		if name != factor {
			return false
		}
		before++
		if gone(level) {
			return true
		}
		after++
		return false
	})
	return after > 0 || before == 0
}
