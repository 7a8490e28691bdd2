package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
)

// A Layout says which tables and figures a study prints. Its fields carry the
// tags that generators.Generator describes; a study file's `report` section is
// decoded over DefaultLayout, each table over DefaultTable, each figure over
// DefaultFigure.
type Layout struct {
	Tables  []table.Options  `param:"tables" doc:"tables, in order"`
	Figures []figure.Options `param:"figures" doc:"figures, in order"`
	Formats []string         `param:"formats" doc:"file formats of figures" enum:"svg,png,pdf"`

	Labels map[string]string `param:"labels" doc:"what readers see of factors and levels; factor: words, or factor=level: words"`

	Inference view.Inference // the study file's section of that name
}

// DefaultLayout is one table of everything and no figure.
func DefaultLayout() Layout {
	return Layout{Tables: []table.Options{table.Defaults()}, Formats: canvas.Formats, Inference: view.DefaultInference()}
}

// relabel gives factors and levels the study's own words.
func (l *Layout) relabel(study view.Study) (view.Study, error) {
	study.Factors = slices.Clone(study.Factors)
	for _, key := range slices.Sorted(maps.Keys(l.Labels)) {
		name, level, ofLevel := strings.Cut(key, "=")
		i := slices.IndexFunc(study.Factors, func(f view.Factor) bool { return f.Name == name })
		if i < 0 {
			return study, fmt.Errorf("labels: %q: the study has no factor %q", key, name)
		}
		f := &study.Factors[i]
		if !ofLevel {
			f.Label = l.Labels[key]
			continue
		}
		k := slices.IndexFunc(f.Levels, func(known view.Level) bool { return known.Name == level })
		if k < 0 {
			return study, fmt.Errorf("labels: %q: factor %q has no level %q", key, name, level)
		}
		f.Levels = slices.Clone(f.Levels)
		f.Levels[k].Label = l.Labels[key]
	}
	return study, nil
}
