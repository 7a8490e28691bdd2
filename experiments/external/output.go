package external

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

// An output takes what a program writes, to both of its streams: text from the
// token to the end of a line is a reply, all else is log, of which the beginning
// and the end are kept.
type output struct {
	token   []byte
	replies chan []byte

	mu   sync.Mutex
	line []byte // begun, not ended
	head []byte // of the log
	tail []byte // what follows the head, its end
}

const (
	repliesKept = 4       // more than one at a time is a fault of the program
	longestLine = 1 << 20 // a line that goes on beyond is log
	headKept    = 1 << 10
	tailKept    = 4 << 10
	tailQuoted  = 300 // characters of the log in a message
)

func newOutput(token string) *output {
	return &output{token: []byte(token), replies: make(chan []byte, repliesKept)}
}

// Write never fails and never blocks: os/exec calls it from a goroutine of its
// own.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(text)
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			o.line = append(o.line, text...)
			if len(o.line) > longestLine && !bytes.Contains(o.line, o.token) {
				o.keep(o.line)
				o.line = o.line[:0]
			}
			break
		}
		o.end(append(o.line, text[:end]...))
		o.line, text = o.line[:0], text[end+1:]
	}
	return n, nil
}

// end files one whole line.
func (o *output) end(line []byte) {
	before, after, found := bytes.Cut(line, o.token)
	if !found {
		o.keep(append(line, '\n'))
		return
	}
	o.keep(before)
	select {
	case o.replies <- bytes.Clone(bytes.TrimSpace(after)):
	default: // nobody asked
	}
}

func (o *output) keep(text []byte) {
	first := min(len(text), headKept-len(o.head))
	o.head, o.tail = append(o.head, text[:first]...), append(o.tail, text[first:]...)
	if extra := len(o.tail) - tailKept; extra > 0 {
		o.tail = append(o.tail[:0], o.tail[extra:]...)
	}
}

// forget empties the log before a request.
func (o *output) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.head, o.tail, o.line = o.head[:0], o.tail[:0], o.line[:0]
}

// log returns the beginning and the end of what was printed since.
func (o *output) log() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.ToValidUTF8(string(o.head)+string(o.tail)+string(o.line), "?")
}

// quote returns the end of the log in one line, without what changes from run to
// run: the names of private folders.
func (o *output) quote(private string) string {
	text := oneLine(strings.ReplaceAll(o.log(), private, "FOLDER"))
	if runes := []rune(text); len(runes) > tailQuoted {
		text = "..." + string(runes[len(runes)-tailQuoted:])
	}
	return text
}

// oneLine joins a text's words and shows what cannot be printed as ?.
func oneLine(text string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	return strings.Join(strings.Fields(shown), " ")
}
