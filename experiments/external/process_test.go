package external

import (
	"bytes"
	"slices"
	"testing"
)

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

// An oversized reply that arrives between two requests does not make the second request fail.
func TestForgetLongReply(t *testing.T) {
	o := newOutput()
	o.Write(slices.Concat(o.token, bytes.Repeat([]byte{'x'}, longestReply+1)))
	if len(o.tooLong) != 1 {
		t.Fatal("the long reply was not reported")
	}
	o.forget()
	if len(o.tooLong) > 0 {
		t.Error("the next request fails because of the forgotten reply")
	}
}
