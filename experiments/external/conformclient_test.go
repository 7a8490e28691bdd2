//go:build unix

package external

import "testing"

// Whatever a method does wrong, the client or copse reports it, and the next fit works.
func TestClientsConform(t *testing.T) {
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			text, err := Template("acts", language, "acts")
			must(err)
			program, dir := written(t, Classifier, language, text)
			findings := conform(t, program, dir, true)
			for _, f := range findings {
				if f.Result != Passed && !(f.Result == Skipped && language == "julia") {
					t.Errorf("%s: %s", f.Rule, f.Detail)
				}
			}
			checked := len(findings)
			if checked != len(clientActs) {
				t.Errorf("%d acts of %d", checked, len(clientActs))
			}
			t.Logf("| acts of a method in the client for %s | %d | as the protocol wants: %d |", language, checked,
				checked)
		})
	}
}

// The suite finds a client that ignores the instructions to misbehave: actor predicts the right labels in all
// fits.
func TestConformClientFindsFaults(t *testing.T) {
	found := map[string]string{}
	for _, f := range conform(t, actor("well behaved"), ".", true) {
		found[f.Rule] = f.Detail
	}
	for _, act := range clientActs {
		if wrong := act.want != answered || act.text != ""; wrong != (found[act.name] != "") {
			t.Errorf("%s: found %q", act.name, found[act.name])
		}
	}
}
