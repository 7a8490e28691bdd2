package config

import "regexp"

// Instead of keys of a section of the protocol, and of the corrections of printed tables.
const (
	asAim = "put the reason under aims, or into the printed protocol"
	holm  = "all tables of a study are one family, corrected by Holm's method"
)

// retired lists the keys of the last release that are gone, with what to do instead.
var retired = map[string]string{
	"isolate": "built-in classifiers run inside copse; " +
		"limit its memory with copse run --memory, or with the scheduler's --mem",
	"ademp.mcse":                  "copse status --precision prints how many replicates a standard error needs",
	"ademp.sd":                    "copse status --precision estimates it from results",
	"ademp.mechanisms":            asAim,
	"ademp.estimands":             asAim,
	"ademp.methods":               asAim,
	"ademp.performance":           asAim,
	"ademp.missingness":           asAim,
	"ademp.environment":           asAim,
	"data.join":                   "join the files before, and read the file that results",
	"data.unmatched":              "join the files before, and read the file that results",
	"inference.policy":            "failures: common, the default, takes its place",
	"published.alpha":             "the level is inference.alpha; " + holm,
	"published.correction":        holm,
	"published.margin":            "numbers agree for all purposes within two percentage points",
	"calibrate.alpha":             "the level is inference.alpha",
	"calibrate.free.when":         "write a study for each value of the other parameter",
	"report.tables.matrix":        "a figure of kind cd compares all pairs over the cells, kind wins counts the cells won",
	"report.tables.siunitx":       "load siunitx in the paper and edit the columns of the .tex file",
	"report.figures.log_y":        "the vertical axis is linear; a small mean shows in the table",
	"report.figures.seconds":      "x: predict_seconds takes its place",
	"report.figures.orientation":  "boxes lie where their names are long",
	"report.figures.panel_height": "panels are as high as the page has room for",
	"report.figures.show_title":   "the caption has the title",
}

// positions are those of items in a path.
var positions = regexp.MustCompile(`\[[0-9]+\]`)

// replacement returns what to do instead of the key of a path; "" if it is not retired.
func replacement(path string) string { return retired[positions.ReplaceAllString(path, "")] }
