package trial

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"

	"copse/stats/records"
)

// A timeLimitError says that a fit ran out of its time.
type timeLimitError struct{ Limit time.Duration }

func (e *timeLimitError) Error() string { return fmt.Sprintf("time limit of %s exceeded", e.Limit) }

// A drawError says why there were no data to fit.
type drawError struct{ Err error }

func (e *drawError) Error() string { return "data: " + e.Err.Error() }
func (e *drawError) Unwrap() error { return e.Err }

// Undrawn is the result of a classifier whose data could not be drawn.
func Undrawn(id, spec string, err error) records.Record {
	r := records.Record{Classifier: id, Spec: spec}
	fail(&r, &drawError{err})
	return r
}

// fail says why there is no result.
func fail(r *records.Record, err error) {
	r.Status, r.Cause, r.Message = records.Failed, records.FitFailed, OneLine(err.Error())
	var limit *timeLimitError
	var draw *drawError
	switch {
	case errors.As(err, &draw):
		r.Cause = records.NotDrawn
	case errors.As(err, &limit):
		r.Cause = records.OutOfTime
	}
	r.Rate()
}

// OneLine is a message for a record: a line of its own.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// module is the path of this module with a slash.
var module = strings.TrimSuffix(reflect.TypeFor[Trial]().PkgPath(), "experiments/trial")

// panicMessage names a panic and the line of this module's code that raised it.
func panicMessage(p any) string {
	message := fmt.Sprintf("panic: %v", p)
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
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
