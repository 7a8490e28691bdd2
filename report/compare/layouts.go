package compare

import (
	"fmt"
	"io"

	"copse/report/sheet"
)

// Markdown writes the tables. A collapsed section contains the table of all numbers and the
// published rows without results.
func (c *Comparison) Markdown(w io.Writer) error {
	fmt.Fprintf(w, "# %s: our results and the published ones\n\n", sheet.EscapeMarkdown(c.Title))
	for _, s := range c.SummarySheets() {
		if err := s.Markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "<details><summary>Every number</summary>\n\n")
	if err := c.NumberSheet().Markdown(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, missing := range c.Missing {
		fmt.Fprintf(w, "- without a counterpart: %s\n", sheet.EscapeMarkdown(missing))
	}
	_, err := fmt.Fprint(w, "\n</details>\n")
	return err
}

// Latex writes all tables.
func (c *Comparison) Latex(w io.Writer) error {
	return sheet.Latex(w, c.Sheets())
}

// HTML writes all tables as HTML fragments.
func (c *Comparison) HTML(w io.Writer) error {
	for _, s := range c.Sheets() {
		if err := s.HTML(w); err != nil {
			return err
		}
	}
	return nil
}
