package figure

import (
	_ "embed"
	"strings"
	"text/template"

	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
)

//go:embed captions.txt
var captionText string

// captions holds a template for each kind of figure and for sentences that kinds share. Line breaks are blanks.
var captions = template.Must(template.New("captions").
	Funcs(template.FuncMap{"capital": view.Capital, "join": strings.Join}).
	Option("missingkey=error").
	Parse(captionText))

// facts are what the caption of a figure states, by their names in captions.txt.
type facts map[string]any

// caption returns the caption of a page: the study's own sentences, and those of the kind about the facts.
func (r *request) caption(p *panels.Page, about facts) string {
	about["Panels"], about["Free"], about["Oracle"] = len(p.Titles), r.o.free(), ""
	if r.o.Excess {
		about["Oracle"] = r.Label(r.measure.Over)
	}
	var b strings.Builder
	if err := captions.ExecuteTemplate(&b, r.kind.Name, about); err != nil {
		panic(err) // a kind without a fact that its template names
	}
	return view.Caption(r.o.Caption, b.String(), r.chosenCells())
}

// chosenCells returns "Cells: d = 8, n = 60 or 240.", the condition of the figure; "" without one.
func (r *request) chosenCells() string {
	var parts []string
	for _, f := range r.Records.Factors {
		if levels := r.o.Where[f.Name]; len(levels) > 0 {
			parts = append(parts, r.alternatives(f.Name, levels))
		}
	}
	if parts == nil {
		return ""
	}
	return "Cells: " + strings.Join(parts, ", ") + "."
}

// alternatives returns levels of one factor in words: "n = 60 or 240".
func (r *request) alternatives(factor string, levels []string) string {
	var words []string
	for i, level := range levels {
		own := r.InWords([]string{factor}, records.Align([]string{factor}, []string{level}))
		switch {
		case level == "":
			own = "without " + r.FactorLabel(factor)
		case i > 0 && view.Numeric(level):
			own = level
		}
		words = append(words, own)
	}
	return strings.Join(words, " or ")
}
