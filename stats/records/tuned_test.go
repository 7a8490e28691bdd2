package records

import "testing"

func TestTuned(t *testing.T) {
	made := Tuned{Values: "c=10 gamma=0.1", Metric: "cost:n(a, <=50K)", Score: 0.3125, Candidates: 12, Failed: 2}
	text := "c=10 gamma=0.1 | cost:n(a, <=50K)=0.3125 candidates=12 failed=2"
	if made.String() != text {
		t.Errorf("%q, want %q", made, text)
	}
	if read, err := ParseTuned(text); err != nil || read != made {
		t.Errorf("%+v, error %v", read, err)
	}
	for _, bad := range []string{"", "c=1", "c=1 | error=x candidates=1 failed=0", "c=1 | error=0 failed=0"} {
		if _, err := ParseTuned(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
