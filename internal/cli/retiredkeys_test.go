package cli

import (
	"strings"
	"testing"
)

// Keys of the last release give an error that names the replacement.
func TestRetiredKeys(t *testing.T) {
	design, _, _ := strings.Cut(smallStudy, "report:")
	const gone = "is not a key: "
	for section, want := range map[string]string{
		"report: {tables: [{name: t, siunitx: true}]}":         "report.tables[0].siunitx: " + gone + "load",
		"report: {figures: [{name: f, kind: line, log_y: 1}]}": "log_y: " + gone + "the vertical axis is always linear",
		"report: {figures: [{name: f, seconds: fit_seconds}]}": "seconds: " + gone + "use `x: predict_seconds`",
		"ademp: {mcse: 0.01}":                                  "ademp.mcse: " + gone + "`copse status --precision`",
		"inference: {policy: pairs}":                           "inference.policy: " + gone + "use `failures: common`",
		"ademp: {methods: all}":                                "methods: " + gone + "give the reason under `ademp",
	} {
		if code, _, errOut := copse("check", writeStudy(t, design+section+"\n")); code != 2 ||
			!strings.Contains(errOut, want) {
			t.Errorf("%s: exit %d, %s", section, code, errOut)
		}
	}
	const joined = "study: s\nseed: 1\ndata: {csv: [a.csv, b.csv], join: id, folds: 2}\nclassifiers: [nb]\n"
	if code, _, errOut := copse("check", writeStudy(t, joined)); code != 2 ||
		!strings.Contains(errOut, "data.join: is not a key: join the files before") {
		t.Errorf("join: exit %d, %s", code, errOut)
	}
}
