package config

import (
	"reflect"
	"strings"

	"copse/stats/records"
)

// condition reads which cells are meant. Both {n: [200, 400], balance: even} and
// [n=200, n=400, balance=even] mean balanced cells of 200 or 400.
func (p Place) condition() records.Condition {
	c := records.Condition{}
	if p.IsList() {
		for _, item := range p.Items() {
			factor, level, ok := strings.Cut(item.Text(), "=")
			if !ok {
				item.Fail("want factor=level, got %s", item.Describe())
				continue
			}
			c[factor] = append(c[factor], level)
		}
		return c
	}
	if !p.IsMapping() {
		p.Fail("want factors with their levels, got %s", p.Describe())
		return c
	}
	for factor, value := range p.Entries() {
		var levels []string
		value.value(reflect.ValueOf(&levels).Elem(), `short:"list" plain:"true" least:"1"`)
		c[factor.Text()] = levels
	}
	return c
}

// CheckCondition reports the factors and levels of a condition, read from p, that a design
// does not have. It returns whether there is none.
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

// RemoveLevels takes the gone levels of a factor out of a condition, in both of its forms.
// It returns whether a cell can still meet the condition.
func (p Place) RemoveLevels(factor string, gone func(level string) bool) bool {
	if p.IsList() {
		asked, left := false, false
		p.RemoveItems(func(item Place) bool {
			name, level, _ := strings.Cut(item.Text(), "=")
			if name != factor {
				return false
			}
			asked = true
			left = left || !gone(level)
			return gone(level)
		})
		return left || !asked
	}
	levels := p.Key(factor)
	if !levels.IsList() {
		return !levels.IsPlain() || !gone(levels.Text())
	}
	levels.RemoveItems(func(item Place) bool { return gone(item.Text()) })
	return len(levels.Items()) > 0
}
