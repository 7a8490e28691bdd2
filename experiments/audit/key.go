package audit

import (
	"fmt"
	"strconv"
	"strings"
)

// A Key selects a stored trial, or a single result of the trial.
type Key struct {
	Cell       string // identity of the cell, or its first digits
	Replicate  int
	Classifier string // "": all classifiers
}

// ParseKey parses CELL/REPLICATE or CELL/REPLICATE/CLASSIFIER.
func ParseKey(text string) (Key, error) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) >= 2 && parts[0] != "" {
		if replicate, err := strconv.Atoi(parts[1]); err == nil && replicate > 0 {
			return Key{Cell: parts[0], Replicate: replicate, Classifier: strings.Join(parts[2:], "")}, nil
		}
	}
	return Key{}, fmt.Errorf("%q is not the key of a result; write CELL/REPLICATE or CELL/REPLICATE/CLASSIFIER "+
		"(`copse status RESULTS --details` lists the cells)", text)
}
