package config

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/internal/errtest"
	"copse/stats/recipe"
	"copse/stats/records"
)

// sample has a key of every kind.
type sample struct {
	Name    string              `param:"name" required:"yes" doc:"the name"`
	Count   int                 `param:"count" range:"[1,10]"`
	Seed    uint64              `param:"seed"`
	Share   float64             `param:"share" range:"[0,1]" share:"true"`
	On      bool                `param:"on"`
	Wait    time.Duration       `param:"wait"`
	Width   string              `param:"width" unit:"mm"`
	Kind    string              `param:"kind" enum:"one,two"`
	Version string              `param:"version" plain:"true"`
	Files   []string            `param:"files" short:"list" least:"1"`
	Sizes   []int               `param:"sizes" distinct:"true"`
	Words   map[string]string   `param:"words"`
	Merge   map[string][]string `param:"merge" plain:"true" least:"1"`
	Loss    loss                `param:"loss" short:"rate"`
	Later   Place               `param:"later" node:"anything"`
	Where   records.Condition   `param:"where"`
	Items   []item              `param:"items"`
	Maybe   item                `param:"maybe"`
	Near    int                 `param:"near" with:"files|sizes kind"`
	Far     int                 `param:"far" needs:"near"`
	Texts   []string            `param:"texts"`
}

type loss struct {
	Rate  float64 `param:"rate" choice:"how"`
	Count int     `param:"count" choice:"how"`
}

type item struct {
	Level int `param:"level"`
	Max   int `param:"max"`
}

func (i *item) SetDefaults() { i.Max = 9 }

func (i *item) Validate() error {
	switch {
	case i.Level > i.Max:
		return &recipe.Error{Key: "level", Msg: "exceeds max"}
	case i.Max == 7:
		return errors.New("is unlucky")
	}
	return nil
}

