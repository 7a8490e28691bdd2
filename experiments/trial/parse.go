package trial

import (
	"bytes"
	"encoding/json"
	"strconv"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Parser parses trials from JSON. It is fast for JSON written by this package. Each call of Parse
// overwrites the results that the previous call returned.
type Parser struct {
	texts  map[string]string         // texts parsed so far; equal texts share memory
	levels map[string]records.Levels // factor levels parsed so far, keyed by their JSON

	// Each method below parses the beginning of rest and removes it. If the text has another form,
	// the method sets failed.
	rest    []byte           // the part of the text that has not been read yet
	failed  bool             // the text does not have the expected form
	results []records.Record // results of the current trial; the memory is reused for the next trial
	counts  []int            // confusion matrices of the current trial; the memory is reused for the next trial
}

// Parse parses one trial. It returns an error for an unknown key.
func (p *Parser) Parse(text []byte) (*Trial, error) {
	if t := p.parseExact(text); t != nil {
		return t, nil
	}
	t := &Trial{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, err
	}
	return t, nil
}

// parseExact parses a trial in the exact form that this package writes, and returns nil for any
// other form. The next call overwrites the results.
func (p *Parser) parseExact(text []byte) *Trial {
	if p.texts == nil {
		p.texts = map[string]string{}
		p.levels = map[string]records.Levels{}
	}
	p.rest = text
	p.failed = false
	p.results = p.results[:0] // reuses the memory of the previous call, as does p.counts
	p.counts = p.counts[:0]
	t := &Trial{}
	t.Cell = p.expect(`{"cell":`).sharedText()
	t.Levels = p.expect(`,"levels":{`).levelsObject()
	t.Replicate = int(p.expect(`,"replicate":`).integer())
	t.Data = string(p.expect(`,"data":`).asciiText())
	t.NTest = int(p.expect(`,"n_test":`).integer())
	p.expect(`,"results":[`)
	for more := true; more && !p.failed; more = p.accept(",") {
		p.results = append(p.results, p.parseResult())
	}
	p.expect("]}")
	if p.failed || len(p.rest) > 0 {
		return nil
	}
	t.Results = p.results
	t.completeResults()
	return t
}

// parseResult parses the result of one classifier.
func (p *Parser) parseResult() records.Record {
	r := records.Record{
		Classifier: p.expect(`{"id":`).sharedText(),
		Spec:       p.expect(`,"spec":`).sharedText(),
		Status:     records.Status(p.expect(`,"status":`).sharedText()),
	}
	if p.accept(`,"errors":`) {
		r.Errors = int(p.integer())
	}
	if p.accept(`,"ber":`) {
		r.BER = p.number()
	}
	if p.accept(`,"message":`) {
		r.Message = p.sharedText()
	}
	if p.accept(`,"cause":`) {
		r.Cause = records.Cause(p.sharedText())
	}
	if p.accept(`,"confusion":[`) {
		r.Confusion = p.confusionCounts()
	}
	if p.accept(`,"tuned":`) {
		r.Tuned = p.sharedText()
	}
	if p.accept(`,"metrics":{`) {
		r.Metrics = p.metricValues()
	}
	r.Fit = p.expect(`,"fit_s":`).number()
	r.Predict = p.expect(`,"predict_s":`).number()
	if p.accept(`,"peak_bytes":`) {
		r.Peak = p.integer()
	}
	p.expect("}")
	if err := r.Settle(); err != nil { // sets the fields that are not stored; fails if the values are inconsistent
		p.failed = true
	}
	return r
}

// confusionCounts parses the counts of a confusion matrix and appends them to p.counts.
func (p *Parser) confusionCounts() metrics.Confusion {
	from := len(p.counts)
	for more := true; more && !p.failed; more = p.accept(",") {
		p.counts = append(p.counts, int(p.integer()))
	}
	p.expect("]")
	to := len(p.counts)
	return metrics.Confusion(p.counts[from:to:to]) // appending to the result must not overwrite later counts
}

func (p *Parser) metricValues() map[string]float64 {
	values := map[string]float64{}
	for more := true; more && !p.failed; more = p.accept(",") {
		name := p.sharedText()
		values[name] = p.expect(":").number()
	}
	p.expect("}")
	return values
}

// accept reports whether rest begins with the given text. If so, it removes the text.
func (p *Parser) accept(text string) bool {
	if p.failed || len(p.rest) < len(text) || string(p.rest[:len(text)]) != text {
		return false
	}
	p.rest = p.rest[len(text):]
	return true
}

// expect removes the given text from the beginning of p.rest, or sets p.failed. It returns p for
// chaining.
func (p *Parser) expect(text string) *Parser {
	p.failed = !p.accept(text)
	return p
}

// asciiText parses a JSON string that contains only printable ASCII characters and no escapes.
func (p *Parser) asciiText() []byte {
	if p.accept(`"`) {
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
	p.failed = true
	return nil
}

// sharedText parses a JSON string. Equal strings share memory.
func (p *Parser) sharedText() string {
	text := p.asciiText()
	known, ok := p.texts[string(text)]
	if !ok {
		known = string(text)
		p.texts[known] = known
	}
	return known
}

func (p *Parser) integer() int64 {
	v, err := strconv.ParseInt(p.numeral(), 10, 64)
	p.failed = p.failed || err != nil
	return v
}

func (p *Parser) number() float64 {
	v, err := strconv.ParseFloat(p.numeral(), 64)
	p.failed = p.failed || err != nil
	return v
}

func (p *Parser) numeral() string {
	end := max(0, bytes.IndexAny(p.rest, ",}]"))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	if !json.Valid(text) { // excludes texts that strconv accepts but JSON does not, such as Inf
		p.failed = true
	}
	return string(text)
}

// levelsObject parses a JSON object of factor levels, starting after its opening brace. It fails if
// a level contains a brace; encoding/json then parses the trial.
func (p *Parser) levelsObject() records.Levels {
	text, rest, found := bytes.Cut(p.rest, []byte("}"))
	if p.failed || !found {
		p.failed = true
		return records.Levels{}
	}
	p.rest = rest
	if cached, ok := p.levels[string(text)]; ok { // all trials of a cell have the same levels
		return cached
	}
	byFactor := map[string]string{}
	if err := json.Unmarshal([]byte("{"+string(text)+"}"), &byFactor); err != nil {
		p.failed = true
		return records.Levels{}
	}
	levels := records.LevelsOf(byFactor)
	p.levels[string(text)] = levels
	return levels
}
