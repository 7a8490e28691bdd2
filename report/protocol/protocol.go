package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// New returns the protocol of a study. It does not use the results in v.
func New(v *view.View, author Author, design Design) *Protocol {
	p := &Protocol{Title: v.Title, Source: v.Source}
	measures := measuresOf(design.Metrics)
	aims(p.add("Aims"), author)
	mechanisms(p.add("Data-generating mechanisms"), v, design)
	targets(p.add("Estimands and other targets"), v, measures)
	methods(p.add("Methods"), v)
	performance(p.add("Performance measures"), v, measures)
	comparisons(p.add("Comparisons"), v, design)
	replicates(p.add("Replicates"), v, author, measures)
	missingness(p.add("Missingness"), v, design)
	environment(p.add("Environment"), v)
	return p
}

func (p *Protocol) add(heading string) *section {
	s := &section{heading: heading}
	p.sections = append(p.sections, s)
	return s
}

// measuresOf returns the metrics with the given names. It omits times and memory, which are not
// estimands.
func measuresOf(names []string) (list []*metrics.Metric) {
	for _, name := range names {
		m, _ := metrics.Lookup(name) // known, because the study file is valid
		if !m.Measured() {
			list = append(list, m)
		}
	}
	return list
}

func aims(s *section, author Author) {
	if len(author.Aims) == 0 {
		s.text("Not stated: the study file has no ademp.aims.")
	}
	s.list(author.Aims)
}

// mechanisms fills the section on data-generating mechanisms.
func mechanisms(s *section, v *view.View, design Design) {
	s.text(designWords(v))
	s.list(stats.Map(v.Records.Factors, func(f records.Factor) string {
		return v.FactorLabel(f.Name) + ": " + v.LevelWords(f)
	}))
	generators := stats.Map(mergeVariants(v.Generators), func(g view.Component) string { return component(g, g.Name) })
	dataSets := stats.Map(v.Data, func(d view.Setting) string { return d.Name + ": " + d.Value })
	s.list(slices.Concat(generators, dataSets))
	s.blocks = append(s.blocks, block{table: cellSheet(v, design)})
	s.textf("The seed is %s. Each cell and replicate has its own random streams, which depend on the seed, "+
		"the definition of the cell and the number of the replicate. Results do not depend on the order of execution, "+
		"the machine's load or the rest of the study. In a replicate, all methods get the same training and test rows.",
		v.Seed)
	if len(design.Limits) > 0 {
		s.text("Whether a fit exceeds a limit of time or memory (see Missingness) is an exception: it depends on the " +
			"machine and its load.")
	}
	if len(design.Pair) > 0 {
		s.textf("Cells that differ only in %s use common random numbers instead: they have the same random streams. "+
			"If such cells have the same generator settings, they also have the same problems, and a smaller training "+
			"set consists of the first rows of each class of a larger one. If their test sizes are equal, too, they "+
			"have the same test rows.", view.And(v.FactorLabels(design.Pair)))
	}
}

// mergeVariants replaces generators that differ only in values of parameters with one generator that lists all values.
// It merges them only if all combinations of these values occur.
func mergeVariants(generators []view.Component) (merged []view.Component) {
	key := func(g view.Component) string {
		text := fmt.Sprintln(g.Name, g.Version, g.Summary, g.Software)
		for _, p := range g.Params {
			text += " " + p.Name
		}
		return text
	}
	for _, variants := range stats.Grouped(generators, key) {
		all, combinations := joinValues(variants)
		if combinations == len(variants) {
			variants = []view.Component{all}
		}
		merged = append(merged, variants...)
	}
	return merged
}

// joinValues returns a generator whose parameters list the values of all variants, such as "10 or 20".
func joinValues(variants []view.Component) (all view.Component, combinations int) {
	all, combinations = variants[0], 1
	all.Params = slices.Clone(all.Params)
	for j := range all.Params {
		var values []string
		for _, g := range variants {
			values = view.AddNew(values, cmp.Or(g.Params[j].Value, "none"))
		}
		if len(values) > 1 {
			all.Params[j].Value, all.Params[j].Default = strings.Join(values, " or "), false
		}
		combinations *= len(values)
	}
	return all, combinations
}

