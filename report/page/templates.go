package page

import (
	"embed"
	"html/template"

	"copse/report/sheet"
)

//go:embed index.html report.html page.js style.css
var files embed.FS

var layouts = template.Must(sheet.Templates().ParseFS(files, "*.html"))

func file(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embedded
	}
	return string(b)
}
