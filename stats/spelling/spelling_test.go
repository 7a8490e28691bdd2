package spelling

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"error", "mcc", "accuracy", "auc", "lda", "qda"}
	for word, want := range map[string]string{
		"acc": "accuracy", "eror": "error", "AUX": "auc", "brier": "", "qad": "qda",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
