package audit

import (
	"fmt"
	"strconv"
	"strings"
)

// A Key names a trial or one of its results. Cell may be the first digits of a cell's identity.
type Key struct {
	Cell       string
	Replicate  int
	Classifier string // "": all of the trial
}

// ParseKey reads CELL/REPLICATE[/CLASSIFIER].
func ParseKey(text string) (Key, error) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) >= 2 && parts[0] != "" {
		if replicate, err := strconv.Atoi(parts[1]); err == nil && replicate > 0 {
			return Key{parts[0], replicate, strings.Join(parts[2:], "")}, nil
		}
	}
	return Key{}, fmt.Errorf("%q is no key; write CELL/REPLICATE or CELL/REPLICATE/CLASSIFIER, as copse status does",
		text)
}
