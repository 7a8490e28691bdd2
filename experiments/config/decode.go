// Package config reads YAML strictly into tagged structs: each mistake is an
// error that names file, line, column and key, and the nearest right name. Its Place is
// the only access to YAML that other packages have.
package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"copse/stats/recipe"
	"copse/stats/records"
)

// Decode fills the values that targets point to by the tags of their fields: param, the
// name of a key, and the tags that Key lists. Several targets are structs of which each
// takes its own keys of one mapping. what names a key in messages, such as "parameter of
// knn". Decode reports every mistake and returns whether there is none. Of a place that is
// not there the targets stay as they are.
//
// It is stricter than yaml.v3: unknown and repeated keys, nulls, octal numbers, numbers
// cut to fit and truth values other than true and false are mistakes.
func (p Place) Decode(what string, targets ...any) bool {
	if !p.there {
		return true
	}
	before := p.Mistakes()
	if v := reflect.ValueOf(targets[0]).Elem(); len(targets) == 1 && v.Kind() != reflect.Struct {
		p.value(v, "")
	} else {
		p.structs(what, targets)
	}
	return p.Mistakes() == before
}

// A validator checks values that depend on one another.
type validator interface{ Validate() error }

// structs decodes a mapping into structs, each key into the one that has it.
func (p Place) structs(what string, targets []any) {
	if !p.IsMapping() {
		p.Fail("want a mapping, got %s", p.Describe())
		return
	}
	before := p.Mistakes()
	for key, value := range p.Entries() {
		field, tag := fieldOf(targets, key.Text())
		if !field.IsValid() {
			key.unknown(what, targets)
			continue
		}
		value.value(field, tag)
	}
	for _, target := range targets {
		p.checkRelations(reflect.TypeOf(target).Elem())
	}
	for _, target := range targets {
		if check, ok := target.(validator); ok && p.Mistakes() == before {
			p.validate(check)
		}
	}
}

// fieldOf returns the field that has a key; an invalid value where none has.
func fieldOf(targets []any, key string) (reflect.Value, reflect.StructTag) {
	for _, target := range targets {
		v := reflect.ValueOf(target).Elem()
		if field, ok := recipe.ParamFields(v.Type())[key]; ok {
			return v.FieldByIndex(field.Index), field.Tag
		}
	}
	return reflect.Value{}, ""
}

// unknown reports a key that no target has: one that was retired, or the nearest.
func (p Place) unknown(what string, targets []any) {
	if instead := replacement(p.path); instead != "" {
		p.Fail("is no longer a key: %s", instead)
		return
	}
	var names []string
	for _, target := range targets {
		names = append(names, recipe.ParamNames(reflect.TypeOf(target).Elem())...)
	}
	p.Fail("unknown %s%s", what, DidYouMean(p.Text(), names))
}

// checkRelations reports keys that do not go together. By the tags of the struct, a key
// that is required is there; a key with needs has the one that it names beside it; a key
// with with has, for each word of that tag, one of the keys which the word lists; and of
// the keys with the same choice exactly one is given.
func (p Place) checkRelations(t reflect.Type) {
	given := func(name string) bool { return p.lookup(name) != nil }
	var choices []string
	byChoice := map[string][]string{}
	for _, f := range recipe.Fields(t) {
		name := f.Tag.Get("param")
		if choice := f.Tag.Get("choice"); choice != "" {
			if byChoice[choice] == nil {
				choices = append(choices, choice)
			}
			byChoice[choice] = append(byChoice[choice], name)
		}
		if why := f.Tag.Get("required"); why != "" && !given(name) {
			p.Key(name).Fail("missing; %s", why)
		}
		if given(name) {
			p.checkCompany(name, f.Tag)
		}
	}
	for _, choice := range choices {
		p.checkChoice(byChoice[choice])
	}
}

// checkCompany reports a given key without the keys that it needs or goes with.
func (p Place) checkCompany(name string, tag reflect.StructTag) {
	if needed := tag.Get("needs"); needed != "" && p.lookup(needed) == nil {
		p.Key(needed).Fail("missing; %s needs it", name)
	}
	for _, word := range strings.Fields(tag.Get("with")) {
		others := strings.Split(word, "|")
		if !slices.ContainsFunc(others, func(other string) bool { return p.lookup(other) != nil }) {
			p.Key(name).Fail("has no place here: it goes with %s", strings.Join(others, " or "))
			return
		}
	}
}

