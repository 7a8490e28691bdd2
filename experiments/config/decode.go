// Package config decodes YAML strictly into tagged structs. Errors give the line and the key, and
// suggest the nearest correct name.
package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"copse/stats/recipe"
	"copse/stats/records"
)

// Decode decodes a YAML value into the targets, which are pointers. It reports all errors, and
// returns false if there are any. A missing value changes nothing.
//
// The struct tags are described at Key. If there are several targets, they must be structs. Each
// key is stored in the struct that has a field for it. The argument noun is the word for a key in
// error messages.
//
// Unlike yaml.v3, Decode rejects unknown keys, repeated keys, nulls, octal numbers, and numbers
// that do not fit their type. It accepts only true and false as truth values.
func (p Place) Decode(noun string, targets ...any) bool {
	if !p.exists {
		return true
	}
	errorsBefore := p.ErrorCount()
	first := reflect.ValueOf(targets[0]).Elem()
	areStructs := len(targets) > 1 || first.Kind() == reflect.Struct
	if areStructs {
		p.decodeStructs(noun, targets)
	} else {
		const noTag = "" // the value is not the field of a struct
		p.decodeInto(first, noTag)
	}
	return p.ErrorCount() == errorsBefore
}

// CheckValue reports an error if the text of p is not a valid YAML value of a key in the struct
// *target. A missing value is valid.
func (p Place) CheckValue(key string, target any) {
	if !p.exists {
		return
	}
	n, err := parseValue(p.Text())
	if err != nil {
		p.Fail("%s", err)
		return
	}
	setPosition(n, p.node.Line, p.node.Column)
	p.mark(n, p.document.flags[p.node])
	p.node = n
	field, tag := fieldOf([]any{target}, key)
	p.decodeInto(reflect.New(field.Type()).Elem(), tag)
}

type validator interface{ Validate() error }

// decodeStructs decodes a mapping into structs and checks the relations between keys. noun is the
// word for a key in error messages.
func (p Place) decodeStructs(noun string, targets []any) {
	if !p.IsMapping() {
		p.failMapping(targets)
		return
	}
	errorsBefore := p.ErrorCount()
	keys := keysOfTargets(targets)
	suggestions := map[string]bool{} // known keys that the user probably meant by misspelt ones
	for key, value := range p.Entries() {
		field, tag := fieldOf(targets, key.Text())
		if !field.IsValid() {
			suggestion := key.failUnknown(noun, keys)
			suggestions[suggestion] = true
			continue
		}
		value.decodeInto(field, tag)
	}
	// A misspelt key is not missing, because its spelling is already an error.
	isMeant := func(name string) bool { return p.has(name) || suggestions[name] }
	hasMergeKey := p.has("<<") // an error that Entries has reported; it may supply missing keys
	if !hasMergeKey {
		p.checkRelations(keys, isMeant)
	}
	for _, target := range targets {
		// Validate methods rely on valid keys, so call them only if no key has an error.
		if check, ok := target.(validator); ok && p.ErrorCount() == errorsBefore {
			p.validate(check)
		}
	}
}

// fieldOf searches the structs in targets for the field of a key. It returns the field and its tag, or
// the zero Value if no struct has such a field.
func fieldOf(targets []any, key string) (reflect.Value, reflect.StructTag) {
	for _, target := range targets {
		v := reflect.ValueOf(target).Elem()
		if field, ok := recipe.ParamFields(v.Type())[key]; ok {
			return v.FieldByIndex(field.Index), field.Tag
		}
	}
	return reflect.Value{}, ""
}

// failMapping reports a value that should be a mapping.
func (p Place) failMapping(targets []any) {
	if example := p.mappingExample(targets); example != "" {
		p.Fail("want a mapping such as `%s`, got %s", example, p.Describe())
		return
	}
	hints := sizeHints
	if p.isText() { // perhaps the name of a file
		hints = fileHints
	}
	p.Fail("want a mapping, got %s%s", p.Describe(), hints[p.path])
}

