package external

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// An output receives the standard output and the standard error of a program. The text after the
// token in a line is a reply. The log keeps the beginning and the end of all other text.
type output struct {
	token   []byte
	replies chan []byte
	tooLong chan struct{} // signals that a reply was longer than longestReply

	mu      sync.Mutex
	line    []byte // the unfinished line, without the token
	isReply bool   // whether line is a reply instead of a part of the log
	written int64  // total number of bytes
	head    []byte // the beginning of the log
	tail    []byte // the end of the log, after the head
}

const (
	repliesKept  = 4        // unread replies; a correct program sends one at a time
	longestLine  = 64 << 10 // bytes of an unfinished line of the log
	longestReply = 64 << 20 // bytes of a reply, which may contain many names and levels
	longestText  = 64 << 10 // bytes of a message, a list of warnings or a handshake
	headKept     = 1 << 10  // bytes of the beginning of the log
	tailKept     = 4 << 10  // bytes of the end of the log
	tailQuoted   = 300      // characters of the log in an error message
)

// newOutput returns an output with a token of 32 random hexadecimal digits.
func newOutput() *output {
	digits := make([]byte, 16)
	rand.Read(digits)
	token := hex.AppendEncode(nil, digits)
	return &output{token: token, replies: make(chan []byte, repliesKept), tooLong: make(chan struct{}, 1)}
}

// Write never fails or blocks. os/exec calls it from another goroutine.
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

// add appends text without line breaks to the current line. If the line contains the token, the
// text before the token goes to the log, and the text after it begins a reply.
func (o *output) add(text []byte) {
	if o.isReply {
		o.line = append(o.line, text...)
		o.limitReply()
		return
	}
	// Earlier calls found no token in the line, but its last bytes may be the beginning of one.
	searchFrom := max(0, len(o.line)-len(o.token))
	o.line = append(o.line, text...)
	before, reply, found := bytes.Cut(o.line[searchFrom:], o.token)
	switch {
	case found:
		o.addToLog(o.line[:searchFrom+len(before)])
		o.line = bytes.Clone(reply) // does not keep the text before the token in memory
		o.isReply = true
		o.limitReply()
	case len(o.line) > longestLine:
		o.shortenLine()
	}
}

// shortenLine moves the current line to the log, except the last bytes, which may be the beginning
// of a token.
func (o *output) shortenLine() {
	end := len(o.line) - len(o.token)
	o.addToLog(o.line[:end])
	o.line = append(o.line[:0], o.line[end:]...)
}

// limitReply discards what it has of a reply that is too long, and notifies the reader. The rest of
// the line still counts as a reply, so it does not go to the log.
func (o *output) limitReply() {
	if len(o.line) <= longestReply {
		return
	}
	o.line = nil
	select { // do not block
	case o.tooLong <- struct{}{}:
	default: // already reported
	}
}

// end ends the current line, and sends it to o.replies or adds it to the log.
func (o *output) end() {
	if !o.isReply {
		o.addToLog(append(o.line, '\n'))
		o.line = o.line[:0]
		return
	}
	select {
	case o.replies <- bytes.TrimSpace(o.line):
	default: // too many replies
	}
	o.line = nil
	o.isReply = false
}

func (o *output) addToLog(text []byte) {
	first := min(len(text), headKept-len(o.head))
	o.head = append(o.head, text[:first]...)
	o.tail = append(o.tail, text[first:]...)
	if extra := len(o.tail) - tailKept; extra > 0 {
		o.tail = append(o.tail[:0], o.tail[extra:]...)
	}
}

func (o *output) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.head = o.head[:0]
	o.tail = o.tail[:0]
	o.line = nil
	o.isReply = false
	for len(o.replies) > 0 {
		<-o.replies
	}
	for len(o.tooLong) > 0 {
		<-o.tooLong
	}
}

func (o *output) size() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// log returns the text since the last call of forget. It omits the middle of a long text.
func (o *output) log() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.ToValidUTF8(string(o.head)+string(o.tail)+string(o.line), "?")
}

// quote returns the end of a log as one line.
func quote(log string) string {
	text := oneLine(log)
	if runes := []rune(text); len(runes) > tailQuoted {
		text = "..." + string(runes[len(runes)-tailQuoted:])
	}
	return text
}

// limited shortens texts to longestText bytes in total, and appends the number of omitted bytes.
func limited(texts []string) []string {
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

// oneLine replaces each run of white space with a single space, and unprintable
// characters with question marks.
func oneLine(text string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	return strings.Join(strings.Fields(shown), " ")
}
