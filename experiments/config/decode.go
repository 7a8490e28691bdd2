// Package config reads YAML strictly into tagged structs: each mistake is an
// error that names file, line, column and key, and the nearest right name.
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

	"gopkg.in/yaml.v3"

	"copse/stats/recipe"
)

// A Decoder fills structs from YAML nodes by their param tags (see
// generators.Generator) and collects every mistake with its place. It is
// stricter than yaml.v3: unknown and repeated keys, nulls, octal numbers,
// numbers cut to fit and truth values other than true and false are errors.
type Decoder struct {
	file   string
	origin map[*yaml.Node]string // nodes that came from flags
	errs   Errors
}

func NewDecoder(file string) *Decoder {
	return &Decoder{file: file, origin: map[*yaml.Node]string{}}
}

// Fresh returns a decoder without mistakes that knows the same places.
func (d *Decoder) Fresh() *Decoder { return &Decoder{file: d.file, origin: d.origin} }

// Err returns all mistakes, each once, in the order of their lines; nil when
// there are none.
func (d *Decoder) Err() error { return d.errs.sorted() }

// Mark remembers that a node came from a flag.
func (d *Decoder) Mark(n *yaml.Node, flag string) { d.origin[n] = flag }

// FromFlag tells whether a node came from a flag.
func (d *Decoder) FromFlag(n *yaml.Node) bool { return d.origin[n] != "" }

// Copied remembers that a node stands for another and has its place.
func (d *Decoder) Copied(from, to *yaml.Node) {
	if flag, ok := d.origin[from]; ok {
		d.origin[to] = flag
	}
}

// Mistakes is the number of mistakes so far.
func (d *Decoder) Mistakes() int { return len(d.errs) }

// Failed tells whether there are mistakes.
func (d *Decoder) Failed() bool { return len(d.errs) > 0 }

func (d *Decoder) Fail(n *yaml.Node, path, format string, args ...any) {
	e := &Error{Origin: d.file, Path: path, Msg: fmt.Sprintf(format, args...)}
	if flag, ok := d.origin[n]; ok {
		e.Origin = flag
	} else {
		e.Line, e.Column = n.Line, n.Column
	}
	d.errs = append(d.errs, e)
}

// A validator checks values that depend on one another.
type validator interface{ Validate() error }

// A retirer has keys that are no more; each has a clause on what to do instead.
type retirer interface{ Retired() map[string]string }

// Structure decodes a mapping into the struct that target points to. Keys in
// skip are the caller's. what names the mapping in messages.
func (d *Decoder) Structure(n *yaml.Node, path, what string, target any, skip ...string) {
	v := reflect.ValueOf(target).Elem()
	n = Resolve(n)
	if n.Kind != yaml.MappingNode {
		d.Fail(n, path, "want a mapping, got %s", Describe(n))
		return
	}
	before := len(d.errs)
	fields := recipe.ParamFields(v.Type())
	values := d.Entries(n, path)
	for _, e := range values {
		field, known := fields[e.Key.Value]
		switch {
		case slices.Contains(skip, e.Key.Value):
		case !known:
			if r, ok := target.(retirer); ok && r.Retired()[e.Key.Value] != "" {
				d.Fail(e.Key, Join(path, e.Key.Value), "is no longer a key: %s", r.Retired()[e.Key.Value])
				continue
			}
			names := append(recipe.ParamNames(v.Type()), skip...)
			d.Fail(e.Key, Join(path, e.Key.Value), "unknown %s%s", what, DidYouMean(e.Key.Value, names))
		default:
			d.Value(e.Value, Join(path, e.Key.Value), v.FieldByIndex(field.Index), field.Tag)
		}
	}
	for _, name := range recipe.ParamNames(v.Type()) {
		if fields[name].Tag.Get("required") != "" && !slices.ContainsFunc(values, func(e entry) bool { return e.Key.Value == name }) {
			d.Fail(n, Join(path, name), "missing; %s", fields[name].Tag.Get("required"))
		}
	}
	if check, ok := target.(validator); ok && len(d.errs) == before {
		d.validate(n, path, check)
	}
}

// validate runs a struct's own check and puts its error beside the key it
// names.
func (d *Decoder) validate(n *yaml.Node, path string, check validator) {
	err := check.Validate()
	var param *recipe.Error
	switch {
	case err == nil:
	case errors.As(err, &param):
		where := n
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == param.Key {
				where = n.Content[i+1]
			}
		}
		d.Fail(where, Join(path, param.Key), "%s", param.Msg)
	default:
		d.Fail(n, path, "%s", err)
	}
}

// A defaulter is an element of a list that starts from defaults of its own.
type defaulter interface{ SetDefaults() }

type entry struct{ Key, Value *yaml.Node }

// Entries returns a mapping's entries and reports repeated keys.
func (d *Decoder) Entries(n *yaml.Node, path string) []entry {
	var list []entry
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first, again := seen[key.Value]; again {
			d.Fail(key, Join(path, key.Value), "given twice; first on line %d", first)
			continue
		}
		seen[key.Value] = key.Line
		list = append(list, entry{key, n.Content[i+1]})
	}
	return list
}

var (
	nodeType     = reflect.TypeFor[*yaml.Node]()
	durationType = reflect.TypeFor[time.Duration]()
)

