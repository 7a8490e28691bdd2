package study

import (
	"fmt"
	"strings"
)

// SplitInWords says how rows are divided into training and test sets; "" where a
// generator draws both.
func (data *Data) SplitInWords() string {
	words := ""
	switch {
	case data.Folds > 0:
		words = fmt.Sprintf("%d folds", data.Folds)
	case data.Holdout > 0:
		words = fmt.Sprintf("holdout of %v", data.Holdout)
	case data.FromFiles():
		words = "official test set"
	default:
		return ""
	}
	if data.Groups != "" {
		words += " of whole groups (" + data.Groups + ")"
	} else if data.Random && (data.Folds > 0 || data.Holdout > 0) {
		words += ", not stratified"
	}
	return words
}

// NoiseInWords says which values are removed and which labels changed; "": none.
func (data *Data) NoiseInWords() string {
	var parts []string
	where := map[string]string{"train": "training", "test": "test", "both": "training and test"}[data.Missing.Where]
	switch m := data.Missing; {
	case m.PerRow > 0:
		parts = append(parts, fmt.Sprintf("each %s row loses %v of its values", where, m.PerRow))
	case m.MCAR > 0:
		parts = append(parts, fmt.Sprintf("each %s value is missing with probability %v", where, m.MCAR))
	case m.MAR > 0:
		parts = append(parts, fmt.Sprintf("each %s value is missing with mean probability %v, more where %s is large", where, m.MAR, m.On))
	}
	if data.Flip > 0 {
		parts = append(parts, fmt.Sprintf("a training label is another class with probability %v", data.Flip))
	}
	return strings.Join(parts, "; ")
}
