package recipe

import (
	"fmt"
)

// A Error is a parameter of a generator or classifier whose value is
// illegal, by itself or beside the others. Key is the name in its param tag.
type Error struct {
	Key string
	Msg string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Key, e.Msg) }
