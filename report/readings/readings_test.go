package readings

import (
	"bytes"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/stats/verdicts"
)

func sample() *Calibration {
	c := &Calibration{Title: "S", Parameters: []string{"coef", "type_level"}, Impossible: 2, Seen: 1, Held: 1,
		SeenWords: "n=200", Confirm: 20, Alpha: 0.05}
	for i := range 40 {
		c.Tried = append(c.Tried, Reading{Number: i, Stage: 1 + i%3,
			Distance: verdicts.Distance{Squared: 4 - 0.1*float64(i), SE: 0.2}, Failed: i == 7})
	}
	c.Targets = []Target{{"n=200", "NB", false, Number{0.3, 0.03}}, {"n=400", "NB", true, Number{0.25, 0.02}}}
	means := []Number{{0.31, 0.03}, {0.26, 0.02}}
	c.Finalists = []Finalist{
		{Number: 0, Values: []string{"", ""}, AtRangeEnd: []bool{false, false}, Searched: verdicts.Distance{Squared: 30,
			SE: 1}, HeldOut: verdicts.Distance{Squared: 25, SE: 1}, P: 1e-9,
			SearchedDiffer: 1, HeldOutDiffer: 1, SearchedCompared: 1, HeldOutCompared: 1, Means: means},
		{Number: 39, Values: []string{"0.5", "node"}, AtRangeEnd: []bool{true, false},
			Searched: verdicts.Distance{Squared: -0.02, SE: 0.1}, HeldOut: verdicts.Distance{Squared: 0.4,
				SE: 0.1}, P: 1, Kept: true, SearchedCompared: 1, HeldOutCompared: 1, HeldOutDiffer: 1, Means: means},
		{Number: 38, Values: []string{"0.6", "node"}, AtRangeEnd: []bool{false, false},
			Searched: verdicts.Distance{Squared: 0.1, SE: 0.1}, HeldOut: verdicts.Distance{Squared: 0.5,
				SE: 0.1}, P: 0.2, Kept: true, SearchedCompared: 1, HeldOutCompared: 1, Means: means},
	}
	return c
}

// The page names all kept readings and everything that was tried, and never only one reading.
func TestMarkdown(t *testing.T) {
	page, err := sample().Markdown("readings.png")
	if err != nil {
		t.Fatal(err)
	}
	texttest.Contains(t, page, "The search tried 40 readings", "The generator rejected 2 other combinations",
		"The 2 nearest readings and the study as it stands (reading 0) were measured again on 20 "+
			"fresh replicates of all 2 cells with printed numbers. 2 readings",
		"2 readings cannot be distinguished from the nearest one",
		"Welch's test at the family-wise level 0.05, with Holm's correction",
		"Bonferroni's correction over 2 comparisons",
		"1 of them reproduces the printed table: no mean is shown to differ", "| reading | 0 | 39 | 38 |",
		"| coef | · | 0.5<sup>a</sup> | 0.6 |", "<sup>a</sup> at an end of the range", "**0.00** (−0.02 ± 0.10)",
		"| n=400 | no | NB | 25.0 (2.0) | 26.0 (2.0) |", "does not show what the authors ran")
	none := sample()
	for i := range none.Finalists {
		none.Finalists[i].SearchedDiffer = 1
	}
	texttest.Contains(t, none.Findings(), "None of them reproduces the printed table")
	lost := sample() // three of the readings that were measured again failed
	lost.Finalists, lost.Failed = lost.Finalists[1:], []int{0, 14, 36}
	text := "The 4 nearest readings and the study as it stands (reading 0) were measured again on 20 fresh " +
		"replicates of all 2 cells with printed numbers. The distance of 3 readings (0, 14 and 36) on these cells " +
		"is unknown, because fits failed; "
	texttest.Contains(t, lost.Findings(), text)
	page, _ = lost.Markdown("")
	texttest.Contains(t, page, "| printed | reading 39 | reading 38 |")
}

// Without held-out cells, the picture does not show a distance over them.
func TestNothingHeldOut(t *testing.T) {
	c := sample()
	c.Held = 0
	for i := range c.Finalists {
		c.Finalists[i].HeldOut = verdicts.Distance{}
	}
	var b bytes.Buffer
	p := c.Picture()
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{c.caption(), b.String()} {
		texttest.Case(t, "a distance over held-out cells").Lacks(text, "held", "Left", "Right")
	}
}

// Every format is drawn, and a second drawing has the same bytes.
func TestPicture(t *testing.T) {
	for _, format := range []string{"svg", "png", "pdf"} {
		var a, b bytes.Buffer
		for _, w := range []*bytes.Buffer{&a, &b} {
			p := sample().Picture()
			if err := p.Write(w, format); err != nil {
				t.Fatal(err)
			}
		}
		if a.Len() < 2000 || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: %d and %d bytes", format, a.Len(), b.Len())
		}
	}
	for _, wrong := range fixture.Crowded(t, sample().Picture()) {
		t.Error(wrong)
	}
}
