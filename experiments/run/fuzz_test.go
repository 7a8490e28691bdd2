package run

import (
	"fmt"
	"testing"
)

// A text is a shard only if the index is from 1 to the count, and formatting the shard gives the same text.
func FuzzParseShard(f *testing.F) {
	for _, text := range []string{"1/1", "3/8", "0/2", "3/2", "-1/-1", "1/9999999999999999999", "01/2", "1/2/3",
		" 1/2", "1/2 ", "", "3", "1/0", "-1/3", "a/b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseShard(text); err == nil &&
			(s.Index < 1 || s.Index > s.Count || fmt.Sprintf("%d/%d", s.Index, s.Count) != text) {
			t.Fatalf("%q is %+v", text, s)
		}
	})
}