// mappingExample returns a mapping that could replace the value p, such as "{scale: standard}" for
// the text "standard", or "".
func (p Place) mappingExample(targets []any) string {
	for _, k := range keysOfTargets(targets) {
		if k.List || k.Needs != "" || k.With != "" {
			continue // the value alone would not be valid
		}
		value := Nearest(p.Text(), k.Options)
		if k.Kind == Whole && p.isNumber() && p.suits(k.Name, targets) {
			value = p.Text()
		}
		if value != "" {
			return fmt.Sprintf("{%s: %s}", k.Name, value)
		}
	}
	return ""
}

// suits reports whether a key of the targets accepts the value p.
func (p Place) suits(key string, targets []any) bool {
	field, tag := fieldOf(targets, key)
	trial := p.WithoutErrors()
	trial.decodeInto(reflect.New(field.Type()).Elem(), tag)
	return !trial.Failed()
}

func (p Place) isText() bool { return p.IsPlain() && p.node.Tag == "!!str" }

// failUnknown reports an unknown key. It returns the key that the message suggests, or "".
func (p Place) failUnknown(noun string, keys []Key) (meant string) {
	if hint := replacements[p.path]; hint != "" {
		p.Fail("is not a key: %s", hint)
		return ""
	}
	meant, hint := MeantKey(p.Text(), Names(keys))
	p.Fail("unknown %s%s", noun, hint)
	return meant
}

func keysOfTargets(targets []any) (keys []Key) {
	for _, target := range targets {
		keys = append(keys, keysOfType(reflect.TypeOf(target).Elem())...)
	}
	return keys
}

// knownKeys caches the keys of each struct type, because parsing tags is slower than decoding.
var knownKeys sync.Map

func keysOfType(t reflect.Type) []Key {
	if known, ok := knownKeys.Load(t); ok {
		return known.([]Key)
	}
	keys := KeysOf(reflect.New(t).Interface())
	knownKeys.Store(t, keys)
	return keys
}

func (p Place) has(key string) bool { return p.index(key) >= 0 }

// checkRelations checks which keys the mapping p contains. It reports missing keys, keys without
// another key that they need, and groups of alternatives without exactly one key. isMeant reports
// whether the user gave a key, perhaps with a spelling mistake.
func (p Place) checkRelations(keys []Key, isMeant func(name string) bool) {
	for _, k := range keys {
		switch {
		case p.has(k.Name):
			p.checkNeededKeys(k, isMeant)
		case k.Required && !isMeant(k.Name):
			p.Key(k.Name).Fail("missing; give %s", k.Doc)
		}
	}
	for _, alternatives := range Choices(keys) {
		p.checkChoice(alternatives, isMeant)
	}
}

// checkChoice reports an error unless p has exactly one of the alternative keys. Without any, it
// accepts a misspelt one, because the user already gets an error about the spelling.
func (p Place) checkChoice(alternatives []string, isMeant func(name string) bool) {
	count := 0
	for _, name := range alternatives {
		if p.has(name) {
			count++
		}
	}
	isOnlyMisspelt := count == 0 && slices.ContainsFunc(alternatives, isMeant)
	if count == 1 || isOnlyMisspelt {
		return
	}
	last := len(alternatives) - 1
	p.Fail("want exactly one of `%s` and `%s`", strings.Join(alternatives[:last], "`, `"), alternatives[last])
}

// checkNeededKeys reports an error if the key k is given without another key that it needs (see the
// tags needs and with of Key).
func (p Place) checkNeededKeys(k Key, isMeant func(name string) bool) {
	if k.Needs != "" && !isMeant(k.Needs) {
		p.Key(k.Needs).Fail("missing; `%s` needs it", k.Name)
	}
	for alternatives := range strings.FieldsSeq(k.With) { // such as folds|holdout
		others := strings.Split(alternatives, "|")
		if !slices.ContainsFunc(others, isMeant) {
			p.Key(k.Name).Fail("is allowed only together with `%s`", strings.Join(others, "` or `"))
			return
		}
	}
}

// validate calls the Validate method of a struct. An error is reported at the key that it names.
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

// A defaulter sets its fields to default values before decoding.
type defaulter interface{ SetDefaults() }

var (
	placeType     = reflect.TypeFor[Place]()
	conditionType = reflect.TypeFor[records.Condition]()
	durationType  = reflect.TypeFor[time.Duration]()
)

