package trial

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"

	"copse/experiments/external"
	"copse/stats/records"
)

// errTimeLimit returns the error of a fit or a draw that exceeded a time limit. If err is an
// external.Fault, the error contains its log. The argument suffix is appended to the message.
func errTimeLimit(limit time.Duration, suffix string, err error) error {
	exceeded := &external.Fault{Msg: fmt.Sprintf("time limit of %s exceeded%s", limit, suffix)}
	var fault *external.Fault
	if errors.As(err, &fault) {
		exceeded.Log = fault.Log
	}
	return exceeded
}

// Undrawn returns a failed result for a classifier whose data could not be drawn. err gives the
// reason.
func Undrawn(id, spec string, err error) records.Record {
	r := records.Record{Classifier: id, Spec: spec}
	recordFailure(&r, records.NotDrawn, "data: "+err.Error())
	return r
}

func recordFailure(r *records.Record, cause records.Cause, message string) {
	r.Status = records.Failed
	r.Cause = cause
	r.Message = OneLine(message)
	r.SetRates()
}

// OneLine replaces each run of white space with a single space. Stored messages have this form.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// module is the import path of this module, with a trailing slash.
var module = strings.TrimSuffix(reflect.TypeFor[Trial]().PkgPath(), "experiments/trial")

// panicMessage returns the message of a panic and, if known, the source line in this module where
// it occurred. It skips the experiment packages, which only call the classifiers.
func panicMessage(p any) string {
	message := fmt.Sprintf("panic: %v", p)
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)]) // skips Callers, panicMessage and its caller
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, module) && !strings.HasPrefix(f.Function, module+"experiments/") {
			return fmt.Sprintf("%s (in %s, line %d)", message, f.Function, f.Line)
		}
		if !more {
			return message
		}
	}
}
