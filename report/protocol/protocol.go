package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
)

// New writes down a study: a function of its file alone. Of the view's records
// the cells, factors and classifiers are read, no result.
func New(v *view.View, author Author, design Design) (*Protocol, error) {
	p := &Protocol{Title: v.Title, Source: v.Source}
	measures, err := measuresOf(design.Metrics)
	if err != nil {
		return nil, err
	}
	p.add("Aims", func(s *section) { aims(s, author) })
	p.add("Data-generating mechanisms", func(s *section) { mechanisms(s, v, design) })
	p.add("Estimands and other targets", func(s *section) { targets(s, v, measures) })
	p.add("Methods", func(s *section) { methods(s, v) })
	p.add("Performance measures", func(s *section) { performance(s, v, measures) })
	p.add("Comparisons", func(s *section) { comparisons(s, v, design.Families) })
	p.add("Replicates", func(s *section) { s.say("%s", author.Replicates); replicates(s, v) })
	p.add("Missingness", func(s *section) { missingness(s, v, design) })
	p.add("Environment", func(s *section) { environment(s, v) })
	return p, nil
}

func (p *Protocol) add(heading string, fill func(*section)) {
	s := section{heading: heading}
	fill(&s)
	p.sections = append(p.sections, s)
}

func measuresOf(names []string) ([]*metrics.Metric, error) {
	var list []*metrics.Metric
	for _, name := range names {
		m, err := metrics.Lookup(name)
		if err != nil {
			return nil, err
		}
		if !m.Measured() {
			list = append(list, m)
		}
	}
	return list, nil
}

func aims(s *section, author Author) {
	if len(author.Aims) == 0 {
		s.say("Not stated: the study file has no ademp.aims.")
	}
	s.list(author.Aims)
}

// mechanisms tells the design, what draws the data, and the sizes of every cell.
func mechanisms(s *section, v *view.View, design Design) {
	combinations := 1
	var factors []string
	for _, f := range v.Records.Factors {
		combinations *= len(f.Levels)
		var levels []string
		for _, l := range f.Levels {
			levels = append(levels, v.LevelLabel(f.Name, l))
		}
		factors = append(factors, fmt.Sprintf("%s: %s", v.FactorLabel(f.Name), strings.Join(levels, ", ")))
	}
	switch cells := len(v.Cells); {
	case len(factors) == 0:
		s.say("One cell: nothing varies.")
	case cells == combinations:
		s.say("A full factorial design of %s, %s:",
			view.Plural(len(factors), "factor", "factors"), view.Plural(cells, "cell", "cells"))
	default:
		s.say("A partially factorial design of %s, %d of %d combinations:",
			view.Plural(len(factors), "factor", "factors"), cells, combinations)
	}
	s.list(factors)
	var sources []string
	for _, g := range v.Generators {
		sources = append(sources, component(g, g.Name))
	}
	for _, d := range v.Data {
		sources = append(sources, d.Name+": "+d.Value)
	}
	s.list(sources)
	s.blocks = append(s.blocks, block{table: cellSheet(v, design)})
	s.say("The seed is %s. Each cell and replicate has random streams of its own, which follow from the seed, the "+
		"content of the cell and the number of the replicate: no result depends on the order of the work, on the "+
		"machine's load or on what else the study contains. All methods of a replicate see the same training and test "+
		"rows.", v.Seed)
}

// cellSheet lists the cells with their sizes.
func cellSheet(v *view.View, design Design) *sheet.Sheet {
	t := &sheet.Sheet{ID: "protocol-cells", Title: "Cells", Caption: "What one replicate of each cell draws."}
	for _, f := range v.Records.Factors {
		t.Heads = append(t.Heads, sheet.Head{Label: v.FactorLabel(f.Name), Text: true})
	}
	noisy := slices.ContainsFunc(design.Cells, func(c Cell) bool { return c.Noise != "" })
	split := slices.ContainsFunc(design.Cells, func(c Cell) bool { return c.Split != "" })
	t.Heads = append(t.Heads, sheet.Head{Label: "data", Text: true}, sheet.Head{Label: "training rows"},
		sheet.Head{Label: "test rows"})
	if split {
		t.Heads = append(t.Heads, sheet.Head{Label: "split", Text: true})
	}
	if noisy {
		t.Heads = append(t.Heads, sheet.Head{Label: "noise", Text: true})
	}
	for i, c := range v.Trials {
		row := sheet.Row{}
		for _, label := range v.LevelLabels(v.FactorNames(), c.Levels) {
			row.Heads = append(row.Heads, sheet.Head{Label: label, Text: true})
		}
		d := design.Cells[i]
		row.Cells = append(row.Cells, sheet.Entry{Main: d.Data, Text: true}, sheet.Entry{Main: rows(d.Train)},
			sheet.Entry{Main: rows(d.Test)})
		if split {
			row.Cells = append(row.Cells, sheet.Entry{Main: cmp.Or(d.Split, "–"), Text: true})
		}
		if noisy {
			row.Cells = append(row.Cells, sheet.Entry{Main: cmp.Or(d.Noise, "–"), Text: true})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func rows(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// component describes a generator or classifier with its parameters.
func component(c view.Component, name string) string {
	text := name
	if c.Version > 0 {
		text += fmt.Sprintf(" (%s, version %d)", c.Name, c.Version)
	}
	for _, more := range []string{c.Summary, c.Source} {
		if more = strings.TrimSuffix(more, "."); more != "" {
			text += ". " + view.Capital(more)
		}
	}
	var set []string
	for _, p := range c.Params {
		word := p.Name + " = " + cmp.Or(p.Value, "none")
		if p.Default {
			word += " (default)"
		}
		set = append(set, word)
	}
	if len(set) > 0 {
		text += ". Parameters: " + strings.Join(set, ", ")
	}
	return text + "."
}

func methods(s *section, v *view.View) {
	var list []string
	for _, c := range v.Classifiers {
		list = append(list, component(c, v.Label(c.ID)))
	}
	s.list(list)
}
