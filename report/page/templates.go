package page

import (
	"embed"
	"html/template"

	"copse/report/sheet"
)

//go:embed index.html report.html
var files embed.FS

var layouts = template.Must(sheet.Templates().ParseFS(files, "*.html"))

//go:embed style.css
var style template.CSS

//go:embed page.js
var script template.JS
