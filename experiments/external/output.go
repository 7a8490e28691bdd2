package external

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// An output receives all text that a program writes to its standard output and error. The
// text from the token to the end of a line is a reply. Everything else is the log; output
// keeps its beginning and its end.
type output struct {
	token   []byte
	replies chan []byte
	endless chan struct{} // gets a value when a reply has no end

	mu      sync.Mutex
	line    []byte // the unfinished line; of a reply, without the token
	isReply bool   // line is a reply
	written int64  // bytes in all
	head    []byte // of the log
	tail    []byte // the end of the log behind the head
}

const (
	repliesKept  = 4        // more than one at a time is a fault of the program
	longestLine  = 64 << 10 // bytes of a line of the log that are kept until it ends
	longestReply = 64 << 20 // bytes; a problem may have many names and levels
	longestText  = 64 << 10 // bytes of a message, of warnings, of a handshake
	headKept     = 1 << 10
	tailKept     = 4 << 10
	tailQuoted   = 300 // characters of the log in a message
)

func newOutput(token string) *output {
	return &output{token: []byte(token), replies: make(chan []byte, repliesKept), endless: make(chan struct{}, 1)}
}

// Write never fails and never blocks: os/exec calls it from a goroutine of its
// own.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.written += int64(len(text))
	for rest := text; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		o.add(line)
		if ended {
			o.end()
		}
		rest = after
	}
	return len(text), nil
}

// add appends text to the unfinished line and looks for the token in it. It limits the
// length of the line.
func (o *output) add(text []byte) {
	searched := max(0, len(o.line)-len(o.token)) // the token may have begun before
	o.line = append(o.line, text...)
	if !o.isReply {
		if before, reply, found := bytes.Cut(o.line[searched:], o.token); found {
			o.keep(o.line[:searched+len(before)])
			o.line, o.isReply = bytes.Clone(reply), true
		}
	}
	switch {
	case o.isReply && len(o.line) > longestReply:
		o.line = nil
		select {
		case o.endless <- struct{}{}:
		default: // already reported
		}
	case !o.isReply && len(o.line) > longestLine:
		begun := len(o.line) - len(o.token) // the rest may begin the token
		o.keep(o.line[:begun])
		o.line = append(o.line[:0], o.line[begun:]...)
	}
}

// end sends a finished reply to replies, or adds a finished line to the log.
func (o *output) end() {
	if !o.isReply {
		o.keep(append(o.line, '\n'))
		o.line = o.line[:0]
		return
	}
	select {
	case o.replies <- bytes.TrimSpace(o.line):
	default: // more replies than requests are dropped
	}
	o.line, o.isReply = nil, false
}

// keep adds text to the log: first to the head, then to the tail, which loses its beginning.
func (o *output) keep(text []byte) {
	first := min(len(text), headKept-len(o.head))
	o.head, o.tail = append(o.head, text[:first]...), append(o.tail, text[first:]...)
	if extra := len(o.tail) - tailKept; extra > 0 {
		o.tail = append(o.tail[:0], o.tail[extra:]...)
	}
}

// forget empties the log before a request, and drops replies to no request.
func (o *output) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.head, o.tail, o.line, o.isReply = o.head[:0], o.tail[:0], nil, false
	for len(o.replies) > 0 {
		<-o.replies
	}
}

// size returns how many bytes were written in all.
func (o *output) size() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// log returns the beginning and the end of the text printed since forget.
func (o *output) log() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.ToValidUTF8(string(o.head)+string(o.tail)+string(o.line), "?")
}

// quote returns the end of a log in one line.
func quote(log string) string {
	text := oneLine(log)
	if runes := []rune(text); len(runes) > tailQuoted {
		text = "..." + string(runes[len(runes)-tailQuoted:])
	}
	return text
}

// limited returns the beginning of a text, and how much more there was.
func limited(text string) string {
	if len(text) <= longestText {
		return text
	}
	return fmt.Sprintf("%s... and %d more bytes", strings.ToValidUTF8(text[:longestText], "?"), len(text)-longestText)
}

// limitedList returns the beginning of a list of texts, and how much more there was.
func limitedList(texts []string) []string {
	total, room := 0, longestText
	for _, text := range texts {
		total += len(text)
	}
	for i, text := range texts {
		if len(text) > room {
			kept := append(slices.Clone(texts[:i]), strings.ToValidUTF8(text[:room], "?"))
			return append(kept, fmt.Sprintf("and %d more bytes", total-longestText))
		}
		room -= len(text)
	}
	return texts
}

// oneLine joins a text's words with spaces and replaces unprintable characters by ?.
func oneLine(text string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	return strings.Join(strings.Fields(shown), " ")
}
