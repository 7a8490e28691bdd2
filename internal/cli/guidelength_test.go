package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// guideWords is the largest number of words of a chapter of the guide, without code, tables and
// headings. Details belong to the reference.
const guideWords = 900

// Every chapter of the guide can be read in a few minutes.
func TestGuideChaptersAreShort(t *testing.T) {
	chapters, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil || len(chapters) == 0 {
		t.Fatalf("no chapters: %v", err)
	}
	for _, chapter := range chapters {
		text := filetest.Read(t, chapter)
		words := 0
		for line := range strings.Lines(codeBlock.ReplaceAllString(text, "")) {
			if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "#") {
				words += len(strings.Fields(line))
			}
		}
		if words > guideWords {
			t.Errorf("%s has %d words, at most %d; move details to the reference", filepath.Base(chapter), words,
				guideWords)
		}
	}
}
