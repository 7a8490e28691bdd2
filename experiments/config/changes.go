package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ChangedKeys returns the keys, such as "inference.alpha", whose values differ. It compares lists
// as a whole. now and old are the values of the given key, as Plain returns them.
func ChangedKeys(key string, now, old any) (changed []string) {
	if reflect.DeepEqual(now, old) {
		return nil
	}
	nowKeys, isMapping := now.(map[string]any)
	oldKeys, wasMapping := old.(map[string]any)
	if !isMapping || !wasMapping {
		return []string{key}
	}
	either := maps.Clone(nowKeys)
	maps.Copy(either, oldKeys)
	for _, name := range slices.Sorted(maps.Keys(either)) {
		full := strings.TrimPrefix(key+"."+name, ".")
		changed = append(changed, ChangedKeys(full, nowKeys[name], oldKeys[name])...) // nil if a mapping lacks the key
	}
	return changed
}