// decodeInto decodes p into v, a struct field with the given tag.
func (p Place) decodeInto(v reflect.Value, tag reflect.StructTag) {
	short := tag.Get("short")
	switch {
	case v.Type() == placeType:
		v.Set(reflect.ValueOf(p))
	case v.Type() == conditionType:
		v.Set(reflect.ValueOf(p.condition()))
	case v.Type() == durationType:
		p.decodeDuration(v)
	case v.Kind() == reflect.Slice:
		p.decodeList(v, tag)
	case v.Kind() == reflect.Map:
		p.decodeMap(v, tag)
	case v.Kind() == reflect.Struct && short != "" && p.IsPlain():
		// With the tag short:"count", 5 means {count: 5}. Errors do not contain the key count.
		field, fieldTag := fieldOf([]any{v.Addr().Interface()}, short)
		p.decodeInto(field, fieldTag)
	case v.Kind() == reflect.Struct && short != "" && !p.IsMapping():
		p.Fail("want a mapping or a single value, got %s", p.Describe())
	case v.Kind() == reflect.Struct:
		p.decodeStructs("key", []any{v.Addr().Interface()})
	default:
		p.decodeScalar(v, tag)
	}
}

func (p Place) decodeDuration(v reflect.Value) {
	t, err := time.ParseDuration(p.Text())
	if err != nil || t <= 0 {
		p.Fail("want a positive duration such as `90s` or `10m`, got %s", p.Describe())
		return
	}
	v.SetInt(int64(t))
}

// decodeList decodes a list into the slice v. It follows the tags `short`, `least`, `distinct` and
// `plain` (see Key). Decoding continues after the errors that Fail records for single items.
func (p Place) decodeList(v reflect.Value, tag reflect.StructTag) {
	allowsSingle := tag.Get("short") != "" // a plain value then means a list with this item
	var items []Place
	switch {
	case p.IsList():
		for i := range p.node.Content {
			items = append(items, p.Item(i))
		}
	case allowsSingle && p.IsPlain() && !p.IsNull():
		items = []Place{p}
	default:
		p.failList(v.Type().Elem(), tag)
		return
	}
	if len(items) == 0 && tag.Get("least") != "" {
		p.Fail("is an empty list; give at least one item")
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if element, ok := list.Index(i).Addr().Interface().(defaulter); ok {
			element.SetDefaults()
		}
		item.decodeInto(list.Index(i), tag)
		isSame := func(other Place) bool { return other.Text() == item.Text() }
		if tag.Get("distinct") != "" && slices.ContainsFunc(items[:i], isSame) {
			item.Fail("%s is listed twice", item.Text())
		}
	}
	v.Set(list)
}

// failList reports that p should be a list of items of the given type. The message may show how to
// write p as a list. It depends on these keys in tag, the struct tag of the list:
//
//	short  a single value is also allowed
//	plain  items may be numbers and truth values
//	words  items are words, so blanks separate items
func (p Place) failList(item reflect.Type, tag reflect.StructTag) {
	mustBeString := item.Kind() == reflect.String && tag.Get("plain") == ""
	isAnyValue := item == placeType // a Place is also a struct
	isMapping := item == conditionType || item.Kind() == reflect.Struct && !isAnyValue
	isPlainValue := p.IsPlain() && !p.IsNull()
	hint := ""
	switch {
	case tag.Get("short") != "":
		hint = " or a single value"
	case isMapping:
		hint = p.mappingsHint(item)
	case p.isNumber() && mustBeString: // no example, because a list such as [3] would also be an error
		hint = " of strings"
	case isPlainValue && tag.Get("words") != "":
		hint = listExample(strings.Join(strings.Fields(p.Text()), ", "))
	case isPlainValue:
		hint = listExample(p.Text())
	}
	p.Fail("want a list%s, got %s", hint, p.Describe())
}

// mappingsHint returns a hint for a value that should be a list of mappings. The hint shows how to
// write a plain value in such a list, if possible.
func (p Place) mappingsHint(item reflect.Type) string {
	if !p.IsPlain() || p.IsNull() {
		return ""
	}
	if item.Kind() == reflect.Struct {
		if example := p.mappingExample([]any{reflect.New(item).Interface()}); example != "" {
			return " such as `[" + example + "]`"
		}
	}
	return " of mappings"
}

