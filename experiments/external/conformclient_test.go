//go:build unix

package external

import (
	"testing"

	"golang.org/x/exp/rand" //lint:ignore SA1019 the studies' random source
)

// Whatever a method does wrong, the client or copse reports it, and the next fit works.
func TestClientsConform(t *testing.T) {
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			text, err := Template("acts", language, "acts")
			must(err)
			program, dir := written(t, Classifier, language, text)
			checked := 0
			must(Conform(t.Context(), program, dir, 2, true, rand.New(rand.NewSource(1)), Listener{
				Started: func(Handshake) {},
				Checked: func(f Finding) {
					checked++
					if f.Result != Passed && !(f.Result == Skipped && language == "julia") {
						t.Errorf("%s: %s", f.Rule, f.Detail)
					}
				}}))
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
	must(Conform(t.Context(), actor("well behaved"), ".", 2, true, rand.New(rand.NewSource(1)), Listener{
		Started: func(Handshake) {},
		Checked: func(f Finding) { found[f.Rule] = f.Detail },
	}))
	for _, act := range clientActs {
		if wrong := act.want != answered || act.text != ""; wrong != (found[act.name] != "") {
			t.Errorf("%s: found %q", act.name, found[act.name])
		}
	}
}
