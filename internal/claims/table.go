package claims

import (
	"cmp"
	"fmt"
	"strings"
)

// Table returns a Markdown table with the findings about a paper.
func Table(p *Paper, findings []*Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", p.Source)
	b.WriteString("| section | claim | statistic | our count | printed count | verdict |\n" +
		"|---|---|---|---:|---:|---|\n")
	for _, f := range findings {
		fmt.Fprintf(&b, "| %s | %s ([%s](../results/%s)) | %s | %s | %s | %s |\n", f.Section, f.Text,
			strings.TrimPrefix(f.Study, p.Name+"-"), f.Study, f.criterion(), f.ours(), f.printed(), f.Verdict())
	}
	return b.String()
}

// ours returns the number of cells with the claimed property, as in "12 of 16 (2 without results)".
// For a pooled claim, it returns the lead, as in "by 1.2 points".
func (f *Finding) ours() string {
	text := fmt.Sprintf("%d of %d", f.Ours, f.Cells)
	if f.Pool {
		text = fmt.Sprintf("by %.1f points", 100*f.Lead)
	}
	if f.Without > 0 {
		text += fmt.Sprintf(" (%d without results)", f.Without)
	}
	return strings.ReplaceAll(text, "-", "−")
}

// printed returns the count that the paper states. If the paper's means imply another count, it adds
// this count, as in "4 of 4 (printed means: 3 of 4)".
func (f *Finding) printed() string {
	counted := fmt.Sprintf("%d of %d", f.Theirs, f.Means)
	switch {
	case f.Means == 0:
		return cmp.Or(f.Printed, "–")
	case f.Printed == "":
		return "printed means: " + counted
	case f.Printed == counted:
		return counted
	}
	return fmt.Sprintf("%s (printed means: %s)", f.Printed, counted)
}

// Replace replaces the table in a document between the lines <!-- claims NAME --> and <!-- end of
// claims NAME -->.
func Replace(document string, p *Paper, table string) (string, error) {
	begin, end := fmt.Sprintf("<!-- claims %s -->\n", p.Name), fmt.Sprintf("<!-- end of claims %s -->", p.Name)
	before, rest, ok := strings.Cut(document, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the document needs the lines %q and %q around the table of claims", begin, end)
	}
	return before + begin + table + end + after, nil
}
