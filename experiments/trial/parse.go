package trial

import (
	"bytes"
	"encoding/json"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser reads trials from JSON. It is fast for JSON as this package writes it, since a
// journal may have millions of lines; encoding/json reads any other form. Equal texts
// share memory.
//
// Each call of Parse overwrites the results and confusion matrices of the trial before.
//
// The methods below read the text of one trial from left to right: each reads a piece from the
// beginning of rest and removes it there. If the piece has another form than expected, the
// method sets bad and returns a zero value; the methods called after it then do no harm.
type Parser struct {
	texts  map[string]string         // each text by itself, for shared
	levels map[string]records.Levels // by their JSON

	rest    []byte           // the text not read so far
	bad     bool             // the text has another form; encoding/json has to read it
	results []records.Record // of the present trial; its memory is used again
	counts  []int            // of the confusion matrices of the present trial; likewise
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

// written reads a trial in the form in which this package writes it; nil: another form.
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
	p.want(`,"results":[`)
	for more := true; more && !p.bad; more = p.has(",") {
		p.results = append(p.results, p.result())
	}
	p.want("]}")
	if p.bad || len(p.rest) > 0 {
		return nil
	}
	t.Results = p.results
	t.completeResults()
	return t
}

// result reads the next of the results. Fields that a result may lack have a condition.
func (p *Parser) result() records.Record {
	r := records.Record{
		Classifier: p.shared(p.text(`{"id":`)),
		Spec:       p.shared(p.text(`,"spec":`)),
		Status:     records.Status(p.shared(p.text(`,"status":`))),
	}
	if key := `,"errors":`; p.next(key) {
		r.Errors = int(p.whole(key))
	}
	if key := `,"ber":`; p.next(key) {
		r.BER = p.number(key)
	}
	if key := `,"message":`; p.next(key) {
		r.Message = p.shared(p.text(key))
	}
	if key := `,"cause":`; p.next(key) {
		r.Cause = records.Cause(p.shared(p.text(key)))
	}
	if p.has(`,"confusion":[`) {
		r.Confusion = p.confusion()
	}
	if key := `,"tuned":`; p.next(key) {
		r.Tuned = p.shared(p.text(key))
	}
	if p.has(`,"metrics":{`) {
		r.Metrics = p.metrics()
	}
	r.Fit = p.number(`,"fit_s":`)
	r.Predict = p.number(`,"predict_s":`)
	if key := `,"peak_bytes":`; p.next(key) {
		r.Peak = p.whole(key)
	}
	p.want("}")
	if r.Settle() != nil {
		p.bad = true
	}
	return r
}

// confusion reads counts up to the end of their list. The results share the memory of p.counts.
func (p *Parser) confusion() metrics.Confusion {
	from := len(p.counts)
	for more := true; more && !p.bad; more = p.has(",") {
		p.counts = append(p.counts, int(p.whole("")))
	}
	p.want("]")
	to := len(p.counts)
	return metrics.Confusion(p.counts[from:to:to]) // a later append cannot reach it
}

// metrics reads values by name up to the end of the object.
func (p *Parser) metrics() map[string]float64 {
	values := map[string]float64{}
	for more := true; more && !p.bad; more = p.has(",") {
		name := p.shared(p.text(""))
		values[name] = p.number(":")
	}
	p.want("}")
	return values
}

// next reports whether the rest begins with a text.
func (p *Parser) next(text string) bool {
	return !p.bad && len(p.rest) >= len(text) && string(p.rest[:len(text)]) == text
}

// has skips a text if the rest begins with it, and reports whether it did.
func (p *Parser) has(text string) bool {
	there := p.next(text)
	if there {
		p.rest = p.rest[len(text):]
	}
	return there
}

// want skips a text with which the rest must begin.
func (p *Parser) want(text string) { p.bad = !p.has(text) }

// text reads a key and a JSON string of printable ASCII without escapes.
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

// shared returns a text as a string; equal texts share one string.
func (p *Parser) shared(text []byte) string {
	known, ok := p.texts[string(text)]
	if !ok {
		known = string(text)
		p.texts[known] = known
	}
	return known
}

// whole reads a key and an integer.
func (p *Parser) whole(key string) int64 {
	v, err := strconv.ParseInt(p.numeral(key), 10, 64)
	if err != nil {
		p.bad = true
	}
	return v
}

// number reads a key and a number.
func (p *Parser) number(key string) float64 {
	v, err := strconv.ParseFloat(p.numeral(key), 64)
	if err != nil {
		p.bad = true
	}
	return v
}

// numeral reads a key and the JSON number behind it, and returns the number's text.
func (p *Parser) numeral(key string) string {
	p.want(key)
	end := max(0, bytes.IndexAny(p.rest, ",}]"))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	if !json.Valid(text) { // strconv would accept more, such as Inf
		p.bad = true
	}
	return string(text)
}

// levelsAt reads a key and the object of levels behind it, up to its closing brace. It keeps
// parsed levels, since all trials of a cell have the same.
func (p *Parser) levelsAt(key string) records.Levels {
	p.want(key)
	end := bytes.IndexByte(p.rest, '}')
	if p.bad || end < 0 {
		p.bad = true
		return records.Levels{}
	}
	text := p.rest[:end]
	p.rest = p.rest[end+1:]
	if known, ok := p.levels[string(text)]; ok {
		return known
	}
	byFactor := map[string]string{}
	if err := json.Unmarshal([]byte("{"+string(text)+"}"), &byFactor); err != nil {
		p.bad = true
		return records.Levels{}
	}
	levels := records.LevelsOf(byFactor)
	p.levels[string(text)] = levels
	return levels
}
