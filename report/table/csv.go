package table

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"copse/report/sheet"
)

// csvColumns follow the row factors in the CSV of a table. Numbers have full
// precision, in the table's unit; NA where there is none.
var csvColumns = []string{
	"classifier", "metric", "unit", "n", "failed", "mean", "sd", "mcse", "best", "bold",
	"p_adjusted", "rank_biserial", "shift", "shift_low", "shift_high",
}

// CSV writes one line per cell and classifier, for other programs. The test
// columns compare the row's best with this classifier: adjusted p-value,
// rank-biserial effect (negative: the best is better), Hodges-Lehmann shift
// with its confidence limits (best minus this one).
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(append(append([]string{}, t.Factors...), csvColumns...))
	for _, row := range t.Rows {
		for k, c := range row.Cells {
			line := make([]string, 0, len(t.Factors)+len(csvColumns))
			for _, level := range row.Levels {
				line = append(line, sheet.OrNA(level))
			}
			line = append(line, t.IDs[k], t.Measure.Name, t.Measure.Unit, strconv.Itoa(c.N), strconv.Itoa(c.Failed),
				sheet.Full(c.Mean), sheet.Full(c.SD), sheet.Full(c.MCSE), strconv.FormatBool(c.Best), strconv.FormatBool(c.Bold))
			if q := c.Compared; q != nil {
				unit := t.Measure.Scale
				low, high := q.Shift.Low, q.Shift.High
				if q.Shift.Level == 0 {
					low, high = math.NaN(), math.NaN()
				}
				line = append(line, sheet.Full(q.Adjusted), sheet.Full(q.Effect), sheet.Full(q.Shift.Estimate*unit), sheet.Full(low*unit), sheet.Full(high*unit))
			} else {
				line = append(line, "NA", "NA", "NA", "NA", "NA")
			}
			out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}