// checkChoice reports a choice of keys of which none or several are given.
func (p Place) checkChoice(names []string) {
	given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return p.lookup(name) == nil })
	if last := len(names) - 1; len(given) != 1 {
		p.Fail("want one of %s and %s", strings.Join(names[:last], ", "), names[last])
	}
}

// validate runs a struct's own check and reports its error at the key that it names.
func (p Place) validate(check validator) {
	err := check.Validate()
	var param *recipe.Error
	switch {
	case err == nil:
	case errors.As(err, &param):
		p.Key(param.Key).Fail("%s", param.Msg)
	default:
		p.Fail("%s", err)
	}
}

// A defaulter is an element of a list that starts from defaults of its own.
type defaulter interface{ SetDefaults() }

var (
	placeType     = reflect.TypeFor[Place]()
	conditionType = reflect.TypeFor[records.Condition]()
	durationType  = reflect.TypeFor[time.Duration]()
)

// value decodes any value by the tag of its field.
func (p Place) value(v reflect.Value, tag reflect.StructTag) {
	short := tag.Get("short")
	switch {
	case v.Type() == placeType:
		v.Set(reflect.ValueOf(p))
	case v.Type() == conditionType:
		v.Set(reflect.ValueOf(p.condition()))
	case v.Type() == durationType:
		p.duration(v)
	case v.Kind() == reflect.Slice:
		p.list(v, tag)
	case v.Kind() == reflect.Map:
		p.table(v, tag)
	case v.Kind() == reflect.Struct && short != "" && p.IsPlain():
		p.text.at(mappingOf(short, p.node), p.path).structs("key", []any{v.Addr().Interface()})
	case v.Kind() == reflect.Struct:
		p.structs("key", []any{v.Addr().Interface()})
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.value(v.Elem(), tag)
	default:
		p.scalar(v, tag)
	}
}

func (p Place) duration(v reflect.Value) {
	t, err := time.ParseDuration(p.Text())
	if err != nil || t <= 0 {
		p.Fail("want a positive duration such as 90s or 10m, got %s", p.Describe())
		return
	}
	v.SetInt(int64(t))
}

// list decodes a list; with short:"list" a plain value stands for the list of it alone.
func (p Place) list(v reflect.Value, tag reflect.StructTag) {
	alone := p.IsPlain() && !p.IsNull() && tag.Get("short") != ""
	if !p.IsList() && !alone {
		p.Fail("want a list, got %s", p.Describe())
		return
	}
	items := p.Items()
	if len(items) == 0 && tag.Get("least") != "" {
		p.Fail("names nothing")
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if element, ok := list.Index(i).Addr().Interface().(defaulter); ok {
			element.SetDefaults()
		}
		if !alone {
			item = p.Item(i)
		}
		item.value(list.Index(i), tag)
	}
	v.Set(list)
}

// table decodes a mapping from names to texts or to lists of them.
func (p Place) table(v reflect.Value, tag reflect.StructTag) {
	if !p.IsMapping() {
		p.Fail("want a mapping, got %s", p.Describe())
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for key, value := range p.Entries() {
		item := reflect.New(v.Type().Elem()).Elem()
		value.value(item, tag)
		v.SetMapIndex(reflect.ValueOf(key.Text()), item)
	}
}

var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)

func (p Place) scalar(v reflect.Value, tag reflect.StructTag) {
	if !p.IsPlain() {
		p.Fail("want %s, got %s", wanted(v.Kind()), p.Describe())
		return
	}
	switch v.Kind() {
	case reflect.String:
		p.textValue(v, tag)
	case reflect.Bool:
		if p.node.Value != "true" && p.node.Value != "false" {
			p.Fail("want true or false, got %s", p.Describe())
			return
		}
		v.SetBool(p.node.Value == "true")
	case reflect.Int, reflect.Uint64:
		p.integer(v, tag)
	case reflect.Float64:
		f, err := strconv.ParseFloat(p.node.Value, 64)
		if !p.isNumber() || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			p.Fail("want a finite number, got %s", p.Describe())
			return
		}
		v.SetFloat(f)
		p.inRange(f, tag)
	default:
		panic("config: parameter of type " + v.Type().String())
	}
}

