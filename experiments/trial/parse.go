package trial

import (
	"bytes"
	"encoding/json"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser reads trials from JSON. A journal has millions of them, all as this
// package writes them: that form it takes apart itself, and leaves every other to
// encoding/json. What trials share it keeps once.
//
// A trial's results and their confusion matrices last until the next is read.
type Parser struct {
	texts  map[string]string
	levels map[string]records.Levels // by their JSON
	heads  []head                    // of the results of the trial before, by their places

	rest    []byte // of the text that is read
	bad     bool   // it is in another form
	results []records.Record
	counts  []int // of the confusion matrices
}

// A head is what a result begins with: who ran, and how it ended.
type head struct {
	text     []byte
	id, spec string
	status   records.Status
}

// Parse reads one trial. Unknown keys are errors.
func (p *Parser) Parse(text []byte) (*Trial, error) {
	if t := p.written(text); t != nil {
		return t, nil
	}
	t := &Trial{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, err
	}
	return t, nil
}

// written reads a trial as MarshalJSON writes it; nil: it is in another form.
func (p *Parser) written(text []byte) *Trial {
	if p.texts == nil {
		p.texts, p.levels = map[string]string{}, map[string]records.Levels{}
	}
	p.rest, p.bad, p.results, p.counts = text, false, p.results[:0], p.counts[:0]
	t := &Trial{}
	t.Cell = p.shared(p.text(`{"cell":`))
	t.Levels = p.levelsAt(`,"levels":{`)
	t.Replicate = int(p.whole(`,"replicate":`))
	t.Data = string(p.text(`,"data":`))
	t.NTest = int(p.whole(`,"n_test":`))
	for p.want(`,"results":[`); !p.bad; {
		p.result()
		if !p.has(",") {
			break
		}
	}
	p.want("]}")
	if p.bad || len(p.rest) > 0 {
		return nil
	}
	t.Results = p.results
	for i := range t.Results {
		t.share(&t.Results[i])
	}
	return t
}

// head reads the head of the result at a place, which mostly is that of the trial
// before.
func (p *Parser) head(place int) *head {
	if place < len(p.heads) {
		if h := &p.heads[place]; bytes.HasPrefix(p.rest, h.text) {
			p.rest = p.rest[len(h.text):]
			return h
		}
	} else {
		p.heads = append(p.heads, head{})
	}
	h, start := &p.heads[place], p.rest
	h.id = p.shared(p.text(`{"id":`))
	h.spec = p.shared(p.text(`,"spec":`))
	h.status = records.Status(p.shared(p.text(`,"status":`)))
	h.text = append(h.text[:0], start[:len(start)-len(p.rest)]...)
	if p.bad {
		p.heads = p.heads[:place]
	}
	return h
}

// result reads the next of the results.
func (p *Parser) result() {
	h := p.head(len(p.results))
	p.results = append(p.results, records.Record{Classifier: h.id, Spec: h.spec, Status: h.status})
	r := &p.results[len(p.results)-1]
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
		n := len(p.counts)
		for more := true; more && !p.bad; more = p.has(",") {
			p.counts = append(p.counts, int(p.whole("")))
		}
		p.want("]")
		r.Confusion = metrics.Confusion(p.counts[n:len(p.counts):len(p.counts)])
	}
	if p.next(`,"tuned":`) {
		r.Tuned = p.shared(p.text(`,"tuned":`))
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
	text, negative := p.rest, false
	if len(text) > 0 && text[0] == '-' {
		text, negative = text[1:], true
	}
	n, v := digits(text)
	if n == 0 || n > maxDigits || text[0] == '0' && (n > 1 || negative) {
		p.bad = true // or of more digits than anybody counts
		return 0
	}
	p.rest = text[n:]
	if negative {
		return -int64(v)
	}
	return int64(v)
}

// maxDigits of a number are exact as a float64, whose mantissa has 53 bits.
const maxDigits = 15

// digits reads the digits that a text begins with: how many, and the number that the
// first maxDigits of them are.
func digits(text []byte) (n int, v uint64) {
	for n < len(text) && text[n]-'0' <= 9 {
		if n < maxDigits {
			v = 10*v + uint64(text[n]-'0')
		}
		n++
	}
	return n, v
}

// number reads a number behind its key. Of one with few digits and without an
// exponent it is the quotient of two exact numbers, as rounded as any reader's.
func (p *Parser) number(key string) float64 {
	p.want(key)
	if v, n := fewDigits(p.rest); n > 0 {
		p.rest = p.rest[n:]
		return v
	}
	n := numberLength(p.rest)
	v, err := strconv.ParseFloat(string(p.rest[:n]), 64)
	p.rest, p.bad = p.rest[n:], p.bad || err != nil
	return v
}

// tens are the powers of ten up to maxDigits.
var tens = [maxDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// fewDigits reads [0-9]+.[0-9]+ of at most maxDigits, and n = 0 where a text begins with
// anything else.
func fewDigits(text []byte) (v float64, n int) {
	n, whole := digits(text)
	if n == 0 || n > 1 && text[0] == '0' || n >= len(text) || text[n] != '.' {
		return 0, 0
	}
	m, fraction := digits(text[n+1:])
	end := n + 1 + m
	if m == 0 || n+m > maxDigits || end < len(text) && text[end]|0x20 == 'e' {
		return 0, 0
	}
	return (float64(whole)*tens[m] + float64(fraction)) / tens[m], end
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
