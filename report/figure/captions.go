package figure

import (
	_ "embed"
	"strings"
	"text/template"

	"copse/report/panels"
	"copse/report/view"
)

//go:embed captions.txt
var captionText string

// captions contains a template for the caption of each kind of figure, and templates that several
// kinds share.
var captions = template.Must(template.New("captions").
	Funcs(template.FuncMap{"capital": view.Capital, "join": strings.Join}).
	Option("missingkey=error").
	Parse(captionText))

// captionFacts maps names in the templates of captions.txt to values.
type captionFacts map[string]any

// captioned returns a page with its caption and the families of hypotheses that it tests. The caption consists of
// the author's sentences from the study file, the filled-in template of the figure kind, and a sentence on the
// cells shown. If the page has tests, the caption also describes earlier numbers of replicates. The parameter about
// contains the facts for the template.
func (r *request) captioned(p *panels.Page, about captionFacts, families ...view.Family) drawnPage {
	about["Measure"], about["Metric"] = r.measure.Title(), r.measure.Name
	about["Panels"], about["Free"], about["Oracle"] = len(p.Titles), r.options.freeScales(), ""
	if r.options.Excess {
		about["Oracle"] = r.Label(r.measure.Baseline)
	}
	var b strings.Builder
	if err := captions.ExecuteTemplate(&b, r.kind.Name, about); err != nil {
		panic(err) // the kind of figure lacks a fact that its template uses
	}
	generated := b.String()
	if len(families) > 0 { // the tests depend on how the number of replicates was chosen
		generated += " " + r.ExtensionSentence() + " " + r.ReductionSentence()
	}
	caption := view.Caption(r.options.Caption, generated, r.CellsSentence(r.options.Where))
	return drawnPage{p.Picture(caption), families}
}
