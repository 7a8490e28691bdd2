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

// captions contains a caption template for each kind of figure, and templates that several kinds
// share.
var captions = template.Must(template.New("captions").
	Funcs(template.FuncMap{"capital": view.Capital, "plural": view.Plural}).
	Option("missingkey=error").
	Parse(captionText))

// captionFacts maps names in the templates of captions.txt to values.
type captionFacts map[string]any

// captioned returns a page with its caption. The argument facts contains only facts of this kind of
// figure; captioned adds the facts that all kinds need.
func (r *request) captioned(p *panels.Page, facts captionFacts, families ...view.Family) *drawnPage {
	facts["Measure"], facts["Metric"] = r.measure.Title(), r.measure.Name
	facts["Panels"] = len(p.Titles)
	facts["Free"] = r.options.freeScales()        // each panel has its own axis range
	facts["Oracle"] = r.Label(r.measure.Baseline) // "" without the option excess
	facts["LeftOut"] = r.leftOut
	var b strings.Builder
	if err := captions.ExecuteTemplate(&b, r.kind.Name, facts); err != nil {
		panic(err) // the kind of figure lacks a fact that its template uses
	}
	generated := b.String()
	if len(families) > 0 { // the tests depend on how the study and its number of replicates were chosen
		generated += " " + r.ExtensionSentence() + " " + r.ChangeSentence() + " " + r.ReductionSentence()
	}
	generated += " " + r.MissingSentence(r.options.Where)
	caption := view.Caption(r.options.Caption, generated, r.CellsSentence(r.options.Where))
	return &drawnPage{p.Picture(caption), families}
}
