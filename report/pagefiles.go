package report

import (
	"embed"
	"html/template"
)

//go:embed page/index.html page/report.html page/sort.js page/style.css
var files embed.FS

var layouts = template.Must(Templates().ParseFS(files, "page/*.html"))

func file(name string) string {
	b, err := files.ReadFile("page/" + name)
	if err != nil {
		panic(err) // embedded
	}
	return string(b)
}
