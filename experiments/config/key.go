package config

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"copse/stats/recipe"
)

// A Key is one key of a section as the decoder knows it: the tags of its field
// are the only place that says what it is. Beside param, range, enum and
// required a field has doc, its meaning, and a *yaml.Node has node, what it
// holds.
type Key struct {
	Name     string
	Type     string // in words
	Kind     Kind
	List     bool   // a list of Kind
	Default  string // as YAML writes it
	Zero     bool   // the default is zero, which often stands for none
	Unit     string // of a plain number that stands for a text; "": none may
	Range    string // an interval; "" when anything goes
	Options  []string
	Required bool
	Doc      string
	Keys     []Key // of a mapping
}

// Allowed returns the interval or the options of the values; "" when anything goes.
func (k Key) Allowed() string { return cmp.Or(k.Range, strings.Join(k.Options, " | ")) }

// Stated returns the default; "" where zero stands for none.
func (k Key) Stated() string {
	if k.Zero {
		return ""
	}
	return k.Default
}

// A Kind is what a value is.
type Kind int

// The kinds. A Node is checked by whoever decodes it, and its key says how.
const (
	Text Kind = iota
	Number
	Whole
	Truth
	Duration
	Mapping
	Texts // a mapping from texts to texts
	Node
)

// KeysOf lists the keys of the struct that target points to, in the order of
// its fields, with the present values as defaults.
func KeysOf(target any) []Key {
	v := reflect.ValueOf(target).Elem()
	var list []Key
	for _, f := range recipe.Fields(v.Type()) {
		list = append(list, keyOf(f, v.FieldByIndex(f.Index)))
	}
	return list
}

func keyOf(f reflect.StructField, v reflect.Value) Key {
	k := Key{Name: f.Tag.Get("param"), Doc: f.Tag.Get("doc"), Range: f.Tag.Get("range"), Unit: f.Tag.Get("unit")}
	if enum := f.Tag.Get("enum"); enum != "" {
		k.Options = strings.Split(enum, ",")
	}
	if text := f.Tag.Get("required"); text != "" {
		k.Required = true
		if k.Doc == "" {
			k.Doc = text
		}
	}
	t := f.Type
	if t.Kind() == reflect.Slice {
		k.List, t = true, t.Elem()
	}
	k.Kind = kindOf(t)
	if t.Kind() == reflect.Pointer && k.Kind == Mapping {
		t = t.Elem()
	}
	if k.Kind == Mapping {
		element := reflect.New(t)
		if d, ok := element.Interface().(defaulter); ok {
			d.SetDefaults()
		} else if !k.List && v.Kind() == reflect.Struct {
			element.Elem().Set(v)
		}
		k.Keys = KeysOf(element.Interface())
	} else if k.Kind != Node {
		k.Default, k.Zero = literal(v), v.IsZero()
	}
	k.Type = k.Kind.String()
	if text := f.Tag.Get("node"); text != "" {
		k.Type, k.Kind = text, Node
	}
	if k.List {
		k.Type = "list of " + plural(k.Type)
	}
	switch short := f.Tag.Get("short"); short {
	case "":
	case "list":
		k.Type, k.Kind, k.List = k.Kind.String()+" or "+k.Type, Node, false
	default:
		k.Type, k.Kind = shortType(k.Keys, short), Node
	}
	return k
}

// shortType is the type of a mapping for one of whose keys, short, a plain value stands.
func shortType(keys []Key, short string) string {
	names, plain := make([]string, len(keys)), ""
	for i, k := range keys {
		names[i] = k.Name
		if k.Name == short {
			plain = k.Type
		}
	}
	return plain + ", or mapping of " + strings.Join(names, ", ")
}

func kindOf(t reflect.Type) Kind {
	switch {
	case t == placeType, t == conditionType:
		return Node
	case t == durationType:
		return Duration
	}
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Bool:
		return Truth
	case reflect.Int, reflect.Uint64:
		return Whole
	case reflect.Float64:
		return Number
	case reflect.Map:
		return Texts
	case reflect.Struct, reflect.Pointer:
		return Mapping
	}
	panic("config: key of type " + t.String())
}

func (k Kind) String() string {
	return [...]string{
		"text", "number", "whole number", "true or false", "duration", "mapping", "mapping of texts", "value",
	}[k]
}

func plural(kind string) string {
	if kind == "true or false" || strings.HasSuffix(kind, "s") || strings.Contains(kind, " of ") {
		return kind
	}
	return kind + "s"
}

// literal writes a default as YAML would have it.
func literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, literal(v.Index(i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}
