package config

import (
	"regexp"

	"copse/stats/spelling"
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// NameRule states which names ValidName accepts, for error messages.
const NameRule = "use letters, digits, '.', '_' and '-', and begin with a letter or digit"

// ValidName reports whether text is a valid name for a study, a factor or a classifier. Such names become
// parts of file names.
func ValidName(text string) bool { return namePattern.MatchString(text) }

// DidYouMean calls spelling.DidYouMean.
func DidYouMean(word string, candidates []string) string {
	return spelling.DidYouMean(word, candidates)
}

// Nearest calls spelling.Nearest.
func Nearest(word string, candidates []string) string { return spelling.Nearest(word, candidates) }
