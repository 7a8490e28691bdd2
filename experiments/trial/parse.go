package trial

import (
	"bytes"
	"encoding/json"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser reads trials from JSON. It is fast if the JSON has exactly the form that this package
// writes, because a journal may have millions of lines. It reads any other form with encoding/json.
// Equal texts share memory.
//
// Each call of Parse overwrites the results and confusion matrices that the previous call returned.
//
// The methods below read the text of one trial from left to right. Each method reads a part at the
// beginning of rest and removes it. If the part does not have the expected form, the method sets bad
// and returns a zero value. Methods called after that have no further effect.
type Parser struct {
	texts  map[string]string         // the texts so far, so that equal texts share memory
	levels map[string]records.Levels // the factor levels so far, by their JSON

	rest    []byte           // the part of the text that is not read yet
	bad     bool             // the text does not have the expected form
	results []records.Record // results of the current trial; the next trial reuses the memory
	counts  []int            // confusion matrices of the current trial; the next trial reuses the memory
}

// Parse reads one trial. It returns an error for an unknown key.
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

// written reads a trial in the form that this package writes. It returns nil if the text has another
// form.
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

// result reads one result. Optional fields are read only if their key comes next.
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

// confusion reads the counts of a confusion matrix up to the closing bracket. The matrix is a part of
// p.counts.
func (p *Parser) confusion() metrics.Confusion {
	from := len(p.counts)
	for more := true; more && !p.bad; more = p.has(",") {
		p.counts = append(p.counts, int(p.whole("")))
	}
	p.want("]")
	to := len(p.counts)
	return metrics.Confusion(p.counts[from:to:to]) // the capacity keeps later appends from overwriting it
}

// metrics reads the values of metrics by name, up to the closing brace.
func (p *Parser) metrics() map[string]float64 {
	values := map[string]float64{}
	for more := true; more && !p.bad; more = p.has(",") {
		name := p.shared(p.text(""))
		values[name] = p.number(":")
	}
	p.want("}")
	return values
}

// next reports whether the rest begins with the given text.
func (p *Parser) next(text string) bool {
	return !p.bad && len(p.rest) >= len(text) && string(p.rest[:len(text)]) == text
}

// has reports whether the rest begins with the given text. If it does, has removes the text.
func (p *Parser) has(text string) bool {
	found := p.next(text)
	if found {
		p.rest = p.rest[len(text):]
	}
	return found
}

// want removes the given text, with which the rest must begin.
func (p *Parser) want(text string) { p.bad = !p.has(text) }

// text reads a key and a JSON string. The string must consist of printable ASCII characters and have
// no escapes.
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

// shared converts a text to a string. It returns the same string for equal texts, to save memory.
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

// numeral reads a key and a JSON number, and returns the digits of the number as text.
func (p *Parser) numeral(key string) string {
	p.want(key)
	end := max(0, bytes.IndexAny(p.rest, ",}]"))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	if !json.Valid(text) { // excludes texts that strconv accepts but JSON does not, such as Inf
		p.bad = true
	}
	return string(text)
}

// levelsAt reads a key and a JSON object of factor levels, up to its closing brace. It caches the
// levels, because all trials of a cell have the same levels.
func (p *Parser) levelsAt(key string) records.Levels {
	p.want(key)
	end := bytes.IndexByte(p.rest, '}')
	if p.bad || end < 0 {
		p.bad = true
		return records.Levels{}
	}
	text := p.rest[:end]
	p.rest = p.rest[end+1:]
	if cached, ok := p.levels[string(text)]; ok {
		return cached
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
