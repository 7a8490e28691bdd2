package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/config"
)

// assign applies one --set assignment to the study's YAML:
//
//	design.n=200,3200                            replaces a factor's levels
//	design.balance=balanced                      keeps one of the named levels
//	classifiers.slb.c=2                          sets a key of the classifier with an id
//	classifiers.ranger.params."num.trees"=200    quotes a key with dots
//
// It may add keys; the decoding that follows reports unknown ones.
func assign(root config.Place, assignment string) error {
	flag := "--set " + assignment
	keys, text, ok := splitAssignment(assignment)
	if !ok {
		return &config.Error{
			Origin: flag,
			Msg: `want path=value, such as design.n=200,400; a key with dots is quoted, ` +
				`classifiers.ranger.params."num.trees"=200`,
		}
	}
	if len(keys) == 1 && !isKey(keys[0]) && root.Key("design").Key(keys[0]).There() {
		return &config.Error{
			Origin: flag,
			Path:   keys[0],
			Msg:    "unknown key; the factor of the design is design." + keys[0],
		}
	}
	at := root
	for i, key := range keys[:len(keys)-1] {
		below, err := step(at, key, strings.Join(keys[i:], "."))
		if err != nil {
			return &config.Error{Origin: flag, Path: strings.Join(keys[:i+1], "."), Msg: err.Error()}
		}
		at = below
	}
	last := keys[len(keys)-1]
	var err error
	switch inDesign := len(keys) > 1 && keys[len(keys)-2] == "design"; {
	case !at.IsMapping():
		err = fmt.Errorf("has no keys: it is %s", at.Describe())
	case inDesign:
		err = assignLevels(root, at, last, text, flag)
	default:
		err = at.SetYAML(last, text, flag)
	}
	if err != nil {
		return &config.Error{Origin: flag, Path: strings.Join(keys, "."), Msg: err.Error()}
	}
	return nil
}

// assignLevels replaces the levels of a factor by those in text, separated by commas. Of a
// mapping from levels to values it keeps the listed levels. It removes all other levels
// from the study's conditions.
func assignLevels(root, design config.Place, factor, text, flag string) error {
	old := design.Key(factor)
	if !old.There() {
		return fmt.Errorf("the design has no factor %q%s", factor, config.DidYouMean(factor, design.Names()))
	}
	var err error
	if old.IsMapping() {
		err = design.SetSome(factor, strings.Split(text, ","))
	} else {
		err = design.SetYAML(factor, "["+text+"]", flag)
	}
	if err != nil {
		return err
	}
	left := levelNames(design.Key(factor))
	gone := slices.DeleteFunc(levelNames(old), func(name string) bool { return slices.Contains(left, name) })
	prune(root, factor, gone)
	return nil
}

// levelNames returns the names of a factor's levels.
func levelNames(levels config.Place) []string {
	if levels.IsMapping() {
		return levels.Names()
	}
	var names []string
	for _, item := range levels.Items() {
		names = append(names, item.Text())
	}
	return names
}

// prune removes levels from all conditions. An item whose condition has lost all levels of
// the factor is removed: an exclusion, a nested block, a classifier, a published table, or
// a table or figure of the report.
func prune(root config.Place, factor string, gone []string) {
	isGone := func(level string) bool { return slices.Contains(gone, level) }
	for _, c := range []struct {
		list config.Place
		key  string // of the condition in an item; "": the item itself is the condition
	}{
		{root.Key("exclude"), ""},
		{root.Key("nested"), "under"},
		{root.Key("classifiers"), "only"},
		{root.Key("published"), "where"},
		{root.Key("report").Key("tables"), "where"},
		{root.Key("report").Key("figures"), "where"},
	} {
		c.list.RemoveItems(func(item config.Place) bool {
			condition := item
			if c.key != "" {
				condition = item.Key(c.key)
			}
			return condition.There() && !condition.RemoveLevels(factor, isGone)
		})
	}
}

// isKey reports whether a study has this key at its top level.
func isKey(name string) bool {
	return slices.ContainsFunc(config.KeysOf(&keys{}), func(k config.Key) bool { return k.Name == name })
}

// splitAssignment splits path=value at the first = and the path at its dots. Double or
// single quotes around a whole key protect dots and = in it. ok is false where the text has
// another form.
func splitAssignment(assignment string) (keys []string, value string, ok bool) {
	for rest := assignment; rest != ""; {
		var key string
		if quote := rest[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(rest[1:], quote)
			if end < 0 {
				return nil, "", false
			}
			key, rest = rest[1:1+end], rest[end+2:]
		} else {
			end := max(0, strings.IndexAny(rest, ".="))
			key, rest = rest[:end], rest[end:]
		}
		keys = append(keys, key)
		if key == "" || rest == "" {
			return nil, "", false
		}
		if rest[0] == '=' {
			return keys, rest[1:], true
		}
		if rest[0] != '.' {
			return nil, "", false
		}
		rest = rest[1:]
	}
	return nil, "", false
}

// step returns the place below a key. In a list, the key is a classifier's id or its
// position. rest is the remaining path, beginning with key, for suggestions.
func step(at config.Place, key, rest string) (config.Place, error) {
	if at.IsList() {
		var ids []string
		for i, item := range at.Items() {
			id := classifierID(item)
			if id == key || strconv.Itoa(i) == key {
				return at.Widen(i, "classifier"), nil // the short form "- nb" grows into {classifier: nb}
			}
			ids = append(ids, id)
		}
		return at, fmt.Errorf("the study has no entry %q%s", key, suggest(key, rest, ids))
	}
	if !at.IsMapping() {
		return at, fmt.Errorf("has no keys below it: it is %s", at.Describe())
	}
	if below := at.Key(key); below.There() {
		return below, nil
	}
	return at, fmt.Errorf("the study has no key %q here%s", key, suggest(key, rest, at.Names()))
}

// suggest returns a clause with the key that the user probably meant: a key with dots that
// lacks quotes, or the one with the most similar spelling; "" if there is none.
func suggest(key, rest string, known []string) string {
	for _, name := range known {
		if strings.Contains(name, ".") && (rest == name || strings.HasPrefix(rest, name+".")) {
			return fmt.Sprintf("; a key with dots is quoted: \"%s\"", name)
		}
	}
	return config.DidYouMean(key, known)
}
