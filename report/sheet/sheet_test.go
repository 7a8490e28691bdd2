package sheet

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// A remark stands below the footnotes of every layout, without a number.
func TestRemarks(t *testing.T) {
	s := &Sheet{ID: "t", Title: "T", Notes: []string{"a note"}, Remarks: []string{"50 % of a & b"}}
	for name, layout := range map[string]struct {
		render func(io.Writer) error
		want   string
	}{
		"markdown": {s.Markdown, "\n\n50 % of a &amp; b\n"},
		"latex":    {s.Latex, `{\footnotesize 50 \% of a \& b}`},
		"html":     {s.HTML, `<p class="remark">50 % of a &amp; b</p>`},
	} {
		var b strings.Builder
		if err := layout.render(&b); err != nil {
			t.Fatal(err)
		}
		note, remark := strings.Index(b.String(), "a note"), strings.Index(b.String(), layout.want)
		if note < 0 || remark < note {
			t.Errorf("%s:\n%s\nwant the note, then %q", name, b.String(), layout.want)
		}
	}
}

func TestSafeName(t *testing.T) {
	for name, want := range map[string]string{"a b/../c": "a_b_.._c", "jmlr2020-table1": "jmlr2020-table1", "é=1": "_=1"} {
		if got := SafeName(name); got != want || slices.Contains(strings.Split(got, ""), "/") {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
