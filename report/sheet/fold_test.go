package sheet_test

import (
	"strings"
	"testing"

	"copse/report/sheet"
)

// Lines break between words, as late as possible.
func TestWordsAreNotBroken(t *testing.T) {
	const text = "Marked *: no significant difference from the smallest mean, " +
		"an-unbreakable-word-of-45-columns-that-has-to-be fünf.\n"
	for _, columns := range []int{1, 10, 40, 60, 200} {
		folded := sheet.Fold(text, columns)
		if strings.Join(strings.Fields(folded), " ")+"\n" != text {
			t.Errorf("%d columns: %q", columns, folded)
		}
		lines := strings.Split(strings.TrimSuffix(folded, "\n"), "\n")
		for i, line := range lines {
			if len([]rune(line)) > columns && strings.Contains(line, " ") {
				t.Errorf("%q is wider than %d columns", line, columns)
			}
			if i > 0 {
				first, _, _ := strings.Cut(line, " ")
				if len([]rune(lines[i-1]))+1+len([]rune(first)) <= columns {
					t.Errorf("%d columns: %q had room for %q", columns, lines[i-1], first)
				}
			}
		}
	}
	if sheet.Fold(text, 0) != text {
		t.Error("of any width: not as it was")
	}
}

// Text that does not fit continues below its column. Commands are not broken, so that they can be copied.
func TestFoldKeepsColumnsAndCommands(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"train    rows of the training set\ntest     few\n", "train    rows of the\n         training set\ntest     " +
			"few\n"},
		{"  - rows of the training set\n", "  - rows of the\n  training set\n"},
		{"a column that is too long  for its half\n", "a column that is too\nlong  for its half\n"},
		{"to go on in this folder: copse run study.yaml --out 'a b'\n",
			"to go on in this\nfolder:\ncopse run study.yaml --out 'a b'\n"},
		{"  copse run configs/quickstart.yaml\nend of the whole text", "  copse run configs/quickstart.yaml\nend of " +
			"the whole text"},
		{"key  2  a-word-of-18-letters of it\n", "key  2\na-word-of-18-letters\nof it\n"},
		{"end without a line's end", "end without a line's\nend"},
	} {
		if got := sheet.Fold(c.text, 22); got != c.want {
			t.Errorf("%q is folded to\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}
