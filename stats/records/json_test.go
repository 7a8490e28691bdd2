package records_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A line of a journal contains only what cannot be computed from other fields.
func TestRecordJSON(t *testing.T) {
	for text, want := range map[string]records.Record{
		`{"id":"nb","spec":"nb/1{}","status":"ok","confusion":[2,1,0,3],"metrics":{"auc":0.5},` +
			`"fit_s":1.5,"predict_s":0.25,"peak_bytes":7}`: {
			Classifier: "nb",
			Spec:       "nb/1{}",
			Status:     records.OK,
			Confusion:  metrics.Confusion{2, 1, 0, 3},
			Errors:     1,
			Error:      1. / 6,
			BER:        1. / 6,
			Metrics:    map[string]float64{"auc": 0.5},
			Fit:        1.5,
			Predict:    0.25,
			Peak:       7,
		},
		`{"id":"nb","spec":"nb/1{}","status":"ok","errors":3,"ber":0.3,"fit_s":0,"predict_s":0}`: {
			Classifier: "nb",
			Spec:       "nb/1{}",
			Status:     records.OK,
			Errors:     3,
			Error:      0.5,
			BER:        0.3,
		},
		`{"id":"nb","spec":"nb/1{}","status":"failed","message":"why","cause":"time limit","fit_s":0,"predict_s":0}`: {
			Classifier: "nb",
			Spec:       "nb/1{}",
			Status:     records.Failed,
			Error:      math.NaN(),
			BER:        math.NaN(),
			Message:    "why",
			Cause:      records.OutOfTime,
		},
	} {
		r := records.Record{NTest: 6}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		r.SetRates()
		want.NTest = 6
		if again, err := json.Marshal(want); err != nil || string(again) != text {
			t.Errorf("%v\n%s\n%s", err, again, text)
		}
		if math.IsNaN(r.Error) && math.IsNaN(r.BER) && r.Status == records.Failed {
			r.Error, r.BER, want.Error, want.BER = 0, 0, 0, 0
		}
		if !reflect.DeepEqual(r, want) {
			t.Errorf("%+v\nwant %+v", r, want)
		}
	}
	for _, bad := range []string{
		`{"id":"nb","colour":1}`,
		`{"confusion":[1,2,3]}`,
		`{"errors":1,"confusion":[1,0,0,1]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &records.Record{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// Only after a limit does the reason of a failure omit the program's output.
func TestReason(t *testing.T) {
	for message, want := range map[string]string{
		"time limit of 1s exceeded; it printed: epoch 7":       "time limit of 1s exceeded",
		"data: time limit of 1s exceeded; it printed: draws":   "data: time limit of 1s exceeded",
		"memory limit of 300 MB exceeded; it printed: epoch 7": "memory limit of 300 MB exceeded",
		"exit status 1; it printed: a limit of zero":           "exit status 1; it printed: a limit of zero",
		"time limit of 1s exceeded":                            "time limit of 1s exceeded",
	} {
		if got := (&records.Record{Message: message}).Reason(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Old journals and records.csv contain no cause, so it is derived from old messages. An existing cause is not
// changed.
func TestCausesOfOldJournals(t *testing.T) {
	for message, want := range map[string]records.Cause{
		"time limit of 1s exceeded": records.OutOfTime,
		"data: no rows":             records.NotDrawn,
		"no data: x":                records.FitFailed,
		"":                          records.FitFailed,
	} {
		text, _ := json.Marshal(map[string]string{"status": "failed", "message": message})
		csv := header + "s,c1,200,1,slb,failed,10,NA,NA,NA,f1," + message + "\n"
		var r records.Record
		if err := json.Unmarshal(text, &r); err != nil || r.Cause != want {
			t.Errorf("%q: %q, %v", message, r.Cause, err)
		}
		if list, err := records.Read(strings.NewReader(csv), ""); err != nil || list.Rows[0].Cause != want {
			t.Errorf("%q in records.csv: %v", message, err)
		}
	}
	r := records.Record{}
	text := []byte(`{"status":"failed","cause":"fit","message":"time limit of something"}`)
	if err := json.Unmarshal(text, &r); err != nil || r.Cause != records.FitFailed {
		t.Errorf("%q, %v", r.Cause, err)
	}
}
