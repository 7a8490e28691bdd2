package external

import "testing"

// Only a second reply to the previous request is dropped; other replies are faults or answers.
func TestRepeats(t *testing.T) {
	p := &process{before: 5, asked: 9}
	for line, want := range map[string]bool{`{"id": 5}`: true, `{"id": 9}`: false, `{"id": 4}`: false, `5`: false} {
		if got := p.repeats([]byte(line)); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
	if first := (&process{asked: 9}); first.repeats([]byte(`{"id": 0}`)) {
		t.Error("a reply without id repeats the reply before the first request")
	}
}