// words matches a comma-separated list of words that need no quotes in YAML.
var words = regexp.MustCompile(`^[\w./-]+(, *[\w./-]+)*$`)

// listExample returns a hint such as " such as `[auc, brier]`", or "" if it cannot separate the
// items.
func listExample(text string) string {
	switch {
	case words.MatchString(text):
		return " such as `[" + text + "]`"
	case strings.ContainsAny(text, " ,`"):
		return ""
	}
	return fmt.Sprintf(" such as `[%q]`", text)
}

func (p Place) decodeMap(v reflect.Value, tag reflect.StructTag) {
	if !p.IsMapping() {
		p.Fail("want a mapping, got %s", p.Describe())
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for key, value := range p.Entries() {
		item := reflect.New(v.Type().Elem()).Elem()
		value.decodeInto(item, tag)
		v.SetMapIndex(reflect.ValueOf(key.Text()), item)
	}
}

// decodeScalar decodes a plain value into v, a string, bool, int, uint64 or float64.
func (p Place) decodeScalar(v reflect.Value, tag reflect.StructTag) {
	if !p.IsPlain() {
		p.Fail("want %s, got %s", wanted(v.Kind()), p.Describe())
		return
	}
	switch v.Kind() {
	case reflect.String:
		p.decodeText(v, tag)
	case reflect.Bool:
		p.decodeBool(v)
	case reflect.Int, reflect.Uint64:
		p.decodeInteger(v, tag)
	case reflect.Float64:
		p.decodeFloat(v, tag)
	default:
		panic("config: parameter of type " + v.Type().String())
	}
}

func wanted(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "`true` or `false`"
	}
	return "a number"
}

func (p Place) isNumber() bool { return p.node.Tag == "!!int" || p.node.Tag == "!!float" }

// decodeText decodes a string into v. The struct tag of the field can contain these keys:
//
//	unit   the text to append to a number
//	enum   the allowed texts, in any YAML type
//	plain  numbers and truth values are also text
//	name   the text must be a valid name (see ValidName)
func (p Place) decodeText(v reflect.Value, tag reflect.StructTag) {
	text := p.node.Value
	if unit := tag.Get("unit"); unit != "" && p.isNumber() {
		v.SetString(text + unit)
		return
	}
	v.SetString(text)
	if enum := tag.Get("enum"); enum != "" {
		if options := strings.Split(enum, ","); !slices.Contains(options, text) {
			p.Fail("unknown value %q%s", text, DidYouMean(text, options))
		}
		return
	}
	isText := p.node.Tag == "!!str" || tag.Get("plain") != ""
	switch {
	case text == "" && p.IsNull(): // no value after the colon
		p.Fail("want a string, got %s", p.Describe())
	case p.IsNull() || !isText: // a word such as null or true, or a number
		p.Fail("want a string, got %s; put it in quotes: %q", p.Describe(), text)
	case tag.Get("name") != "" && !ValidName(text):
		p.Fail("%q cannot be a name; %s", text, NameRule)
	}
}

// decodeBool decodes true or false without quotes. Other truth values of YAML, such as True, are
// errors.
func (p Place) decodeBool(v reflect.Value) {
	if p.node.Tag != "!!bool" || p.node.Value != "true" && p.node.Value != "false" {
		p.Fail("want `true` or `false`, got %s", p.Describe())
		return
	}
	v.SetBool(p.node.Value == "true")
}

func (p Place) decodeFloat(v reflect.Value, tag reflect.StructTag) {
	f, err := strconv.ParseFloat(p.node.Value, 64)
	if !p.isNumber() || !decimal.MatchString(p.node.Value) || err != nil {
		p.failNumber("finite", decimal)
		return
	}
	v.SetFloat(f)
	p.checkRange(f, tag)
}

// decimal matches finite decimal numbers without leading zeros, because YAML reads 010 as 8.
var decimal = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// wholeDecimal matches whole numbers in decimal digits, without leading zeros.
var wholeDecimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)

