package sheet

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
)

//go:embed table.html
var tableLayout string

// Templates returns the HTML template "table", which prints a sheet.
func Templates() *template.Template {
	functions := template.FuncMap{"inc": func(i int) int { return i + 1 }, "letter": noteLetter,
		"spread": spread}
	return template.Must(template.New("").Funcs(functions).Parse(tableLayout))
}

// spread splits an entry in the foot of a table into the number and the text in parentheses.
func spread(value string) []string { return strings.SplitN(value, " ", 2) }

var templates = Templates()

// HTML writes the sheet as an HTML fragment without scripts.
func (s *Sheet) HTML(w io.Writer) error {
	return templates.ExecuteTemplate(w, "table", s)
}
