// Package readings prints what a calibration found: the readings that cannot be told
// apart, beside all that were tried.
package readings

import (
	"fmt"
	"strings"

	"copse/report/sheet"
	"copse/stats/verdicts"
)

// A Reading that was tried.
type Reading struct {
	Number   int
	Stage    int               // the last that measured it
	Distance verdicts.Distance // from the printed numbers
	Failed   bool              // it has none
}

// A Finalist is a reading on fresh replicates.
type Finalist struct {
	Number                 int
	Values                 []string // of the parameters; "": as the study has it
	AtEnd                  []bool   // of Values: at an end of the parameter's range
	Seen, Held             verdicts.Distance
	P                      float64
	Kept                   bool
	SeenDiffer, HeldDiffer int // numbers that are shown to differ from print
	SeenAll, HeldAll       int // of so many
	Means                  []Number
}

// A Number is a mean error with its standard deviation, as shares.
type Number struct{ Mean, SD float64 }

// A Target is a printed number.
type Target struct {
	Cell, Classifier string // in words
	Held             bool
	Number
}

// A Calibration is what is printed.
type Calibration struct {
	Title, Source string
	Parameters    []string
	Tried         []Reading
	Impossible    int
	Seen, Held    int // cells
	SeenWords     string
	Confirm       int // fresh replicates
	Alpha         float64
	Correction    string     // of the tests of single numbers
	Finalists     []Finalist // reading 0 first, then the nearest first
	Targets       []Target
}

// kept are the finalists that cannot be told apart.
func (c *Calibration) kept() (list []Finalist) {
	for _, f := range c.Finalists {
		if f.Kept {
			list = append(list, f)
		}
	}
	return list
}

// Findings says in sentences what was found.
func (c *Calibration) Findings() string {
	kept := c.kept()
	var b strings.Builder
	fmt.Fprintf(&b, "%d readings were tried, all of them on the %d cells that the search may look at (%s); %d "+
		"proposals were impossible. %s measured again on %d fresh replicates of all %d cells.",
		len(c.Tried), c.Seen, c.SeenWords, c.Impossible, c.again(), c.Confirm, c.Seen+c.Held)
	if len(kept) == 0 {
		b.WriteString(" None has a distance.")
		return b.String()
	}
	plural := "reading cannot"
	if len(kept) > 1 {
		plural = "readings cannot"
	}
	fmt.Fprintf(&b, " %d %s be told apart from the nearest (itself included): one-sided t tests on paired jackknife "+
		"values of the squared distance, family-wise level %v, Bonferroni over %d comparisons.",
		len(kept), plural, c.Alpha, len(c.Finalists)-1)
	reproduced := 0
	for _, f := range kept {
		if f.SeenDiffer+f.HeldDiffer == 0 {
			reproduced++
		}
	}
	if reproduced == 0 {
		b.WriteString(" None of them gives the printed table: each has numbers whose means are shown to differ from " +
			"print.")
	} else {
		fmt.Fprintf(&b, " Of %d of them no number's mean is shown to differ from print.", reproduced)
	}
	return b.String()
}

// again says which readings have a distance on the fresh replicates.
func (c *Calibration) again() string {
	if len(c.Finalists) > 0 && c.Finalists[0].Number == 0 {
		return fmt.Sprintf("The %d nearest and the study as it stands (reading 0) were", len(c.Finalists)-1)
	}
	return fmt.Sprintf("The %d nearest were, without the study as it stands (reading 0), which has no distance there,",
		len(c.Finalists))
}

const definition = "Distance: root of the mean, over the printed numbers, of the squared difference of means plus " +
	"that of standard deviations (made unbiased by c4, as under normality), in printed standard deviations, less " +
	"what chance contributes; in parentheses the squared distance and its Monte-Carlo (jackknife) standard error."

