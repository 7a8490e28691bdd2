package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// csvColumns follow the row factors in the CSV of a table. Numbers have full
// precision, in the table's unit; NA where there is none.
var csvColumns = []string{
	"classifier", "metric", "unit", "n", "failed", "mean", "sd", "mcse", "best", "bold",
	"p_adjusted", "rank_biserial", "shift", "shift_low", "shift_high",
}

// csv writes one line per cell and classifier, for other programs. The test
// columns compare the row's best with this classifier: adjusted p-value,
// rank-biserial effect (negative: the best is better), Hodges-Lehmann shift
// with its confidence limits (best minus this one).
func (t *table) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(append([]string{}, t.Factors...), csvColumns...))
	for _, row := range t.Rows {
		for k, c := range row.Cells {
			line := make([]string, 0, len(t.Factors)+len(csvColumns))
			for _, level := range row.Levels {
				line = append(line, orNA(level))
			}
			line = append(line, t.IDs[k], t.measure.name, t.measure.unit, strconv.Itoa(c.N), strconv.Itoa(c.Failed),
				full(c.Mean), full(c.SD), full(c.MCSE), strconv.FormatBool(c.Best), strconv.FormatBool(c.Bold))
			if q := c.Compared; q != nil {
				unit := t.measure.scale
				low, high := q.Shift.Low, q.Shift.High
				if q.Shift.Level == 0 {
					low, high = math.NaN(), math.NaN()
				}
				line = append(line, full(q.Adjusted), full(q.Effect), full(q.Shift.Estimate*unit), full(low*unit), full(high*unit))
			} else {
				line = append(line, "NA", "NA", "NA", "NA", "NA")
			}
			out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}

// full writes every digit that v has, NA when there is none.
func full(v float64) string {
	if math.IsNaN(v) {
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func orNA(s string) string {
	if s == "" {
		return "NA"
	}
	return s
}