func (p Place) decodeInteger(v reflect.Value, tag reflect.StructTag) {
	value := p.node.Value
	if p.node.Tag == "!!str" || !wholeDecimal.MatchString(value) { // yaml.v3 tags integers beyond 64 bits as floats
		p.failNumber("whole", wholeDecimal)
		return
	}
	if v.Kind() == reflect.Uint64 && strings.HasPrefix(value, "-") {
		p.Fail("want a whole number that is not negative, got %s", value)
		return
	}
	if err := setInteger(v, value); err != nil {
		p.Fail(tooManyBits, value)
		return
	}
	f, _ := strconv.ParseFloat(value, 64)
	p.checkRange(f, tag)
}

// failNumber reports a value that is not a number of the given kind, such as "whole". If the value
// is a text that matches format, the message adds that the quotes must be removed.
func (p Place) failNumber(kind string, format *regexp.Regexp) {
	hint := ""
	if p.isText() && format.MatchString(p.node.Value) {
		hint = "; remove the quotes"
	}
	p.Fail("want a %s number in decimal digits, got %s%s", kind, p.Describe(), hint)
}

const tooManyBits = "%s does not fit in 64 bits without loss"

func setInteger(v reflect.Value, digits string) error {
	if v.Kind() == reflect.Int {
		i, err := strconv.ParseInt(digits, 10, 64)
		v.SetInt(i)
		return err
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64)
	v.SetUint(u)
	return err
}

// checkRange reports a number outside the interval in the tag `range`. The tag `share` marks
// proportions, which users may give in percent by mistake.
func (p Place) checkRange(number float64, tag reflect.StructTag) {
	interval := tag.Get("range")
	if interval == "" {
		return
	}
	inside, err := recipe.InRange(interval, number)
	if err != nil { // the tag is not an interval such as [0,1)
		panic(fmt.Sprintf("config: %s: %v", p.path, err))
	}
	if inside {
		return
	}
	hint := ""
	if tag.Get("share") != "" {
		hint = shareHint(number, interval)
	}
	p.Fail("%s is outside %s%s", p.node.Value, interval, hint)
}

// shareHint returns a hint for a number that should be a proportion. Numbers of at least 2 are
// probably percentages.
func shareHint(number float64, interval string) string {
	share := number / 100
	if inside, _ := recipe.InRange(interval, share); !inside || number < 2 {
		return "; want a share"
	}
	return fmt.Sprintf("; write %v%% as `%v`", number, share)
}

// Plain converts the value for encoding/json. The result is a map[string]any, []any, string, int,
// uint64, bool, Float or nil. Numbers with a decimal point or an exponent become Floats, and dates
// become strings. Plain reports the same invalid numbers as Decode.
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
	return p.plainScalar()
}

func (p Place) plainScalar() any {
	isUnquoted := p.node.Style == 0
	isTooLarge := isUnquoted && decimal.MatchString(p.node.Value) // yaml.v3 reads 1e400 as a text
	if p.isNumber() || isTooLarge {
		return p.plainNumber()
	}
	var value any
	if err := p.node.Decode(&value); err != nil {
		p.Fail("%s", err)
	}
	switch value.(type) {
	case nil, bool, string:
		return value
	}
	return p.node.Value
}

// A Float is a number that JSON writes with a decimal point or an exponent, such as 1.0. Python and
// Julia would read 1 as an integer.
type Float float64

func (f Float) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(f))
	if err == nil && !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return text, err
}

// String returns the number as JSON, so that reports distinguish 1.0 from 1.
func (f Float) String() string {
	text, _ := f.MarshalJSON() // fails only if f is not finite, which Plain rejects
	return string(text)
}

func (p Place) plainNumber() (number any) {
	if !wholeDecimal.MatchString(p.node.Value) {
		var f Float
		p.decodeInto(reflect.ValueOf(&f).Elem(), "")
		return f
	}
	if err := p.node.Decode(&number); err != nil {
		p.Fail("%s", err)
	}
	if _, isFloat := number.(float64); isFloat { // yaml.v3 rounds integers beyond 64 bits
		p.Fail(tooManyBits+"; put it in quotes to pass it as text", p.node.Value)
	}
	return number
}
