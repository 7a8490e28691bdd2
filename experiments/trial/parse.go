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
// The next call of Parse overwrites a trial's results and confusion matrices.
type Parser struct {
	texts  map[string]string
	levels map[string]records.Levels // by their JSON

	rest    []byte // the text not read so far
	bad     bool   // the text has another form; encoding/json has to read it
	results []records.Record
	counts  []int // of the confusion matrices
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

// result reads the next of the results.
func (p *Parser) result() {
	p.results = append(p.results, records.Record{})
	r := &p.results[len(p.results)-1]
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
	p.bad = p.bad || err != nil
	return v
}

// number reads a key and a number.
func (p *Parser) number(key string) float64 {
	v, err := strconv.ParseFloat(p.numeral(key), 64)
	p.bad = p.bad || err != nil
	return v
}

// numeral reads a key and returns the JSON value behind it, which should be a number.
func (p *Parser) numeral(key string) string {
	p.want(key)
	end := max(0, bytes.IndexAny(p.rest, ",}]"))
	text := p.rest[:end]
	p.rest = p.rest[end:]
	p.bad = p.bad || !json.Valid(text) // strconv accepts more
	return string(text)
}

// levelsAt reads a key and levels. It keeps parsed levels, since all trials of a cell have
// the same.
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
	text := string(p.rest[:end])
	p.rest = p.rest[end+1:]
	byFactor := map[string]string{}
	p.bad = json.Unmarshal([]byte("{"+text+"}"), &byFactor) != nil
	levels := records.LevelsOf(byFactor)
	if !p.bad {
		p.levels[text] = levels
	}
	return levels
}
