package trial

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser reads trials from JSON. A journal has millions of them, all as this
// package writes them: that form it takes apart itself, and leaves every other to
// encoding/json. What trials share it keeps once.
type Parser struct {
	texts   map[string]string
	levels  map[string]records.Levels // by their JSON
	results []records.Record          // room for those of many trials
	counts  []int                     // room for confusion matrices

	rest []byte // of the text that is read
	bad  bool   // it is in another form
	list []records.Record
	row  []int
}

// Parse reads one trial. Unknown keys are errors.
func (p *Parser) Parse(text []byte) (*Trial, error) {
	if t := p.written(text); t != nil {
		return t, nil
	}
	return decode(text)
}

func decode(text []byte) (*Trial, error) {
	t := &Trial{}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(t); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("has more than one value")
	}
	return t, nil
}

// written reads a trial as MarshalJSON writes it; nil: it is in another form.
func (p *Parser) written(text []byte) *Trial {
	if p.texts == nil {
		p.texts, p.levels = map[string]string{}, map[string]records.Levels{}
	}
	p.rest, p.bad, p.list = text, false, p.list[:0]
	t := &Trial{}
	t.Cell = p.shared(p.text(`{"cell":`))
	t.Levels = p.levelsAt(`,"levels":{`)
	t.Replicate = int(p.whole(`,"replicate":`))
	t.Data = string(p.text(`,"data":`))
	t.NTest = int(p.whole(`,"n_test":`))
	for p.want(`,"results":[`); !p.bad; {
		p.list = append(p.list, p.result())
		if !p.has(",") {
			break
		}
	}
	p.want("]}")
	if p.bad || len(p.rest) > 0 {
		return nil
	}
	t.Results = keep(&p.results, p.list)
	for i := range t.Results {
		t.share(&t.Results[i])
	}
	return t
}

func (p *Parser) result() records.Record {
	r := records.Record{}
	r.Classifier = p.shared(p.text(`{"id":`))
	r.Spec = p.shared(p.text(`,"spec":`))
	r.Status = records.Status(p.shared(p.text(`,"status":`)))
	if p.next(`,"errors":`) {
		r.Errors = int(p.whole(`,"errors":`))
	}
	if p.next(`,"ber":`) {
		r.BER = p.number(`,"ber":`)
	}
	if p.next(`,"message":`) {
		r.Message = p.shared(p.text(`,"message":`))
	}
	if p.next(`,"cause":`) {
		r.Cause = records.Cause(p.shared(p.text(`,"cause":`)))
	}
	if p.has(`,"confusion":[`) {
		p.row = p.row[:0]
		for more := true; more && !p.bad; more = p.has(",") {
			p.row = append(p.row, int(p.whole("")))
		}
		p.want("]")
		r.Confusion = metrics.Confusion(keep(&p.counts, p.row))
	}
	if p.has(`,"metrics":{`) {
		r.Metrics = map[string]float64{}
		for more := true; more && !p.bad; more = p.has(",") {
			name := p.shared(p.text(""))
			r.Metrics[name] = p.number(":")
		}
		p.want("}")
	}
	r.Fit = p.number(`,"fit_s":`)
	r.Predict = p.number(`,"predict_s":`)
	if p.next(`,"peak_bytes":`) {
		r.Peak = p.whole(`,"peak_bytes":`)
	}
	p.want("}")
	p.bad = p.bad || r.Settle() != nil
	return r
}

// keep copies items to where those of many trials lie side by side.
func keep[T any](room *[]T, items []T) []T {
	if cap(*room)-len(*room) < len(items) {
		*room = make([]T, 0, max(1<<12, len(items)))
	}
	n := len(*room)
	*room = append(*room, items...)
	return (*room)[n:len(*room):len(*room)]
}

// next tells whether a text follows.
func (p *Parser) next(text string) bool {
	return !p.bad && len(p.rest) >= len(text) && string(p.rest[:len(text)]) == text
}

// has passes a text if it follows.
func (p *Parser) has(text string) bool {
	there := p.next(text)
	if there {
		p.rest = p.rest[len(text):]
	}
	return there
}

// want passes a text that must follow.
func (p *Parser) want(text string) { p.bad = !p.has(text) }

// text reads a JSON text behind its key: printable ASCII without escapes.
func (p *Parser) text(key string) []byte {
	if p.want(key); !p.has(`"`) {
		p.bad = true
		return nil
	}
	for i, c := range p.rest {
		switch {
		case c == '"':
			text := p.rest[:i]
			p.rest = p.rest[i+1:]
			return text
		case c < ' ' || c > '~' || c == '\\':
			p.bad = true
			return nil
		}
	}
	p.bad = true
	return nil
}

func (p *Parser) shared(text []byte) string {
	known, ok := p.texts[string(text)]
	if !ok {
		known = string(text)
		p.texts[known] = known
	}
	return known
}

// whole reads a whole number behind its key.
func (p *Parser) whole(key string) int64 {
	p.want(key)
	n := len(p.rest) - len(bytes.TrimLeft(p.rest, "-0123456789"))
	if n == 0 || n > 1 && p.rest[0] == '0' || n > 2 && p.rest[0] == '-' && p.rest[1] == '0' {
		p.bad = true
		return 0
	}
	v, err := strconv.ParseInt(string(p.rest[:n]), 10, 64)
	p.rest, p.bad = p.rest[n:], p.bad || err != nil
	return v
}

// number reads a number behind its key.
func (p *Parser) number(key string) float64 {
	p.want(key)
	n := numberLength(p.rest)
	v, err := strconv.ParseFloat(string(p.rest[:n]), 64)
	p.rest, p.bad = p.rest[n:], p.bad || err != nil
	return v
}

// numberLength is the length of the JSON number that a text begins with, 0 where
// there is none: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
func numberLength(text []byte) int {
	i := 0
	is := func(any string) bool { return i < len(text) && bytes.IndexByte([]byte(any), text[i]) >= 0 }
	digits := func() bool {
		from := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i > from
	}
	if is("-") {
		i++
	}
	if is("0") {
		i++
	} else if !digits() {
		return 0
	}
	if is(".") {
		if i++; !digits() {
			return 0
		}
	}
	if is("eE") {
		if i++; is("+-") {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

// levelsAt reads levels behind their key. All trials of a cell have the same.
func (p *Parser) levelsAt(key string) records.Levels {
	p.want(key)
	end := bytes.IndexByte(p.rest, '}')
	if p.bad || end < 0 {
		p.bad = true
		return records.Levels{}
	}
	if known, ok := p.levels[string(p.rest[:end])]; ok {
		p.rest = p.rest[end+1:]
		return known
	}
	text, after := p.rest[:end], p.rest[end+1:]
	byFactor := map[string]string{}
	for p.rest = text; len(p.rest) > 0 && !p.bad; {
		factor := string(p.text(""))
		byFactor[factor] = string(p.text(":"))
		if len(p.rest) > 0 && (!p.has(",") || len(p.rest) == 0) {
			p.bad = true
		}
	}
	p.rest = after
	levels := records.LevelsOf(byFactor)
	if !p.bad {
		p.levels[string(text)] = levels
	}
	return levels
}
