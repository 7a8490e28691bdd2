package canvas

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Printed widths. TextWidth is that of a journal of one column: 6 inches in
// JMLR's style, which the text of A4 and letter paper holds as well. ColumnWidth
// is that of a journal of two: 84 mm at Springer, 88.9 at IEEE, 90 at Elsevier.
const (
	TextWidth   = 6 * vg.Inch
	ColumnWidth = 84 * vg.Millimeter
)

var units = map[string]vg.Length{"mm": vg.Millimeter, "cm": vg.Centimeter, "in": vg.Inch, "pt": vg.Inch / 72.27}

// narrowest and widest are what a page can hold.
const narrowest, widest = 40 * vg.Millimeter, 420 * vg.Millimeter

// Width reads a printed width: "text", "column" or a length such as "12.5cm".
func Width(s string) (vg.Length, error) {
	switch s {
	case "text":
		return TextWidth, nil
	case "column":
		return ColumnWidth, nil
	}
	for name, unit := range units {
		if number, ok := strings.CutSuffix(s, name); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil {
				if w := vg.Length(v) * unit; w >= narrowest && w <= widest {
					return w, nil
				}
				return 0, fmt.Errorf("width %q: a page holds 4cm to 42cm", s)
			}
		}
	}
	return 0, fmt.Errorf("width %q: want text, column or a length such as 12.5cm, 125mm or 5in", s)
}
