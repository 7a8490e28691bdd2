package reported

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
)

// Remarks returns advice about a study that CheckReport accepts, such as remarks on equal labels of
// classifiers.
func (s *Study) Remarks() (remarks []string) {
	for _, t := range s.Tables {
		remarks = append(remarks, t.Remarks(s.Study)...)
	}
	for _, c := range s.Cells {
		for _, remark := range c.Data.SplitRemarks() {
			remarks = view.AddNew(remarks, c.Data.Source()+": "+remark)
		}
	}
	remarks = append(remarks, s.PredictionRemarks()...)
	// The other remarks need results. Because the study may not have run yet, the results are made
	// up. For a large study, part of the cells is enough to find the remarks.
	small := s.reduced()
	v := small.Layout.View(madeUpStudy(small.Study), madeUpRecords(small.Study))
	return slices.Concat(remarks, metricRemarks(v, small.Metrics), small.marginRemarks(), small.probabilityRemarks(),
		sameLabels(v), small.latexRemarks(v), figureRemarks(v, small.Layout.FigureList(v)))
}

// metricRemarks returns a remark for each metric that cannot be reported.
func metricRemarks(v *view.View, names []string) (remarks []string) {
	for _, metric := range names {
		const anyUnit = "" // the errors do not depend on the unit
		if _, err := v.Measure(metric, anyUnit, v.Cells); err != nil {
			remarks = append(remarks, fmt.Sprintf("metrics: %s", err))
		}
	}
	return remarks
}

// figureRemarks returns remarks on the labels of figures and on each figure.
func figureRemarks(v *view.View, figures []figure.Options) (remarks []string) {
	if len(figures) > 0 {
		remarks = LabelRemarks(v)
	}
	for _, o := range figures {
		pictures, err := figure.Draw(v, o)
		if err != nil || len(pictures) == 0 {
			continue // CheckReport returns the error
		}
		for _, remark := range pictures[0].Remarks { // all pages of a figure have the same remarks
			remarks = append(remarks, fmt.Sprintf("figure %s: %s", o.Name, remark))
		}
	}
	return remarks
}

// LabelRemarks returns a remark if the font of the figures lacks characters of the study's labels.
func LabelRemarks(v *view.View) []string {
	missing := canvas.MissingGlyphs(allLabels(v))
	if missing == "" {
		return nil
	}
	return []string{fmt.Sprintf("the font of the figures lacks some characters of the labels: %s. "+
		"The PNG and PDF files do not show them; use other labels", missing)}
}

// latexRemarks returns a remark if pdflatex cannot print some characters of titles, captions or labels.
func (s *Study) latexRemarks(v *view.View) []string {
	text := v.Title + allLabels(v)
	for _, o := range s.Layout.Tables {
		text += o.Title + o.Caption
	}
	for _, o := range s.Layout.Figures {
		text += o.Title + o.Caption
	}
	missing := sheet.MissingInLatex(text)
	if missing == "" {
		return nil
	}
	return []string{fmt.Sprintf("pdflatex prints codes instead of some characters of titles, captions or labels: %s. "+
		"Compile with xelatex or lualatex, or use other characters", missing)}
}

// allLabels joins the labels of all classifiers, factors, levels and metrics.
func allLabels(v *view.View) (text string) {
	for _, c := range v.Classifiers {
		text += v.Label(c.ID)
	}
	for _, f := range v.Records.Factors {
		text += v.FactorLabel(f.Name) + v.LevelWords(f)
	}
	for _, name := range slices.Sorted(maps.Keys(v.MetricLabels)) {
		text += v.MetricLabels[name]
	}
	return text
}

// sameLabels returns a remark for each classifier that has the same label as an earlier classifier,
// and for each level of a factor that has the same label as an earlier level.
func sameLabels(v *view.View) []string {
	var ids []string
	for _, c := range v.Classifiers {
		ids = append(ids, c.ID)
	}
	remarks := sameLabelsOf("classifiers %s and %s", ids, v.Label)
	for _, f := range v.Records.Factors {
		label := func(level string) string { return v.LevelLabel(f.Name, level) }
		remarks = append(remarks, sameLabelsOf("levels %s and %s of "+f.Name, f.Levels, label)...)
	}
	return remarks
}

// sameLabelsOf returns a remark for each name that has the same label as an earlier name. The format
// pair joins two names.
func sameLabelsOf(pair string, names []string, label func(string) string) (remarks []string) {
	first := map[string]string{} // name by label
	for _, name := range names {
		if earlier, taken := first[label(name)]; taken {
			remarks = append(remarks, fmt.Sprintf(pair+" have the same label %s; give one of them another label",
				earlier, name, label(name)))
		} else {
			first[label(name)] = name
		}
	}
	return remarks
}

// marginRemarks returns a remark for each margin of equivalence that is too large. With two balanced
// classes, the error rates of two classifiers that are better than chance differ by less than
// largeMargin.
func (s *Study) marginRemarks() (remarks []string) {
	const largeMargin = 0.5
	o := s.Layout.Inference
	for _, m := range []struct {
		key   string
		value float64
	}{{"margin", o.Margin}, {"rope", o.Rope}} {
		if m.value >= largeMargin {
			remarks = append(remarks, fmt.Sprintf("inference.%s: %v means %.3g percentage points, but nearly all "+
				"classifiers have error rates that differ by less; a common margin is `0.03`",
				m.key, m.value, 100*m.value))
		}
	}
	return remarks
}

// probabilityRemarks returns a remark for each metric that needs class probabilities, if a
// classifier does not return them.
func (s *Study) probabilityRemarks() (remarks []string) {
	var lacking []string // classifiers without class probabilities
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if e.LacksProbabilities() {
				lacking = view.AddNew(lacking, e.ID)
			}
		}
	}
	if lacking == nil {
		return nil
	}
	for _, name := range s.Metrics {
		if m, err := metrics.Lookup(name); err == nil && m.Needs == metrics.Probabilities {
			remarks = append(remarks, fmt.Sprintf("%s needs class probabilities, but these classifiers do not "+
				"return them: %s; add `probabilities: platt`", name, strings.Join(lacking, ", ")))
		}
	}
	return remarks
}
