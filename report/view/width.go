package view

import (
	"fmt"
	"strconv"
	"strings"
)

// These are printed widths in millimetres. TextWidth is the text width of JMLR, which fits on A4
// and letter paper. ColumnWidth is the column width of Springer's journals. Columns of ICML are
// narrower (82.6 mm); columns of ACM (84.7 mm), IEEE (88.6 mm) and Elsevier (90 mm) are wider.
const (
	TextWidth   = 6 * 25.4
	ColumnWidth = 84
)

var millimetres = map[string]float64{"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72.27}

const narrowest, widest = 40, 420

// Width converts a printed width to millimetres. s is "text", "column" or a length with its unit,
// such as "12.5cm". Package config adds mm to a number without a unit.
func Width(s string) (float64, error) {
	switch s {
	case "text":
		return TextWidth, nil
	case "column":
		return ColumnWidth, nil
	}
	for unit, factor := range millimetres {
		number, hasUnit := strings.CutSuffix(s, unit)
		if !hasUnit {
			continue
		}
		length, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			break // report the general error
		}
		if width := length * factor; width >= narrowest && width <= widest {
			return width, nil
		}
		return 0, fmt.Errorf("the width must be between 4cm and 42cm, got %q", s)
	}
	return 0, fmt.Errorf("want `text`, `column`, a length such as `12.5cm` or `5in`, or a number in mm, got %q", s)
}
