package experiments

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// A ConfigError is one mistake in a study file or on the command line.
type ConfigError struct {
	Origin string // file, or the flag that set the value
	Line   int    // 1-based; 0 when the value came from a flag
	Column int
	Path   string // dotted path of the key, such as data.generator.edge_prob
	Msg    string
	cause  error // what the system said, if it was asked
}

func (e *ConfigError) Unwrap() error { return e.cause }

func (e *ConfigError) Error() string {
	var b strings.Builder
	b.WriteString(e.Origin)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	if e.Path != "" {
		b.WriteString(": " + e.Path)
	}
	b.WriteString(": " + e.Msg)
	if e.cause != nil {
		b.WriteString(": " + e.cause.Error())
	}
	return b.String()
}

// ErrConfig is matched by every error that a mistake in a study file or on the
// command line caused.
var ErrConfig = errors.New("bad configuration")

func (e *ConfigError) Is(target error) bool { return target == ErrConfig }

// configErrors are all mistakes of one file, in the order of its lines, each
// once.
type configErrors []error

func (list configErrors) Unwrap() []error { return list }

func (list configErrors) Error() string {
	lines := make([]string, len(list))
	for i, err := range list {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted returns the errors by line without repetitions, nil when there are
// none: a fault in a level turns up once per cell.
func (list configErrors) sorted() error {
	if len(list) == 0 {
		return nil
	}
	sort.SliceStable(list, func(i, j int) bool {
		var a, b *ConfigError
		if !errors.As(list[i], &a) || !errors.As(list[j], &b) {
			return false
		}
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(err error) bool {
		again := seen[err.Error()]
		seen[err.Error()] = true
		return again
	})
}

// didYouMean returns a clause that names the candidate nearest to word, or
// lists all candidates when none is near.
func didYouMean(word string, candidates []string) string {
	best, bestDistance := "", 1+max(len(word), 3)/2
	for _, c := range candidates {
		if distance := editDistance(strings.ToLower(word), strings.ToLower(c)); distance < bestDistance {
			best, bestDistance = c, distance
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; did you mean %q?", best)
	case len(candidates) == 0:
		return ""
	}
	return "; it is one of: " + strings.Join(candidates, ", ")
}

// editDistance is Levenshtein's: the fewest insertions, deletions and
// substitutions of bytes that turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// join appends a key to a dotted path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// describe names a node's kind for error messages.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!bool":
		return "the truth value " + n.Value
	}
	return fmt.Sprintf("the text %q", n.Value)
}
