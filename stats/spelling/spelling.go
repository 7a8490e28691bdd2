// Package spelling suggests names for misspelt words.
package spelling

import (
	"fmt"
	"strings"
)

// DidYouMean returns a clause with the candidate nearest to word, or with all candidates if none is
// near; "" without candidates.
func DidYouMean(word string, candidates []string) string {
	switch nearest := Nearest(word, candidates); {
	case nearest != "":
		return fmt.Sprintf("; did you mean %q?", nearest)
	case len(candidates) == 0:
		return ""
	}
	return "; it is one of: " + strings.Join(candidates, ", ")
}

// Nearest returns the candidate that begins with word, else the one with the smallest edit
// distance to it; "" if none is near.
func Nearest(word string, candidates []string) string {
	const shortest = 3 // letters of a beginning
	best, bestDistance := "", 1+max(len(word), 3)/2
	for _, c := range candidates {
		if len(word) >= shortest && strings.HasPrefix(strings.ToLower(c), strings.ToLower(word)) {
			return c
		}
		if distance := editDistance(strings.ToLower(word), strings.ToLower(c)); distance < bestDistance {
			best, bestDistance = c, distance
		}
	}
	return best
}

// editDistance returns the Levenshtein distance: the smallest number of insertions, deletions and
// substitutions of bytes that turn a into b. After i steps of the loop, row[j] is the distance of
// a[:i] and b[:j].
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
