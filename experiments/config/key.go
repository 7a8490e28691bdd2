package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/stats"
	"copse/stats/recipe"
)

// A Key documents a key in a study file. Doc is the comment above the struct field. The tags of the
// struct field determine the other fields of Key:
//
//	param     the name of the key
//	required  "yes" if the key must be given
//	range     the interval of allowed values
//	enum      the allowed values
//	needs     another key that must also be given
//	with      lists of keys; one key from each list must also be given
//	if        another key and the values with which this key has an effect, as in penalty=ridge|none
//	choice    a group of alternative keys, of which exactly one must be given
//	short     "list" if a plain value is read as a list of one item; the name of a key if a
//	          plain value is read as a mapping with this key
//	least     the list must not be empty
//	words     the list contains words that users may write as one text, separated by blanks
//	distinct  the list must not contain an item twice
//	plain     numbers and truth values are read as text
//	name      the text must be a valid name (see ValidName)
//	unit      a plain number is read as text, followed by this unit
//	share     the number is a proportion; users may write it in percent by mistake
//	node      a readable type for a value that other code decodes
type Key struct {
	Name     string
	Type     string // readable description, such as "list of numbers"
	Kind     Kind
	List     bool   // a list whose items have type Kind
	Default  string // in YAML notation
	Zero     bool   // the default is the zero value, which often means no default
	Unit     string
	Range    string
	Options  []string
	Required bool
	Doc      string
	Keys     []Key // of a mapping
	Values   *Key  // describes the values of a mapping with any keys

	// Values of the struct tags `needs`, `with`, `if`, `choice` and `short`.
	Needs, With, If, Choice, Short string

	NotEmpty bool // tag least
	Plain    bool
	IsName   bool
}

// Allowed returns the interval of allowed values, or a list such as "mean | median". "" means that
// all values are allowed.
func (k Key) Allowed() string { return cmp.Or(k.Range, strings.Join(k.Options, " | ")) }

// Stated returns the default value for the documentation, or "" for the zero value.
func (k Key) Stated() string {
	if k.Zero {
		return ""
	}
	return k.Default
}

// A Kind is a type of YAML value.
type Kind int

// A value of kind Node is decoded and checked by another package.
const (
	Text Kind = iota
	Number
	Whole
	Truth
	Duration
	Mapping
	Map // a mapping with any keys
	Condition
	Node
)

func Names(keys []Key) (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}

// KeysOf returns the keys of the struct *target in the order of its fields. The values of the
// fields are the defaults.
func KeysOf(target any) []Key {
	v := reflect.ValueOf(target).Elem()
	var list []Key
	for _, f := range recipe.Fields(v.Type()) {
		list = append(list, keyOf(f, recipe.Doc(v.Type(), f), v.FieldByIndex(f.Index)))
	}
	return list
}

// Choices returns groups of alternative keys. A user must give exactly one key of each group.
func Choices(keys []Key) (lists [][]string) {
	for _, group := range stats.Grouped(keys, func(k Key) string { return k.Choice }) {
		if group[0].Choice != "" {
			lists = append(lists, Names(group))
		}
	}
	return lists
}

// keyOf describes the key that is decoded into the struct field f, by its tags (see Key). doc is
// its documentation, and v is its default value.
func keyOf(f reflect.StructField, doc string, v reflect.Value) Key {
	tag := f.Tag.Get
	k := Key{
		Name:     tag("param"),
		Doc:      doc,
		Required: tag("required") != "",
		Range:    tag("range"),
		Unit:     tag("unit"),
		Needs:    tag("needs"),
		With:     tag("with"),
		If:       tag("if"),
		Choice:   tag("choice"),
		Short:    tag("short"),
		NotEmpty: tag("least") != "",
		Plain:    tag("plain") != "",
		IsName:   tag("name") != "",
	}
	if enum := tag("enum"); enum != "" {
		k.Options = strings.Split(enum, ",")
	}
	element := f.Type
	if element.Kind() == reflect.Slice {
		k.List = true
		element = element.Elem()
	}
	k.Kind = kindOf(element)
	switch k.Kind {
	case Node, Condition: // the code that reads the value defines the default
	case Map:
		// The tags of the struct field apply to each value of the mapping.
		valueField := reflect.StructField{Type: element.Elem(), Tag: f.Tag}
		values := keyOf(valueField, "", reflect.Zero(valueField.Type))
		k.Values = &values
	case Mapping:
		k.Keys = keysBelow(element, v)
	default:
		k.Default = literal(v)
		k.Zero = v.IsZero()
	}
	k.setType(tag("node")) // last, because the type depends on the other fields
	return k
}

// setType sets k.Type, such as "list of numbers", from the other fields of k. The argument node is
// the value of the struct tag `node`, which replaces the name of k.Kind unless it is "".
func (k *Key) setType(node string) {
	k.Type = cmp.Or(node, k.Kind.String())
	if k.List {
		k.Type = "list of " + plural(k.Type)
	}
	switch k.Short {
	case "":
	case "list": // a single item may be given in place of a list, as in "number or list of numbers"
		k.Type = k.Kind.String() + " or " + k.Type
	default: // a value of the key k.Short can replace the mapping
		names := Names(k.Keys)
		plain := k.Keys[slices.Index(names, k.Short)].Type
		k.Type = plain + ", or mapping with the keys " + strings.Join(names, ", ")
	}
}

// keysBelow returns the keys of a struct type. The default values come from its method SetDefaults,
// if any, and otherwise from v, if v is a struct.
func keysBelow(structType reflect.Type, v reflect.Value) []Key {
	target := reflect.New(structType)
	if d, ok := target.Interface().(defaulter); ok {
		d.SetDefaults()
	} else if v.Kind() == reflect.Struct {
		target.Elem().Set(v)
	}
	return KeysOf(target.Interface())
}

// kindOf returns the kind of YAML value that a field of type t accepts.
func kindOf(t reflect.Type) Kind {
	switch {
	case t == placeType:
		return Node
	case t == conditionType:
		return Condition
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
		return Map
	case reflect.Struct:
		return Mapping
	}
	panic("config: key of type " + t.String())
}

func (k Kind) String() string {
	return [...]string{
		"string", "number", "whole number", "true or false", "duration", "mapping", "mapping of strings", "value",
		"value",
	}[k]
}

func plural(kind string) string {
	if kind == "true or false" || strings.HasSuffix(kind, "s") || strings.Contains(kind, " of ") {
		return kind
	}
	return kind + "s"
}

// literal formats a default value as YAML, such as "[1, 2]".
func literal(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v.Interface())
	}
	var items []string
	for i := range v.Len() {
		items = append(items, literal(v.Index(i)))
	}
	return "[" + strings.Join(items, ", ") + "]"
}
