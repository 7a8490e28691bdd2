package view

import (
	"fmt"
	"strconv"
	"strings"
)

// Printed widths in millimetres. TextWidth is the text width of JMLR, 6 inches, which fits
// A4 and letter paper. ColumnWidth is the narrowest column of journals with two columns:
// 84 mm at Springer, 88.9 at IEEE, 90 at Elsevier.
const (
	TextWidth   = 6 * 25.4
	ColumnWidth = 84
)

// millimetres are the lengths of units in millimetres.
var millimetres = map[string]float64{"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72.27}

// narrowest and widest bound the printed width, in millimetres.
const narrowest, widest = 40, 420

// Width parses a printed width, "text", "column" or a length such as "12.5cm", and returns it
// in millimetres.
func Width(s string) (float64, error) {
	switch s {
	case "text":
		return TextWidth, nil
	case "column":
		return ColumnWidth, nil
	}
	for unit, factor := range millimetres {
		if number, ok := strings.CutSuffix(s, unit); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil {
				if w := v * factor; w >= narrowest && w <= widest {
					return w, nil
				}
				return 0, fmt.Errorf("width %q: a page holds 4cm to 42cm", s)
			}
		}
	}
	return 0, fmt.Errorf("width %q: want text, column or a length such as 12.5cm, 125mm or 5in", s)
}
