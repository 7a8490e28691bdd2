package config

import (
	"fmt"
	"regexp"
	"slices"

	"copse/stats/spelling"
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// NameRule states which names ValidName accepts, for error messages.
const NameRule = "use letters, digits, '.', '_' and '-', and begin with a letter or digit"

// ValidName reports whether text is a valid name for a study, a factor or a classifier, which may
// become part of a file name.
func ValidName(text string) bool { return namePattern.MatchString(text) }

// DidYouMean calls spelling.DidYouMean.
func DidYouMean(word string, candidates []string) string {
	return spelling.DidYouMean(word, candidates)
}

// Nearest calls spelling.Nearest.
func Nearest(word string, candidates []string) string { return spelling.Nearest(word, candidates) }

// CheckAmong reports a name that is not among the known names. The message begins with the argument
// unknown, such as "the study has no factor".
func (p Place) CheckAmong(unknown, name string, known []string) {
	if !slices.Contains(known, name) {
		p.Fail("%s %q%s", unknown, name, DidYouMean(name, known))
	}
}

// withoutSpace matches the text in place of a key if the space after the colon is missing, or if the colon is
// an equals sign.
var withoutSpace = regexp.MustCompile(`^([\w-]+)(:| *=)`)

// MeantKey returns the known key that is most similar to an unknown key, or "". The hint ends an
// error message: it suggests a correction, or lists the known keys.
func MeantKey(unknown string, known []string) (key, hint string) {
	if parts := withoutSpace.FindStringSubmatch(unknown); parts != nil && slices.Contains(known, parts[1]) {
		return parts[1], fmt.Sprintf("; put a colon and a space after `%s`", parts[1])
	}
	return Nearest(unknown, known), DidYouMean(unknown, known)
}