// designWords describes the design, as in "A full factorial design of 2 factors, 6 cells:".
func designWords(v *view.View) string {
	factors, cells := v.Records.Factors, len(v.Cells)
	if len(factors) == 0 {
		return "One cell: nothing varies."
	}
	combinations := 1
	for _, f := range factors {
		combinations *= len(f.Levels)
	}
	names := view.Plural(len(factors), "factor", "factors")
	if cells < combinations {
		return fmt.Sprintf("A partially factorial design of %s with %d of %d combinations:", names, cells, combinations)
	}
	return fmt.Sprintf("A full factorial design of %s, %s:", names, view.Plural(cells, "cell", "cells"))
}

// cellSheet returns a table of the cells with their data and numbers of rows.
func cellSheet(v *view.View, design Design) *sheet.Sheet {
	t := &sheet.Sheet{ID: "protocol-cells", Title: "Cells", Caption: "The data of one replicate in each cell."}
	cells := stats.Map(v.FitCells, func(c records.Cell) CellData { return design.Cells[c.ID] })
	isUnequal := func(c CellData) bool { return areUnequal(c.TrainCounts) || areUnequal(c.TestCounts) }
	if slices.ContainsFunc(cells, isUnequal) {
		t.Caption += " In parentheses: the rows of each class, if a generator draws unequal classes."
	}
	scored := "test rows"
	if v.ScoresTraining(view.Group{Cells: v.FitCells}) {
		scored = "scored rows" // including training rows
	}
	factors := v.FactorNames()
	t.Heads = append(sheet.TextHeads(append(v.FactorLabels(factors), "data")...),
		sheet.NumberHeads("training rows", scored)...)
	for i, c := range cells { // data of v.FitCells[i]
		levels := v.LevelLabels(factors, v.FitCells[i].Levels)
		entries := []sheet.Entry{sheet.Word(c.Data), rows(c.Train, c.TrainCounts), rows(c.Test, c.TestCounts)}
		t.Rows = append(t.Rows, sheet.Row{Heads: sheet.TextHeads(levels...), Cells: entries})
	}
	addTexts(t, "split", cells, func(c CellData) string { return c.Split })
	addTexts(t, "added noise", cells, func(c CellData) string { return c.Noise })
	return t
}

// addTexts adds a column with a text for each cell to a table of the cells, unless all texts are empty.
func addTexts(t *sheet.Sheet, head string, cells []CellData, text func(CellData) string) {
	if !slices.ContainsFunc(cells, func(c CellData) bool { return text(c) != "" }) {
		return
	}
	t.Heads = append(t.Heads, sheet.TextHeads(head)...)
	for i, c := range cells {
		t.Rows[i].Cells = append(t.Rows[i].Cells, sheet.Word(cmp.Or(text(c), "–")))
	}
}

// rows returns an entry with the number n of rows, or a dash for 0, which means unknown. Unequal numbers of
// rows of the classes follow, as in "100 (75 + 25)".
func rows(n int, classes []int) (e sheet.Entry) {
	if n == 0 {
		return sheet.Entry{Main: "–"}
	}
	e.Main = fmt.Sprint(n)
	if areUnequal(classes) {
		e.Spread = "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(classes), " ", " + "), "[]") + ")"
	}
	return e
}

// areUnequal reports whether the rows of the classes differ by more than one. A difference of one is
// unavoidable if the number of rows is not a multiple of the number of classes.
func areUnequal(classes []int) bool {
	return len(classes) > 0 && slices.Max(classes)-slices.Min(classes) > 1
}

// component describes a generator or classifier, as in "SLB (slb, version 2). Summary. Source. Parameters: k =
// 5 (default). Software: R 4.2.2."
func component(c view.Component, label string) string {
	sentences := []string{label}
	if c.Version != "" {
		sentences[0] += fmt.Sprintf(" (%s, version %s)", c.Name, c.Version)
	}
	for _, text := range []string{c.Summary, c.Source} {
		if text != "" {
			sentences = append(sentences, view.Capital(strings.TrimSuffix(text, ".")))
		}
	}
	params := stats.Map(c.Params, func(p view.Setting) string {
		word := p.Name + " = " + cmp.Or(p.Value, "none")
		if p.Default {
			word += " (default)"
		}
		return word
	})
	if params != nil {
		sentences = append(sentences, "Parameters: "+strings.Join(params, ", "))
	}
	versions := stats.Map(c.Software, func(s view.Setting) string { return s.Name + " " + s.Value })
	if versions != nil {
		sentences = append(sentences, "Software: "+strings.Join(versions, ", "))
	}
	return strings.Join(sentences, ". ") + "."
}

func methods(s *section, v *view.View) {
	s.list(stats.Map(v.Classifiers, func(c view.Component) string { return component(c, v.Label(c.ID)) }))
}
