package external

import "testing"

// Only a second reply to the previous request is dropped. Any other reply is either the expected one or an
// error.
func TestRepeats(t *testing.T) {
	p := &process{previousID: 5, requestID: 9}
	for line, want := range map[string]bool{`{"id": 5}`: true, `{"id": 9}`: false, `{"id": 4}`: false, `5`: false} {
		if got := p.repeats([]byte(line)); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
	if first := (&process{requestID: 9}); first.repeats([]byte(`{"id": 0}`)) {
		t.Error("a reply without id repeats the reply before the first request")
	}
}
