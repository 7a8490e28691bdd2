// Package spelling suggests the names that were meant.
package spelling

import (
	"fmt"
	"strings"
)

// DidYouMean returns a clause that names the candidate nearest to word, or
// lists all candidates when none is near.
func DidYouMean(word string, candidates []string) string {
	switch nearest := Nearest(word, candidates); {
	case nearest != "":
		return fmt.Sprintf("; did you mean %q?", nearest)
	case len(candidates) == 0:
		return ""
	}
	return "; it is one of: " + strings.Join(candidates, ", ")
}

// Nearest is the candidate that is misspelt as word; "": none.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", 1+max(len(word), 3)/2
	for _, c := range candidates {
		if distance := editDistance(strings.ToLower(word), strings.ToLower(c)); distance < bestDistance {
			best, bestDistance = c, distance
		}
	}
	return best
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
