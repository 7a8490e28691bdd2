// Package spelling suggests names for misspelt words.
package spelling

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// equivalents is a table of names. Each line contains a name that copse uses, followed by the names
// of the same thing in other software. These other names have the form that the function normalised
// returns.
//
//go:embed equivalents.txt
var equivalents string

// DidYouMean returns a clause for a message about a misspelt word, such as `; did you mean
// "forest"?`.
//
// If no candidate is similar, the clause lists all candidates. The clause is empty if there are no
// candidates.
func DidYouMean(word string, candidates []string) string {
	if len(candidates) == 0 {
		return ""
	}
	if nearest := Nearest(word, candidates); nearest != "" {
		return fmt.Sprintf("; did you mean %q?", nearest)
	}
	return "; choose one of: " + strings.Join(candidates, ", ")
}

// minPrefix is the smallest number of letters that Nearest accepts as the beginning of a name.
const minPrefix = 3

// Nearest returns the candidate that is nearest to a word. The result is "" if no candidate is
// near. Case is ignored.
//
// Nearest prefers a candidate that has the word as its name in other software (see equivalents),
// then the first candidate that begins with the word, and then the smallest edit distance.
//
// For a word of one or two letters, it considers only candidates without other letters.
func Nearest(word string, candidates []string) string {
	if name := equivalent(word, candidates); name != "" {
		return name
	}
	word = strings.ToLower(word)
	isShort := len(word) < minPrefix
	limit := max(len(word)/3, 1) // the largest accepted edit distance
	best, bestDistance := "", limit+1
	for _, c := range candidates {
		lower := strings.ToLower(c)
		if !isShort && strings.HasPrefix(lower, word) {
			return c
		}
		hasOtherLetters := strings.Trim(lower, word) != "" // Trim removes the letters of word
		if isShort && hasOtherLetters {
			continue // a single edit would turn a short word into almost any short name
		}
		if distance := editDistance(word, lower); distance < bestDistance {
			best, bestDistance = c, distance
		}
	}
	return best
}

// equivalent returns the candidate for a name from other software: the normalised name, or its
// equivalent in the table, or "".
func equivalent(foreign string, candidates []string) string {
	foreign = normalised(foreign)
	if slices.Contains(candidates, foreign) {
		return foreign
	}
	for line := range strings.Lines(equivalents) {
		words := strings.Fields(line)
		if slices.Contains(candidates, words[0]) && slices.Contains(words[1:], foreign) {
			return words[0]
		}
	}
	return ""
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

// normalised returns a name in lower case without separators. It also removes the suffix "Classifier",
// which scikit-learn uses, and the prefix "classif.", which mlr3 uses.
func normalised(name string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "classif.")
	return strings.TrimSuffix(separators.Replace(name), "classifier")
}

// editDistance returns the smallest number of edits that turn a into b. An edit inserts, deletes or
// replaces a byte, or swaps two adjacent bytes (optimal string alignment distance).
func editDistance(a, b string) int {
	distance := make([][]int, len(a)+1) // distance[i][j] is between a[:i] and b[:j]
	for i := range distance {
		distance[i] = make([]int, len(b)+1)
		for j := range distance[i] {
			if i == 0 || j == 0 {
				distance[i][j] = i + j
				continue
			}
			replaced := distance[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			distance[i][j] = min(replaced, distance[i-1][j]+1, distance[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				distance[i][j] = min(distance[i][j], distance[i-2][j-2]+1)
			}
		}
	}
	return distance[len(a)][len(b)]
}
