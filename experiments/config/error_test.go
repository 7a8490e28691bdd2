package config

import (
	"errors"
	"testing"

	"copse/internal/errtest"
)

// The message of a mistake has one line and no control characters, whatever the user wrote.
func TestErrorIsOneLine(t *testing.T) {
	const value = "a\nb\x1b[31m\"\u202e"
	err := &Error{Origin: value, Line: 2, Column: 3, Path: value, Msg: value, Cause: errors.New(value)}
	const shown = `a\nb\x1b[31m"\u202e`
	errtest.Equal(t, err, shown+":2:3: "+shown+": "+shown+": "+shown)
}
