package trial

import (
	"bytes"
	"encoding/json"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser parses trials from JSON. It is fast for JSON written by this package, since a journal may have
// millions of lines. Each call of Parse overwrites the results and confusion matrices of the previous call.
//
// Each method below parses a prefix of rest and removes it. It sets bad if the text does not have the
// expected form.
type Parser struct {
	texts  map[string]string         // the texts so far, so that equal texts share memory
	levels map[string]records.Levels // the factor levels so far, by their JSON

	rest    []byte           // the part of the text that is not read yet
	bad     bool             // the text does not have the expected form
	results []records.Record // results of the current trial; the next trial reuses the memory
	counts  []int            // confusion matrices of the current trial; the next trial reuses the memory
}

// Parse parses one trial. It returns an error for an unknown key.
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

// written parses a trial in the exact form that this package writes, and returns nil for any other form. Go
// evaluates the fields of a composite literal in order, so they are parsed from left to right.
func (p *Parser) written(text []byte) *Trial {
	if p.texts == nil {
		p.texts, p.levels = map[string]string{}, map[string]records.Levels{}
	}
	p.rest, p.bad, p.results, p.counts = text, false, p.results[:0], p.counts[:0]
	t := &Trial{
		Cell:      p.after(`{"cell":`).shared(),
		Levels:    p.after(`,"levels":{`).levelsAhead(),
		Replicate: int(p.after(`,"replicate":`).whole()),
		Data:      string(p.after(`,"data":`).text()),
		NTest:     int(p.after(`,"n_test":`).whole()),
	}
	p.after(`,"results":[`)
	for more := true; more && !p.bad; more = p.has(",") {
		p.results = append(p.results, p.result())
	}
	if p.after("]}"); p.bad || len(p.rest) > 0 {
		return nil
	}
	t.Results = p.results
	t.completeResults()
	return t
}

func (p *Parser) result() records.Record {
	r := records.Record{
		Classifier: p.after(`{"id":`).shared(),
		Spec:       p.after(`,"spec":`).shared(),
		Status:     records.Status(p.after(`,"status":`).shared()),
	}
	if p.has(`,"errors":`) {
		r.Errors = int(p.whole())
	}
	if p.has(`,"ber":`) {
		r.BER = p.number()
	}
	if p.has(`,"message":`) {
		r.Message = p.shared()
	}
	if p.has(`,"cause":`) {
		r.Cause = records.Cause(p.shared())
	}
	if p.has(`,"confusion":[`) {
		r.Confusion = p.confusion()
	}
	if p.has(`,"tuned":`) {
		r.Tuned = p.shared()
	}
	if p.has(`,"metrics":{`) {
		r.Metrics = p.metrics()
	}
	r.Fit = p.after(`,"fit_s":`).number()
	r.Predict = p.after(`,"predict_s":`).number()
	if p.has(`,"peak_bytes":`) {
		r.Peak = p.whole()
	}
	if p.after("}"); r.Settle() != nil {
		p.bad = true
	}
	return r
}

// confusion parses the counts of a confusion matrix and appends them to p.counts.
func (p *Parser) confusion() metrics.Confusion {
	from := len(p.counts)
	for more := true; more && !p.bad; more = p.has(",") {
		p.counts = append(p.counts, int(p.whole()))
	}
	p.after("]")
	to := len(p.counts)
	return metrics.Confusion(p.counts[from:to:to]) // the capacity keeps later appends from overwriting it
}

func (p *Parser) metrics() map[string]float64 {
	values := map[string]float64{}
	for more := true; more && !p.bad; more = p.has(",") {
		name := p.shared()
		values[name] = p.after(":").number()
	}
	p.after("}")
	return values
}

// has reports whether rest begins with the given text, and removes the text if it does.
func (p *Parser) has(text string) bool {
	if p.bad || len(p.rest) < len(text) || string(p.rest[:len(text)]) != text {
		return false
	}
	p.rest = p.rest[len(text):]
	return true
}

// after removes the given text, with which rest must begin. It returns p.
func (p *Parser) after(text string) *Parser {
	p.bad = !p.has(text)
	return p
}

// text parses a JSON string of printable ASCII characters without escapes.
func (p *Parser) text() []byte {
	if p.has(`"`) {
		for i, c := range p.rest {
			if c == '"' {
				text := p.rest[:i]
				p.rest = p.rest[i+1:]
				return text
			}
			if c < ' ' || c > '~' || c == '\\' {
				break
			}
		}
	}
	p.bad = true
	return nil
}

// shared parses a JSON string. Equal strings share their memory.
func (p *Parser) shared() string {
	text := p.text()
	known, ok := p.texts[string(text)]
	if !ok {
		known = string(text)
		p.texts[known] = known
	}
	return known
}

func (p *Parser) whole() int64 {
	v, err := strconv.ParseInt(p.numeral(), 10, 64)
	p.bad = p.bad || err != nil
	return v
}

func (p *Parser) number() float64 {
	v, err := strconv.ParseFloat(p.numeral(), 64)
	p.bad = p.bad || err != nil
	return v
}

// numeral parses a JSON number and returns its digits.
func (p *Parser) numeral() string {
	end := max(0, bytes.IndexAny(p.rest, ",}]"))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	if !json.Valid(text) { // excludes texts that strconv accepts but JSON does not, such as Inf
		p.bad = true
	}
	return string(text)
}

// levelsAhead parses factor levels up to the closing brace of a JSON object. It caches them, since all
// trials of a cell have the same levels.
func (p *Parser) levelsAhead() records.Levels {
	text, rest, found := bytes.Cut(p.rest, []byte("}"))
	if p.bad || !found {
		p.bad = true
		return records.Levels{}
	}
	p.rest = rest
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
