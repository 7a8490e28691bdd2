package sheet

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed table.html
var tableLayout string

// Templates returns the HTML template "table", which prints a sheet.
func Templates() *template.Template {
	functions := template.FuncMap{"inc": func(i int) int { return i + 1 }, "letter": noteLetter}
	return template.Must(template.New("").Funcs(functions).Parse(tableLayout))
}

var templates = Templates()

// HTML writes the sheet as an HTML fragment without scripts.
func (s *Sheet) HTML(w io.Writer) error {
	return templates.ExecuteTemplate(w, "table", s)
}