func (d *Decoder) Value(n *yaml.Node, path string, v reflect.Value, tag reflect.StructTag) {
	n = Resolve(n)
	if v.Type() == nodeType {
		v.Set(reflect.ValueOf(n))
		return
	}
	if v.Type() == durationType {
		d.duration(n, path, v)
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		d.list(n, path, v, tag)
	case reflect.Map:
		d.table(n, path, v)
	case reflect.Struct:
		d.Structure(n, path, "key", v.Addr().Interface())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.Value(n, path, v.Elem(), tag)
	default:
		d.scalar(n, path, v, tag)
	}
}

func (d *Decoder) duration(n *yaml.Node, path string, v reflect.Value) {
	t, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || t <= 0 {
		d.Fail(n, path, "want a positive duration such as 90s or 10m, got %s", Describe(n))
		return
	}
	v.SetInt(int64(t))
}

func (d *Decoder) list(n *yaml.Node, path string, v reflect.Value, tag reflect.StructTag) {
	if n.Kind != yaml.SequenceNode {
		d.Fail(n, path, "want a list, got %s", Describe(n))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		if element, ok := list.Index(i).Addr().Interface().(defaulter); ok {
			element.SetDefaults()
		}
		d.Value(item, fmt.Sprintf("%s[%d]", path, i), list.Index(i), tag)
	}
	v.Set(list)
}

// table decodes a mapping of texts to texts.
func (d *Decoder) table(n *yaml.Node, path string, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.Fail(n, path, "want a mapping, got %s", Describe(n))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, e := range d.Entries(n, path) {
		if value := Resolve(e.Value); value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
			d.notText(e.Value, Join(path, e.Key.Value))
			continue
		}
		v.SetMapIndex(reflect.ValueOf(e.Key.Value), reflect.ValueOf(Resolve(e.Value).Value))
	}
}

// notText refuses what YAML takes for something else than a text, and says how to write
// it as one.
func (d *Decoder) notText(n *yaml.Node, path string) {
	value, remedy := Resolve(n), ""
	if value.Kind == yaml.ScalarNode && value.Tag != "!!null" {
		remedy = fmt.Sprintf("; as a text it stands in quotes, %q", value.Value)
	}
	d.Fail(n, path, "want a text, got %s%s", Describe(value), remedy)
}

var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)

func (d *Decoder) scalar(n *yaml.Node, path string, v reflect.Value, tag reflect.StructTag) {
	if n.Kind != yaml.ScalarNode {
		d.Fail(n, path, "want %s, got %s", wanted(v.Kind()), Describe(n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		if unit := tag.Get("unit"); unit != "" && (n.Tag == "!!int" || n.Tag == "!!float") {
			v.SetString(n.Value + unit)
			return
		}
		options := tag.Get("enum")
		if n.Tag != "!!str" && options == "" {
			d.notText(n, path)
			return
		}
		v.SetString(n.Value)
		if options != "" && !slices.Contains(strings.Split(options, ","), n.Value) {
			d.Fail(n, path, "unknown value %q%s", n.Value, DidYouMean(n.Value, strings.Split(options, ",")))
		}
	case reflect.Bool:
		if n.Value != "true" && n.Value != "false" {
			d.Fail(n, path, "want true or false, got %s", Describe(n))
			return
		}
		v.SetBool(n.Value == "true")
	case reflect.Int, reflect.Uint64:
		d.integer(n, path, v, tag)
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if n.Tag != "!!int" && n.Tag != "!!float" || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			d.Fail(n, path, "want a finite number, got %s", Describe(n))
			return
		}
		v.SetFloat(f)
		d.inRange(n, path, f, tag)
	default:
		panic("config: parameter of type " + v.Type().String())
	}
}

func (d *Decoder) integer(n *yaml.Node, path string, v reflect.Value, tag reflect.StructTag) {
	if n.Tag == "!!str" || !decimal.MatchString(n.Value) { // yaml.v3 tags integers beyond 64 bits as floats
		d.Fail(n, path, "want a whole number in decimal digits, got %s", Describe(n))
		return
	}
	var err error
	if v.Kind() == reflect.Int {
		var i int64
		i, err = strconv.ParseInt(n.Value, 10, 64)
		v.SetInt(i)
	} else {
		var u uint64
		u, err = strconv.ParseUint(strings.TrimPrefix(n.Value, "+"), 10, 64)
		v.SetUint(u)
	}
	switch {
	case err != nil && v.Kind() == reflect.Uint64 && strings.HasPrefix(n.Value, "-"):
		d.Fail(n, path, "want a whole number that is not negative, got %s", n.Value)
		return
	case err != nil:
		d.Fail(n, path, "%s does not fit in 64 bits without loss", n.Value)
		return
	}
	f, _ := strconv.ParseFloat(n.Value, 64)
	d.inRange(n, path, f, tag)
}

func (d *Decoder) inRange(n *yaml.Node, path string, f float64, tag reflect.StructTag) {
	interval := tag.Get("range")
	if interval == "" {
		return
	}
	inside, err := recipe.InRange(interval, f)
	if err != nil {
		panic(fmt.Sprintf("config: %s: %v", path, err))
	}
	if !inside {
		hint := ""
		if sensible, _ := recipe.InRange(interval, f/100); sensible && f > 1 && tag.Get("share") != "" {
			hint = fmt.Sprintf("; it is a share: %s percent is %s", n.Value, strconv.FormatFloat(f/100, 'g', -1, 64))
		}
		d.Fail(n, path, "%s is outside %s%s", n.Value, interval, hint)
	}
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
