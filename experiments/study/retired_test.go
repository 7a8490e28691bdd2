package study

import (
	"strings"
	"testing"
)

// Keys of the last release give an error that names the replacement.
func TestRetiredKeys(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 2\ndata: {generator: {name: forest, d: 3}, train: {n: 9}, test: " +
		"{n: 9}}\nclassifiers: [nb]\n"
	for _, c := range []struct{ old, now, want string }{
		{"seed: 1", "seed: 1\nisolate: true", "study.yaml:3:1: isolate: is not a key: built-in classifiers " +
			"run inside copse"},
		{"replicates: 2", "replicates: {min: 4, max: 9, batch: 2, until: " +
			"{mcse_difference: 0.02}}", "study.yaml:3:13: replicates: copse no longer has stopping rules"},
		{"seed: 1", "seed: 1\nmemory_limit: 2", "memory_limit: want a number with a unit, such as `800MB` " +
			"or `1.5GiB`, got 2"},
		{"seed: 1", "seed: 1\nmemory_limit: 2GB", "memory_limit: limits the memory of external programs, " +
			"but this study has none"},
	} {
		_, err := Parse("study.yaml", []byte(strings.Replace(text, c.old, c.now, 1)), nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.now, err)
		}
	}
	if _, err := Parse("study.yaml", []byte(text), nil, nil); err != nil {
		t.Error(err)
	}
}
