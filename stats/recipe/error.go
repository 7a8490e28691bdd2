package recipe

import (
	"fmt"
)

// An Error reports that a parameter of a generator or classifier has an illegal value, or that it
// contradicts another parameter.
type Error struct {
	Key string // name of the parameter in its param tag
	Msg string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Key, e.Msg) }
