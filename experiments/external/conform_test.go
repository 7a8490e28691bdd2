//go:build unix

package external

import (
	"strings"
	"testing"
	"time"
)

// A program that hangs fails the check with this name. No further checks are made.
func TestConformStopsProgramsThatHang(t *testing.T) {
	limit := checkLimit
	checkLimit = time.Second
	defer func() { checkLimit = limit }()
	found := conform(t, actor("hangs"), ".", false)
	// The program hangs in its second request.
	if len(found) != 2 || found[0].Result != Passed || found[1].Result != Failed ||
		!strings.Contains(found[1].Detail, "stopped the program after 1s") {
		t.Errorf("%+v", found)
	}
}

// Without a study, copse accepts both kinds of programs, but no others.
func TestHandshakeKinds(t *testing.T) {
	for kind, want := range map[Kind]bool{Classifier: true, Generator: true, "classfier": false, "": false} {
		h := Handshake{Protocol: protocol, Kind: kind}
		if err := h.check(&Program{}); (err == nil) != want {
			t.Errorf("%q: %v", kind, err)
		}
	}
}

// A command that writes CSV files is tried, too.
func TestConformOfCSVGenerators(t *testing.T) {
	const draw = `echo x,class > $2; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		echo $1.$i,0; echo -$i,1; done >> $2; echo 7,1 >> $2`
	for script, want := range map[string]string{
		draw:                                    "",
		strings.ReplaceAll(draw, "$1.", ""):     "two different seeds give the same sample",
		strings.ReplaceAll(draw, "7,1", "$$,1"): "the two samples differ",
		"exit 9":                                "exit status 9",
	} {
		program := &Program{Kind: CSVGenerator,
			Command: []string{"/bin/sh", "-c", script, "sh", "{seed}", "{out}", "{counts}"}}
		failures := ""
		for _, f := range conform(t, program, ".", false) {
			if f.Result == Failed {
				failures += f.Detail + "\n"
			}
		}
		if (failures == "") != (want == "") || !strings.Contains(failures, want) {
			t.Errorf("%s: %q, want %q", script, failures, want)
		}
	}
}