func (p Place) isNumber() bool { return p.node.Tag == "!!int" || p.node.Tag == "!!float" }

// textValue decodes a text. A number may stand for a text with a unit, and where the tag
// has plain any plain value for the text that it is written as.
func (p Place) textValue(v reflect.Value, tag reflect.StructTag) {
	if unit := tag.Get("unit"); unit != "" && p.isNumber() {
		v.SetString(p.node.Value + unit)
		return
	}
	enum := tag.Get("enum")
	if p.node.Tag != "!!str" && enum == "" && (tag.Get("plain") == "" || p.IsNull()) {
		p.notText()
		return
	}
	v.SetString(p.node.Value)
	if options := strings.Split(enum, ","); enum != "" && !slices.Contains(options, p.node.Value) {
		p.Fail("unknown value %q%s", p.node.Value, DidYouMean(p.node.Value, options))
	}
}

// notText reports a value that YAML takes for something else than a text, and how to
// write it as one.
func (p Place) notText() {
	remedy := ""
	if !p.IsNull() {
		remedy = fmt.Sprintf("; as a text it stands in quotes, %q", p.node.Value)
	}
	p.Fail("want a text, got %s%s", p.Describe(), remedy)
}

func (p Place) integer(v reflect.Value, tag reflect.StructTag) {
	value := p.node.Value
	if p.node.Tag == "!!str" || !decimal.MatchString(value) { // yaml.v3 tags integers beyond 64 bits as floats
		p.Fail("want a whole number in decimal digits, got %s", p.Describe())
		return
	}
	var err error
	if v.Kind() == reflect.Int {
		var i int64
		i, err = strconv.ParseInt(value, 10, 64)
		v.SetInt(i)
	} else {
		var u uint64
		u, err = strconv.ParseUint(strings.TrimPrefix(value, "+"), 10, 64)
		v.SetUint(u)
	}
	switch {
	case err != nil && v.Kind() == reflect.Uint64 && strings.HasPrefix(value, "-"):
		p.Fail("want a whole number that is not negative, got %s", value)
		return
	case err != nil:
		p.Fail("%s does not fit in 64 bits without loss", value)
		return
	}
	f, _ := strconv.ParseFloat(value, 64)
	p.inRange(f, tag)
}

func (p Place) inRange(f float64, tag reflect.StructTag) {
	interval := tag.Get("range")
	if interval == "" {
		return
	}
	inside, err := recipe.InRange(interval, f)
	if err != nil {
		panic(fmt.Sprintf("config: %s: %v", p.path, err))
	}
	if inside {
		return
	}
	hint := ""
	if sensible, _ := recipe.InRange(interval, f/100); sensible && f > 1 && tag.Get("share") != "" {
		share := strconv.FormatFloat(f/100, 'g', -1, 64)
		hint = fmt.Sprintf("; it is a share: %s percent is %s", p.node.Value, share)
	}
	p.Fail("%s is outside %s%s", p.node.Value, interval, hint)
}

func wanted(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	}
	return "a number"
}

// Plain returns the value as encoding/json would read it: a map[string]any, a []any or a
// plain value. Dates and integers beyond 64 bits stay texts.
func (p Place) Plain() any {
	switch {
	case p.IsMapping():
		out := map[string]any{}
		for key, value := range p.Entries() {
			out[key.Text()] = value.Plain()
		}
		return out
	case p.IsList():
		out := []any{}
		for i := range p.node.Content {
			out = append(out, p.Item(i).Plain())
		}
		return out
	}
	var value any
	if err := p.node.Decode(&value); err != nil {
		p.Fail("%s", err)
	}
	switch v := value.(type) {
	case nil, bool, int, string:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			p.Fail("want a finite number, got %s", p.node.Value)
			return nil
		}
		return v
	}
	return p.node.Value
}
