package report

import (
	"embed"
	"html/template"
	"io"
)

//go:embed page
var pageFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"inc": func(i int) int { return i + 1 }}).
	ParseFS(pageFiles, "page/*.html"))

// html writes the sheet as a fragment, without script.
func (s *sheet) html(w io.Writer) error {
	return templates.ExecuteTemplate(w, "table", s)
}

func pageFile(name string) string {
	b, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // embedded
	}
	return string(b)
}