func parse(t *testing.T, text string) Place {
	t.Helper()
	p, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A mistake inside a value that is written as text has the position of the text.
func TestCheckValue(t *testing.T) {
	p := parse(t, `a: "[2, x]"`)
	p.Key("a").CheckValue("sizes", &sample{})
	errtest.HasPrefix(t, p.Err(), "f.yaml:1:4: a[1]: want a whole number")
}

func TestDecode(t *testing.T) {
	p := parse(t, `name: x
count: 3
seed: 18446744073709551615
share: 5e-1
on: true
wait: 90s
width: 85
kind: two
version: 1.10
files: a.csv
sizes: [1, 2]
words: {a: b}
merge: {low: [0, "1"], high: [yes]}
loss: 0.25
later: &later {x: [1]}
where: {n: [200, 400], balance: even}
items: [{level: 3}, {level: 1, max: 2}]
maybe: {level: 0}
near: 1
far: 2
`)
	var got sample
	if !p.Decode("key", &got) {
		t.Fatal(p.Err())
	}
	if !got.Later.Exists() || !got.Later.IsMapping() {
		t.Error("a place is not there")
	}
	got.Later = Place{}
	want := sample{
		Name:    "x",
		Count:   3,
		Seed:    1<<64 - 1,
		Share:   0.5,
		On:      true,
		Wait:    90 * time.Second,
		Width:   "85mm",
		Kind:    "two",
		Version: "1.10",
		Files:   []string{"a.csv"},
		Sizes:   []int{1, 2},
		Words:   map[string]string{"a": "b"},
		Merge:   map[string][]string{"low": {"0", "1"}, "high": {"yes"}},
		Loss:    loss{Rate: 0.25},
		Where:   records.Condition{"n": {"200", "400"}, "balance": {"even"}},
		Items:   []item{{3, 9}, {1, 2}},
		Near:    1,
		Far:     2,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// The error for each mistake contains the line, the column, the key and the next step.
func TestDecodeMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"count: 1":                    "f.yaml:1:1: name: missing; give the name",
		"name: x\ncuont: 1":           `f.yaml:2:1: cuont: unknown key of it; did you mean "count"?`,
		"name: x\ncv: 5":              "f.yaml:2:1: cv: is not a key: use `data.folds`",
		"name: x\nitems: [{level:3}]": "2:10: items[0].level:3: unknown key; put a colon and a space after `level`",
		"name: x\ncount = {n: 3":      "2:1: count = {n: unknown key of it; put a colon and a space after `count`",
		"naem: x":                     "f.yaml:1:1: naem: unknown key of it; did you mean \"name\"?",
		"name: x\nloss: {ratee: 1}":   "f.yaml:2:8: loss.ratee: unknown key; did you mean \"rate\"?",
		"name: x\nfar: 1\nneer: 1":    "f.yaml:3:1: neer: unknown key of it; did you mean \"near\"?",
		"<<: {name: x}":               "f.yaml:1:1: <<: copse does not merge mappings",
		"name: x\n<<: {count: 1}":     "f.yaml:2:1: <<: copse does not merge mappings; write out the keys, or use an",
		"name: x\nname: y":            "f.yaml:2:1: name: given twice; first on line 1",
		"name: x\nsizes: [3, 3]":      "f.yaml:2:12: sizes[1]: 3 is listed twice",
		"name: 5":                     `f.yaml:1:7: name: want a string, got the number 5; put it in quotes: "5"`,
		"name: ":                      "f.yaml:1:6: name: want a string, got nothing",
		"name: NULL":                  `name: want a string, got the null value NULL; put it in quotes: "NULL"`,
		"name: 2020-01-02":            "got the date 2020-01-02",
		"name: yes\non: yes":          "f.yaml:2:5: on: want `true` or `false`, got the text \"yes\"",
		"name: x\non: \"true\"":       "f.yaml:2:5: on: want `true` or `false`, got the text \"true\"",
		"name: x\non: [1]":            "f.yaml:2:5: on: want `true` or `false`, got a list",
		"name: x\ncount: 1.5": "f.yaml:2:8: count: want a whole number in decimal digits, got the " +
			"number 1.5",
		"name: x\ncount: \"7\"":               `got the text "7"; remove the quotes`,
		"name: x\nshare: '.5'":                `got the text ".5"; remove the quotes`,
		"name: x\ncount: 010":                 "want a whole number in decimal digits",
		"name: x\ncount: 11":                  "f.yaml:2:8: count: 11 is outside [1,10]",
		"name: x\ncount: {}":                  "want a number, got an empty mapping",
		"name: x\nseed: -1":                   "want a whole number that is not negative, got -1",
		"name: x\nseed: 18446744073709551616": "18446744073709551616 does not fit in 64 bits without loss",
		"name: x\nshare: 25": "f.yaml:2:8: share: 25 is outside [0,1]; " +
			"write 25% as `0.25`",
		"name: x\nshare: 1.8":                "f.yaml:2:8: share: 1.8 is outside [0,1]; want a share",
		"name: x\nshare: .nan":               "want a finite number",
		"name: x\nshare: 1e999":              "want a finite number",
		"name: x\nshare: 00.5":               "want a finite number in decimal digits, got the number 00.5",
		"name: x\nshare: 0x1":                "want a finite number in decimal digits, got the number 0x1",
		"name: x\nshare: 1_000":              "want a finite number in decimal digits, got the number 1_000",
		"name: x\nshare: true":               "want a finite number in decimal digits, got the truth value true",
		"name: x\nwait: 90":                  "want a positive duration such as `90s` or `10m`, got the number 90",
		"name: x\nkind: three":               `unknown value "three"; choose one of: one, two`,
		"name: x\nversion: ":                 "version: want a string, got nothing",
		"name: x\nfiles: []":                 "f.yaml:2:8: files: is an empty list; give at least one item",
		"name: x\nfiles: 5":                  "f.yaml:2:8: files: want a string, got the number 5",
		"name: x\nfiles: [a, 5]":             "f.yaml:2:12: files[1]: want a string",
		"name: x\nfiles: ":                   "files: want a list or a single value, got nothing",
		"name: x\nsizes: 3":                  "sizes: want a list such as `[3]`, got the number 3",
		"name: x\nwords: [a]":                "words: want a mapping, got a list",
		"name: x\nwords: {a: 1}":             "words.a: want a string",
		"name: x\nmerge: {a: 1}":             "merge.a: want a list such as `[1]`, got the number 1",
		"name: x\nloss: [1]":                 "loss: want a mapping or a single value, got a list",
		"name: x\nloss: {}":                  "f.yaml:2:7: loss: want exactly one of `rate` and `count`",
		"name: x\nloss: {rate: 1, count: 1}": "loss: want exactly one of `rate` and `count`",
		"name: x\nwhere: x":                  `where: want factors with their levels, got the text "x"`,
		"name: x\nwhere: [x]":                "where: want `factor=level`, got the text \"x\"",
		"name: x\nitems: [{level: 10}]":      "f.yaml:2:17: items[0].level: exceeds max",
		"name: x\nmaybe: {max: 7}":           "f.yaml:2:8: maybe: is unlucky",
		"name: x\nnear: 1\nkind: one":        "f.yaml:2:7: near: is allowed only together with `files` or `sizes`",
		"name: x\nnear: 1\nfiles: a":         "f.yaml:2:7: near: is allowed only together with `kind`",
		"name: x\nfar: 1":                    "f.yaml:1:1: near: missing; `far` needs it",
		"name: x\nitems: main":               `items: want a list of mappings, got the text "main"`,
		"name: x\nitems: 5":                  "items: want a list such as `[{level: 5}]`, got the number 5",
		"name: x\nmaybe: 5.0":                "maybe: want a mapping, got the number 5.0",
		"name: x\nmaybe: 3":                  "f.yaml:2:8: maybe: want a mapping such as `{level: 3}`, got the number",
		"name: x\nitems: [a]":                `items[0]: want a mapping, got the text "a"`,
		"two":                                "f.yaml:1:1: want a mapping such as `{kind: two}`, got the text \"two\"",
		"[x]":                                "f.yaml:1:1: want a mapping, got a list",
		"name: x\ntexts: python3 t.py":       `texts: want a list, got the text "python3 t.py"`,
		"name: x\ntexts: cost:n(0,1)/n":      `texts: want a list, got the text "cost:n(0,1)/n"`,
		"name: x\ntexts: \"*\"":              "texts: want a list such as `[\"*\"]`, got the text \"*\"",
		"name: x\ntexts: \"`x` > 3\"":        "texts: want a list, got the text \"`x` > 3\"",
		"name: x\ntexts: \"a, b\"":           "texts: want a list such as `[a, b]`, got the text \"a, b\"",
		"name: x\ntexts: 2":                  "texts: want a list of strings, got the number 2",
	} {
		p := parse(t, text)
		if p.Decode("key of it", new(sample)) || !strings.Contains(p.Err().Error(), want) {
			t.Errorf("%q: %v, want %s", text, p.Err(), want)
		}
		if strings.Contains(p.Err().Error(), "\n") {
			t.Errorf("%q: several mistakes for one: %v", text, p.Err())
		}
		if !errors.Is(p.Err(), ErrConfig) || p.WithoutErrors().Failed() {
			t.Errorf("%q: %T", text, p.Err())
		}
	}
	if p := parse(t, "b: 2\na: [1]\n"); p.Key("c").Decode("key", new(sample)) == false || p.Failed() {
		t.Error("a key that is not there has mistakes")
	}
	p := parse(t, "b: 2\na: [1]\n")
	p.Key("a").Fail("second")
	p.Key("b").Fail("first")
	p.Key("b").Fail("first")
	if got := p.Err().Error(); got != "f.yaml:1:4: b: first\nf.yaml:2:4: a: second" || p.ErrorCount() != 3 {
		t.Errorf("%s", got)
	}
	if (Place{}).Err() != nil || (Place{}).Failed() || (Place{}).WithoutErrors().Exists() {
		t.Error("the zero place has mistakes")
	}
	(Place{}).Fail("nothing hears it")
}

// Several structs share the keys of one mapping.
func TestDecodeIntoSeveral(t *testing.T) {
	p := parse(t, "rate: 1\nlevel: 2\nworse: 3\n")
	var a loss
	var b item
	if p.Decode("key", &a, &b) || a.Rate != 1 || b.Level != 2 {
		t.Errorf("%+v, %+v", a, b)
	}
	if got := p.Err().Error(); got != `f.yaml:3:1: worse: unknown key; choose one of: rate, count, level, max` {
		t.Error(got)
	}
	var list []item
	if p := parse(t, "[{level: 1}, {level: 2, max: 3}]"); !p.Decode("key", &list) ||
		!reflect.DeepEqual(list, []item{{1, 9}, {2, 3}}) {
		t.Errorf("%+v", list)
	}
}

func TestPlaces(t *testing.T) {
	p := parse(t, "a: &a {b: [x, 5, null]}\nc: *a\nd: plain\ne: {}\n")
	b := p.Key("c").Key("b")
	if !b.IsList() || b.Path() != "c.b" || len(b.Items()) != 3 || !b.Item(2).IsNull() ||
		b.Item(1).Path() != "c.b[1]" {
		t.Errorf("%s", b.Path())
	}
	if found := b.Find("5"); found.Text() != "5" || found.Path() != "c.b" || b.Find("y").Text() != "" {
		t.Errorf("%s %s", found.Text(), found.Path())
	}
	for _, gone := range []Place{p.Key("x"), p.Key("d").Key("x"), b.Item(7), b.Key("x"), p.Item(0)} {
		if gone.Exists() || gone.IsMapping() || gone.IsList() || gone.IsPlain() || gone.HasReference() ||
			gone.FromFlag() ||
			gone.Items() != nil {
			t.Errorf("%s is there", gone.Path())
		}
		gone.Fail("not there")
	}
	if !strings.HasPrefix(p.Err().Error(), "f.yaml:1:1: x: not there\n") {
		t.Error(p.Err())
	}
	if p.Key("d").Names() != nil || !slices.Equal(p.Names(), []string{"a", "c", "d", "e"}) || !p.Key("e").IsEmpty() ||
		p.Key("d").IsEmpty() {
		t.Errorf("%q", p.Names())
	}
	var keys []string
	for key := range p.Entries() {
		if keys = append(keys, key.WithPath("other").Path()+key.Text()); len(keys) == 2 {
			break
		}
	}
	if !slices.Equal(keys, []string{"othera", "otherc"}) {
		t.Errorf("%q", keys)
	}
	anchored := map[string]any{"b": []any{"x", 5, nil}}
	want := map[string]any{
		"a": anchored,
		"c": anchored,
		"d": "plain",
		"e": map[string]any{},
	}
	if got := p.Plain(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	wantList := []any{Float(1.5), Float(.5), Float(2), Float(1e23), true, "010",
		"2020-01-02", -7, uint64(math.MaxUint64)}
	got := parse(t, `[1.5, .5, 2., 1e23, true, "010", 2020-01-02, -7, 18446744073709551615]`).Plain()
	if !reflect.DeepEqual(got, wantList) {
		t.Errorf("%#v", got)
	}
}

// JSON keeps the difference between integers and floating-point numbers.
func TestPlainNumbersInJSON(t *testing.T) {
	list := parse(t, `[1, 1.0, 1., 1e0, -0.0, 0.25, 1e-7, 1e20, 1e23, [2.0], {a: 3.0}]`).Plain()
	const want = `[1,1.0,1.0,1.0,-0.0,0.25,1e-7,100000000000000000000.0,1e+23,[2.0],{"a":3.0}]`
	if got, err := json.Marshal(list); string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// A number has the same meaning for Plain and Decode, or both reject it.
func TestPlainRejectsNumbers(t *testing.T) {
	for _, number := range []string{"010", "-010", "0x10", "0o10", "0b10", "1_000", "01.5", ".inf", ".nan",
		"18446744073709551616", "1e400"} {
		p := parse(t, number)
		if got := p.Plain(); !p.Failed() {
			t.Errorf("%s became %v", number, got)
		}
	}
}

// References are replaced by copies. The text of the file does not change.
func TestSubstitute(t *testing.T) {
	p := parse(t, "data: {n: $n, list: [$n, 3]}\nlevel: {deep: [$m]}\n")
	data := p.Key("data")
	if !data.HasReference() || data.IsReference() || !data.Key("n").IsReference() ||
		p.Key("level").Key("deep").Item(0).Text() != "$m" {
		t.Error("references are not found")
	}
	got := data.Substitute(func(reference Place) Place {
		if reference.Text() == "$n" {
			return p.Key("level").WithPath(reference.Path())
		}
		return reference
	})
	text, err := got.YAML()
	if err != nil || string(text) != "{n: {deep: [$m]}, list: [{deep: [$m]}, 3]}\n" {
		t.Errorf("%s", text)
	}
	if data.Key("n").Text() != "$n" {
		t.Error("the text was changed")
	}
	got.Key("n").Key("deep").Fail("wrong")
	if want := "f.yaml:2:15: data.n.deep: wrong"; p.Err() == nil || p.Err().Error() != want {
		t.Errorf("%v, want %s", p.Err(), want)
	}
}

// Mistakes in values set by flags are reported with the flag.
func TestEdits(t *testing.T) {
	p := parse(t, "a: 1\nlist: [x, {id: y}, z]\nlevels: {small: 1, large: 2}\n")
	if err := p.SetYAML("a", "{b: two}", "--set a"); err != nil {
		t.Fatal(err)
	}
	p.SetText("new", "5", "--set new")
	if !p.Key("a").Key("b").FromFlag() || p.Key("list").FromFlag() || p.Key("new").Describe() != `the text "5"` {
		t.Error("flags are not remembered")
	}
	copied := p.Key("a").Substitute(func(r Place) Place { return r })
	copied.Key("b").Fail("wrong")
	if got := p.Err().Error(); got != "--set a: a.b: wrong" {
		t.Error(got)
	}
	if err := p.SetSome("levels", []string{"large"}); err != nil || p.Key("levels").FromFlag() {
		t.Error(err)
	}
	errtest.Contains(t, p.SetSome("levels", []string{"lage"}), `no level "lage"; did you mean "large"?`)
	p.Key("list").Widen(0, "name")
	p.Key("list").RemoveItems(func(item Place) bool { return item.Text() == "z" })
	p.Remove("new")
	p.Remove("never")
	text, err := p.YAML()
	if want := "a: {b: two}\nlist: [{name: x}, {id: y}]\nlevels: {large: 2}\n"; err != nil || string(text) != want {
		t.Errorf("%s", text)
	}
	for value, want := range map[string]string{
		"[":        "is not a YAML value",
		"[1],[2]":  `"[1],[2]" is not a single YAML value`,
		"{}, {}":   `"{}, {}" is not a single YAML value`,
		"1\n---\n": "is not a single YAML value",
		"# 1":      "the value is empty",
		"":         "the value is empty",
		"&a [*a]":  "is inside the value that it refers to",
	} {
		errtest.Case(t, value).Contains(p.SetYAML("a", value, "--set a"), want)
	}
}

// Levels are removed from both forms of a condition. A condition without other levels cannot be met.
func TestRemoveLevels(t *testing.T) {
	gone := func(level string) bool { return level == "1" || level == "2" }
	for text, want := range map[string]struct {
		left string
		met  bool
	}{
		"{n: [1, 3], m: 1}": {"{n: [3], m: 1}", true},
		"{n: [1, 2]}":       {"{n: []}", false},
		"{n: 1}":            {"{n: 1}", false},
		"{n: 3}":            {"{n: 3}", true},
		"{m: 1}":            {"{m: 1}", true},
		"[n=1, n=3, m=1]":   {"[n=3, m=1]", true},
		"[n=1, m=1]":        {"[m=1]", false},
		"[m=1]":             {"[m=1]", true},
	} {
		p := parse(t, text)
		if met := p.RemoveLevels("n", gone); met != want.met {
			t.Errorf("%s can be met: %t", text, met)
		}
		if left, err := p.YAML(); err != nil || string(left) != want.left+"\n" {
			t.Errorf("%s leaves %s", text, left)
		}
	}
	factors := []records.Factor{{Name: "n", Levels: []string{"1", "2"}}}
	for text, want := range map[string]string{
		"{n: [1, 2]}": "", "[n=1]": "", "[n=]": "",
		"{n: [1, 3]}": `f.yaml:1:9: n: unknown level "3"; choose one of: 1, 2`,
		"[n=1, n=3]":  `f.yaml:1:7: unknown level "3"; choose one of: 1, 2`,
		"{k: 1}":      `f.yaml:1:2: k: unknown factor "k"; choose one of: n`,
		"[k=1]":       `f.yaml:1:2: unknown factor "k"; choose one of: n`,
	} {
		p := parse(t, text)
		var c records.Condition
		if !p.Decode("", &c) || p.CheckCondition(c, factors) != (want == "") ||
			want != "" && p.Err().Error() != want {
			t.Errorf("%s: %v, want %s", text, p.Err(), want)
		}
	}
}

func TestKeysOf(t *testing.T) {
	types := map[string]string{
		"name":    "string",
		"count":   "whole number",
		"seed":    "whole number",
		"share":   "number",
		"on":      "true or false",
		"wait":    "duration",
		"width":   "string",
		"kind":    "string",
		"version": "string",
		"files":   "string or list of strings",
		"sizes":   "list of whole numbers",
		"words":   "mapping of strings",
		"merge":   "mapping of strings",
		"loss":    "number, or mapping with the keys rate, count",
		"later":   "anything",
		"where":   "value",
		"items":   "list of mappings",
		"maybe":   "mapping",
		"near":    "whole number",
		"far":     "whole number",
		"texts":   "list of strings",
	}
	keys := KeysOf(&sample{Count: 4, Sizes: []int{1, 2}, Share: 0.5})
	if len(keys) != len(types) {
		t.Errorf("%d keys, want %d", len(keys), len(types))
	}
	for _, k := range keys {
		if k.Type != types[k.Name] {
			t.Errorf("%s is a %q, want %q", k.Name, k.Type, types[k.Name])
		}
	}
	if keys[0].Doc != "the name" || !keys[0].Required ||
		keys[1].Default != "4" || keys[1].Range != "[1,10]" ||
		keys[10].Default != "[1, 2]" ||
		!slices.Equal(keys[7].Options, []string{"one", "two"}) ||
		keys[6].Unit != "mm" ||
		keys[16].Keys[1].Default != "9" {
		t.Errorf("%+v", keys)
	}
}

func TestErrors(t *testing.T) {
	e := &Error{Origin: "f", Path: "a\nb", Msg: "wrong", Cause: errors.New("why")}
	if got := e.Error(); got != `f: a\nb: wrong: why` || errors.Unwrap(e) != e.Cause || !errors.Is(e, ErrConfig) {
		t.Error(got)
	}
	if FormatBytes(1_500_000_000) != "1.5 GB" || FormatBytes(25_000_000) != "25 MB" {
		t.Error(FormatBytes(1_500_000_000))
	}
	if DidYouMean("x", nil) != "" || Nearest("slp", []string{"nb", "SLB"}) != "SLB" ||
		Nearest("zzzz", []string{"nb"}) != "" {
		t.Error("nearest names")
	}
	if !ValidName("a-1.b_c") || ValidName("-a") || ValidName("a b") || ValidName("a/b") || ValidName("") {
		t.Error("names")
	}
	_, err := Parse("f.yaml", []byte("a: 1\n---\nb: 2\n"))
	errtest.Contains(t, err, "f.yaml:2:1: a second YAML document")
}
