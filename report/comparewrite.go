package report

import (
	"fmt"
	"io"
	"maps"

	"copse/stats/records"
)

// WriteComparison writes the tables and figures of one comparison under
// dir and returns the paths it wrote and the verdict in words.
func WriteComparison(dir string, study Study, records *records.Records, o Comparison, formats []string) (paths []string, verdict string, err error) {
	all, err := readOutputs(dir)
	if err != nil {
		return nil, "", err
	}
	w := writer{dir: dir, written: outputs{}}
	s := newSource(study, records, DefaultInference())
	c, err := s.compare(o)
	if err != nil {
		return nil, "", err
	}
	if _, err = c.write(&w, formats); err != nil {
		return w.paths, "", err
	}
	maps.Copy(all, w.written)
	return w.paths, c.summary(), all.write(dir)
}

// write writes all files of a comparison and returns its drawings.
func (c *comparison) write(w *writer, formats []string) ([]drawnFigure, error) {
	for _, layout := range []struct {
		extension string
		render    func(io.Writer) error
	}{{"md", c.markdown}, {"csv", c.csv}, {"tex", c.latex}, {"html", c.html}} {
		if err := w.file("tables/"+c.Name+"."+layout.extension, layout.render); err != nil {
			return nil, err
		}
	}
	pictures, err := c.pictures()
	if err != nil {
		return nil, err
	}
	var drawn []drawnFigure
	for _, p := range pictures {
		d := drawnFigure{kind: "comparison", picture: p, of: c}
		if err := w.picture(&d, formats); err != nil {
			return nil, err
		}
		drawn = append(drawn, d)
	}
	return drawn, nil
}

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