// table has a column for each finalist.
func (c *Calibration) table() *sheet.Sheet {
	s := &sheet.Sheet{ID: "readings", Title: "Readings", Caption: definition +
		fmt.Sprintf(" Bold: cannot be told apart from the nearest; p is adjusted. Differ: numbers whose mean is "+
			"shown to differ from print, of so many (Welch's test beyond rounding, family-wise level as the study's "+
			"published section has it, %s over all numbers of a reading). A dot: as the study has it.",
			c.Correction),
		Heads: []sheet.Head{{Label: "reading", Text: true}}}
	for _, f := range c.Finalists {
		s.Heads = append(s.Heads, sheet.Head{Label: fmt.Sprint(f.Number)})
	}
	row := func(label string, entry func(*Finalist) sheet.Entry) {
		r := sheet.Row{Heads: []sheet.Head{{Label: label, Text: true}}}
		for i := range c.Finalists {
			r.Cells = append(r.Cells, entry(&c.Finalists[i]))
		}
		s.Rows = append(s.Rows, r)
	}
	for i, name := range c.Parameters {
		row(name, func(f *Finalist) sheet.Entry {
			if f.Values[i] == "" {
				return sheet.Entry{Main: "·"}
			}
			e := sheet.Entry{Main: f.Values[i]}
			if f.AtEnd[i] {
				s.Notes, e.Note = []string{"at an end of the range that the study names: a wider one, where it makes " +
					"sense, may hold nearer readings"}, 1
			}
			return e
		})
	}
	row("distance, looked at", func(f *Finalist) sheet.Entry { return distanceEntry(f.Seen, f.SeenAll, f.Kept) })
	row("distance, held out", func(f *Finalist) sheet.Entry { return distanceEntry(f.Held, f.HeldAll, false) })
	row("p", func(f *Finalist) sheet.Entry { return sheet.Entry{Main: strings.TrimPrefix(sheet.PValue(f.P), "= ")} })
	row("differ, looked at", func(f *Finalist) sheet.Entry { return share(f.SeenDiffer, f.SeenAll) })
	row("differ, held out", func(f *Finalist) sheet.Entry { return share(f.HeldDiffer, f.HeldAll) })
	return s
}

func distanceEntry(d verdicts.Distance, of int, bold bool) sheet.Entry {
	if of == 0 {
		return sheet.Entry{Main: "–"}
	}
	spread := fmt.Sprintf("(%s ± %s)", sheet.Fixed(d.Squared, 2), sheet.Fixed(d.SE, 2))
	return sheet.Entry{Main: sheet.Fixed(d.RMS(), 2), Spread: spread, Bold: bold}
}

func share(k, n int) sheet.Entry {
	if n == 0 {
		return sheet.Entry{Main: "–"}
	}
	return sheet.Entry{Main: fmt.Sprintf("%d of %d", k, n)}
}

// widest is the number of readings beside print.
const widest = 5

// numbers sets the nearest readings that are kept, and reading 0, beside print.
func (c *Calibration) numbers() *sheet.Sheet {
	shown := c.Finalists[:1]
	for _, f := range c.kept() {
		if f.Number != 0 && len(shown) <= widest {
			shown = append(shown[:len(shown):len(shown)], f)
		}
	}
	s := &sheet.Sheet{ID: "numbers", Title: "Numbers", Caption: "Test error (%): mean (standard deviation), in print " +
		"and under reading 0 and the nearest of those that are kept.",
		Heads: []sheet.Head{{Label: "cell", Text: true}, {Label: "looked at", Text: true},
			{Label: "classifier", Text: true}, {Label: "print"}}}
	for _, f := range shown {
		s.Heads = append(s.Heads, sheet.Head{Label: fmt.Sprintf("reading %d", f.Number)})
	}
	for i, t := range c.Targets {
		looked := "yes"
		if t.Held {
			looked = "no"
		}
		row := sheet.Row{Cells: []sheet.Entry{{Main: t.Cell}, {Main: looked}, {Main: t.Classifier}, number(t.Number)}}
		for _, f := range shown {
			if i < len(f.Means) {
				row.Cells = append(row.Cells, number(f.Means[i]))
			} else {
				row.Cells = append(row.Cells, sheet.Entry{Main: "–"})
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func number(n Number) sheet.Entry {
	return sheet.Entry{Main: sheet.Fixed(100*n.Mean, 1), Spread: "(" + sheet.Fixed(100*n.SD, 1) + ")"}
}

// Markdown is the whole page.
func (c *Calibration) Markdown(picture string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", c.Title)
	if c.Source != "" {
		fmt.Fprintf(&b, "%s.\n\n", strings.TrimSuffix(c.Source, "."))
	}
	fmt.Fprintf(&b, "%s\n\nThe readings were chosen on printed numbers: one that is near describes the table and is "+
		"no evidence of what was run.\n\n![%s](%s)\n\n%s\n\n",
		c.Findings(), sheet.EscapeMarkdown(c.Title), picture, caption())
	for _, s := range []*sheet.Sheet{c.table(), c.numbers()} {
		if err := s.Markdown(&b); err != nil {
			return "", err
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
