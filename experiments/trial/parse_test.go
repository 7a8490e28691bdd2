package trial

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"copse/stats/metrics"
	"copse/stats/records"
)

// everyKind is trials with every field, as journals hold them.
func everyKind() []*Trial {
	levels := records.LevelsOf(map[string]string{"n": "20", "cpd": "gaussian"})
	odd := records.LevelsOf(map[string]string{"n": "a}\"b\\", "cpd": "é"})
	return []*Trial{
		{Cell: "c1", Levels: levels, Replicate: 3, Data: "0123", NTest: 10, Results: []records.Record{
			{Classifier: "nb", Spec: "nb/1{}", Status: records.OK, Errors: 3, BER: 0.3,
				Fit: 1e-7, Predict: 12.5, Peak: 1 << 40},
			{Classifier: "rf", Spec: "rf/2{trees=5}", Status: records.OK, Confusion: metrics.Confusion{4, 1, 2, 3},
				Tuned:   "c=1 | error=0.25 candidates=4 failed=0",
				Metrics: map[string]float64{"auc": 0.75, "brier": 1e-300}},
			{Classifier: "tan", Spec: "tan/1{}", Status: records.Failed, Message: "why not",
				Cause: records.OutOfTime}}},
		{Cell: "c1", Levels: levels, Replicate: 4, Results: []records.Record{
			{Classifier: "nb", Status: records.Failed, Message: "a \"quoted\"\tword\n\x1b é < >"}}},
		{Cell: "c2", Levels: odd, Replicate: 1, NTest: 3, Results: []records.Record{
			{Classifier: "nb", Status: records.OK, Confusion: metrics.Confusion{1, 2, 0, 0}}}},
		{Cell: "c3", Replicate: 1, Results: []records.Record{}},
	}
}

// spelled treats all NaNs as equal and distinguishes nil from an empty list.
func spelled(t *Trial) string { return fmt.Sprintf("%#v", *t) }

func decode(text []byte) (*Trial, error) {
	t := &Trial{}
	return t, json.Unmarshal(text, t)
}

// agree tests that the parser and encoding/json read the same values.
func agree(t *testing.T, p *Parser, text []byte) (own bool) {
	t.Helper()
	got := p.parseExact(text)
	if got == nil {
		return false
	}
	if want, err := decode(text); err != nil || spelled(got) != spelled(want) {
		t.Fatalf("%s\nis read as %+v,\nwant %+v, %v", text, got, want, err)
	}
	return true
}

// The parser reads everything that copse writes without encoding/json, except escapes, and gets the same
// values.
func TestParserReadsWhatIsWritten(t *testing.T) {
	p := &Parser{}
	for range 2 { // what is known by then changes nothing
		for _, trial := range everyKind() {
			text, err := json.Marshal(trial)
			if err != nil {
				t.Fatal(err)
			}
			plain := !strings.ContainsAny(string(text), `\é`) && len(trial.Results) > 0
			if own := agree(t, p, text); own != plain {
				t.Errorf("parsed: %v, want %v\n%s", own, plain, text)
			}
			got, err := p.Parse(text)
			if want, _ := decode(text); err != nil || spelled(got) != spelled(want) {
				t.Errorf("%s\nis %+v, %v; want %+v", text, got, err, want)
			}
		}
	}
}

// The parser reads every text that it accepts like encoding/json.
func FuzzParser(f *testing.F) {
	for _, trial := range everyKind() {
		text, err := json.Marshal(trial)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{
		`01`, `-0`, `1.`, `1e5`, `-1`, `9223372036854775808`, `1e999`, `null`, `NaN`, `0x1p-2`, `1_0`,
	} {
		f.Add(`{"cell":"c","levels":{"n":"1","n":"2"},"replicate":` + text + `,"data":"","n_test":` + text +
			`,"results":[{"id":"","spec":"","status":"","confusion":[` + text + `],"fit_s":` + text +
			`,"predict_s":` + text + `}]}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := &Parser{}
		agree(t, p, []byte(text))
		agree(t, p, []byte(text)) // with what it knows now
	})
}

// BenchmarkParser reads a trial with eight results by the parser and by encoding/json.
func BenchmarkParser(b *testing.B) {
	trial := everyKind()[0]
	for len(trial.Results) < 8 {
		trial.Results = append(trial.Results, trial.Results[1])
	}
	text, err := json.Marshal(trial)
	if err != nil {
		b.Fatal(err)
	}
	p := &Parser{}
	b.Run("parser", func(b *testing.B) {
		for b.Loop() {
			p.parseExact(text)
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			decode(text)
		}
	})
}
