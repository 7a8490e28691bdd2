package study

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/config"
)

// assignAll applies --set assignments to the study's YAML, in order. It returns an error if two of
// them set the same key.
func assignAll(root config.Place, assignments []string) error {
	setBy := map[string]string{} // from the path of a key to the assignment that sets it
	for _, a := range assignments {
		flag := "--set " + a
		keys, value, ok := splitAssignment(a)
		if !ok {
			return &config.Error{Origin: flag, Msg: "want `path=value`, such as `design.n=200,400`; put a key that " +
				"contains dots in quotes, as in `classifiers.ranger.params.\"num.trees\"=200`"}
		}
		path := fmt.Sprintf("%q", keys)
		if earlier, isSet := setBy[path]; isSet {
			return &config.Error{Origin: flag, Path: strings.Join(keys, "."), Msg: fmt.Sprintf(
				"`--set %s` sets the same key; give each key once, and all levels of a factor together, as in "+
					"`--set design.n=200,400`", earlier)}
		}
		setBy[path] = a
		if wrong, err := assign(root, keys, value, flag); err != nil {
			return &config.Error{Origin: flag, Path: strings.Join(wrong, "."), Msg: err.Error()}
		}
	}
	return nil
}

// assign applies one --set assignment to the study's YAML. The argument path contains the keys that
// lead to the value, and flag is the flag as the user wrote it. After an error, wrong contains the
// keys up to the wrong one. Examples of assignments are
//
//	design.n=200,3200                            replaces the levels of the factor n
//	design.n=[200, 3200]                         does the same with a YAML list
//	design.n={few: 200, many: 3200}              replaces the levels and names the new ones
//	design.balance=balanced                      keeps only one of the named levels
//	classifiers.slb.c=2                          sets the key c of the classifier with the id slb
//	classifiers.ranger.params."num.trees"=200    quotes a key that contains dots
//
// An assignment may add keys and sections, such as inference. The decoder of the study reports
// unknown keys later.
func assign(root config.Place, path []string, value, flag string) (wrong []string, err error) {
	first, last := path[0], path[len(path)-1]
	isKnown := slices.Contains(config.Names(config.KeysOf(&keys{})), first)
	isFactor := root.Key("design").Key(first).Exists()
	if len(path) == 1 && !isKnown && isFactor { // the user left out design
		return path, fmt.Errorf("unknown key; to change the factor, write `design.%s`", first)
	}
	parent, wrong, err := parentOf(root, path, flag)
	if err != nil {
		return wrong, err
	}
	if parent.IsList() {
		return path, errors.New("`--set` replaces a whole list, as in `classifiers=[lda]`, or a key of an item, such " +
			"as `classifiers.lda.label`")
	}
	setsLevels := len(path) == 2 && first == "design"
	if setsLevels {
		return path, assignLevels(root, last, value, flag)
	}
	return path, parent.SetYAML(last, value, flag)
}

// parentOf returns the mapping or list that contains the last of the keys. For the path design.n,
// this is the value of design. The argument flag is the flag that gave the path. After an error,
// wrong contains the keys up to the wrong one.
func parentOf(root config.Place, keys []string, flag string) (parent config.Place, wrong []string, err error) {
	parent = root
	for i, key := range keys {
		if parent.IsPlain() {
			return parent, keys[:i], fmt.Errorf("is %s, so it has no keys", parent.Describe())
		}
		if i == len(keys)-1 {
			break
		}
		rest := strings.Join(keys[i:], ".") // for the error message
		if parent, err = valueOf(parent, key, rest, flag); err != nil {
			return parent, keys[:i+1], err
		}
	}
	return parent, nil, nil
}

// assignLevels replaces the levels of a factor in each design that has the factor, and removes old
// levels from conditions. A study has its own design and may have further designs under the key
// nested.
//
// The argument text is a list of levels, separated by commas or in YAML, or a YAML mapping from
// names to levels. If a design names its levels, a list selects some of them by name. In all other
// cases, text replaces all levels.
func assignLevels(root config.Place, factor, text, flag string) error {
	lacksFactor := func(design config.Place) bool { return !design.Key(factor).Exists() }
	designs := slices.DeleteFunc(designsOf(root), lacksFactor)
	if len(designs) == 0 {
		return fmt.Errorf("the design has no factor %q%s", factor,
			config.DidYouMean(factor, root.Key("design").Names()))
	}
	yaml, items, err := parseLevels(text) // the levels as YAML, and the items of a list
	if err != nil {
		return err
	}
	oldNames := levelNames(designs, factor)
	for _, design := range designs {
		namesLevels := design.Key(factor).IsMapping()
		if namesLevels && !isMapping(yaml) {
			err = keepLevels(design, factor, items, oldNames)
		} else {
			err = design.SetYAML(factor, yaml, flag)
		}
		if err != nil {
			return err
		}
	}
	kept := levelNames(designs, factor)
	removed := slices.DeleteFunc(oldNames, func(name string) bool { return slices.Contains(kept, name) })
	removeFromConditions(root, factor, removed)
	return nil
}

