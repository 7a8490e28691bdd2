package report

import (
	"fmt"
	"io"
)

// markdown writes the condensed tables in the open and every number folded.
func (c *comparison) markdown(w io.Writer) error {
	fmt.Fprintf(w, "# %s: ours and published\n\n", md(c.Title))
	sheets := c.sheets()
	for i, s := range sheets {
		if i == len(sheets)-1 {
			fmt.Fprint(w, "<details><summary>Every number</summary>\n\n")
		}
		if err := s.markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, missing := range c.Missing {
		fmt.Fprintf(w, "- without a counterpart: %s\n", md(missing))
	}
	_, err := fmt.Fprint(w, "\n</details>\n")
	return err
}

func (c *comparison) latex(w io.Writer) error {
	sheets := c.sheets()
	for _, s := range sheets[:len(sheets)-1] {
		if err := s.latex(w); err != nil {
			return err
		}
	}
	return sheets[len(sheets)-1].latexLong(w)
}

func (c *comparison) html(w io.Writer) error {
	for _, s := range c.sheets() {
		if err := s.html(w); err != nil {
			return err
		}
	}
	return nil
}