// parseLevels returns the levels in text as YAML: a list, or a mapping from names to values. The
// result items contains the items of a list as text.
func parseLevels(text string) (yaml string, items []string, err error) {
	yaml = text
	isYAML := isMapping(text) || strings.HasPrefix(text, "[")
	if !isYAML {
		yaml = "[" + text + "]"
	}
	// Do not parse unquoted names as YAML, because they may contain its special characters.
	if !isYAML && !strings.HasPrefix(text, `"`) {
		return yaml, strings.Split(text, ","), nil
	}
	items, err = config.TextsIn(yaml)
	return yaml, items, err
}

func isMapping(levels string) bool { return strings.HasPrefix(levels, "{") }

// keepLevels removes the levels of a factor that are not in names from one design of a study. It
// ignores names that occur only in other designs. The argument inAnyDesign contains the levels of
// all designs.
func keepLevels(design config.Place, factor string, names, inAnyDesign []string) error {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("level %q is given twice", name)
		}
	}
	levels := design.Key(factor).Names()
	isOfOtherDesign := func(name string) bool {
		return slices.Contains(inAnyDesign, name) && !slices.Contains(levels, name)
	}
	own := slices.DeleteFunc(slices.Clone(names), isOfOtherDesign)
	if len(own) == 0 && len(names) > 0 {
		return nil // all names belong to other designs
	}
	// SetSome reports unknown names. An empty list of names removes all levels, which the decoder of
	// the study reports.
	return design.SetSome(factor, own)
}

// designsOf returns the study's own design, and the designs of items under "nested".
func designsOf(root config.Place) []config.Place {
	all := []config.Place{root.Key("design")}
	for _, item := range root.Key("nested").Items() {
		all = append(all, item.Key("design"))
	}
	return all
}

func levelNames(designs []config.Place, factor string) (names []string) {
	for _, design := range designs {
		levels := design.Key(factor)
		if levels.IsMapping() {
			names = append(names, levels.Names()...)
			continue
		}
		for _, item := range levels.Items() {
			names = append(names, item.Text())
		}
	}
	return names
}

// removeFromConditions removes levels of a factor from all conditions of the study. It also removes
// each item whose condition loses its last level of the factor.
func removeFromConditions(root config.Place, factor string, removed []string) {
	isRemoved := func(level string) bool { return slices.Contains(removed, level) }
	for _, c := range []struct {
		list config.Place
		key  string // key of the condition in an item, or "" if the item itself is the condition
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
			if !condition.Exists() {
				return false
			}
			levelsRemain := condition.RemoveLevels(factor, isRemoved)
			return !levelsRemain
		})
	}
}

// assignedKey matches the first key of an assignment. Its groups match
//
//	1  a key in double quotes
//	2  a key in single quotes
//	3  a key without quotes
//	4  the dot or the equals sign after the key
var assignedKey = regexp.MustCompile(`^(?:"([^"]+)"|'([^']+)'|([^.="'][^.=]*))([.=])`)

// splitAssignment splits an assignment path=value at its first equals sign, and the path at its
// dots. A quoted key may contain dots and equals signs.
func splitAssignment(assignment string) (keys []string, value string, ok bool) {
	for rest := assignment; ; {
		found := assignedKey.FindStringSubmatch(rest)
		if found == nil {
			return nil, "", false
		}
		key := found[1] + found[2] + found[3] // two of the three groups are empty
		keys = append(keys, key)
		rest = rest[len(found[0]):]
		if sign := found[4]; sign == "=" {
			return keys, rest, true
		}
	}
}

// valueOf returns the value of a key in a mapping or a list of classifiers. If a mapping lacks the
// key, valueOf adds it with an empty mapping. flag is the flag that gave the path. Hints in error
// messages contain rest, the path from the key on.
func valueOf(at config.Place, key, rest, flag string) (config.Place, error) {
	if at.IsList() {
		return classifierIn(at, key, rest)
	}
	if value := at.Key(key); value.Exists() && !value.IsNull() {
		return value, nil
	}
	if hint := quotesHint(rest, at.Names()); hint != "" {
		return at, fmt.Errorf("the study has no key %q at this point%s", key, hint)
	}
	err := at.SetYAML(key, "{}", flag)
	return at.Key(key), err
}

// classifierIn returns the classifier with the given id or list index. It expands an item such as
// nb to {classifier: nb}.
func classifierIn(list config.Place, idOrPosition, rest string) (config.Place, error) {
	var ids []string
	for i, item := range list.Items() {
		id := classifierID(item)
		if id == idOrPosition || strconv.Itoa(i) == idOrPosition {
			return list.Widen(i, "classifier"), nil
		}
		ids = append(ids, id)
	}
	if strings.Join(ids, "") == "" {
		return list, fmt.Errorf("want the position of an item of this list, such as `0`, not %q", idOrPosition)
	}
	return list, fmt.Errorf("the study has no entry %q%s", idOrPosition,
		cmp.Or(quotesHint(rest, ids), config.DidYouMean(idOrPosition, ids)))
}

// quotesHint returns a hint to quote a key that contains dots, if the path rest begins with a known key of this
// kind. Otherwise, it returns "".
func quotesHint(rest string, known []string) string {
	for _, name := range known {
		if strings.Contains(name, ".") && strings.HasPrefix(rest+".", name+".") {
			return fmt.Sprintf("; put a key that contains dots in quotes: `\"%s\"`", name)
		}
	}
	return ""
}
