package verdicts

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// Published holds one table of a paper as error rates.
type Published struct {
	Columns  []string // the columns that identify a row, in the file's order
	Quantity string   // printed quantity: "error", "ber" or "accuracy"
	Percent  bool     // printed in percent
	Rows     []PublishedRow

	mean, sd, low, high int   // indices of the columns of errors or accuracies; -1: no such column
	keys                []int // indices of Columns
}

// A PublishedRow is one printed number. Its statistics are error rates in [0,1], even if
// the paper prints accuracies; NaN: not printed.
type PublishedRow struct {
	Key      []string // in the order of Published.Columns
	Mean     float64
	SD       float64
	Min, Max float64 // of the error over replicates
	Rounding float64 // half a unit of the mean's last printed digit, as a share

	roundingMin, roundingMax float64
}

// Counterparts returns one counterpart per printed statistic of the row: its mean and, if
// printed, its minimum and maximum, which are compared with our losses.
func (r *PublishedRow) Counterparts(ours []float64) []Counterpart {
	list := []Counterpart{{Published: Reported{Mean: r.Mean, SD: r.SD, Rounding: r.Rounding}}}
	if !math.IsNaN(r.Min) {
		list = append(list, Counterpart{Published: Reported{Mean: r.Min, SD: math.NaN(), Rounding: r.roundingMin},
			Extreme: &Extreme{Ours: ours}})
	}
	if !math.IsNaN(r.Max) {
		list = append(list, Counterpart{Published: Reported{Mean: r.Max, SD: math.NaN(), Rounding: r.roundingMax},
			Extreme: &Extreme{Largest: true, Ours: ours}})
	}
	return list
}

// ReadPublished reads a table from a CSV file: a header, then one number per row. The column of
// means is named mean_QUANTITY or mean_QUANTITY_pct, where QUANTITY is error, ber or accuracy.
// The columns of standard deviations, minima and maxima begin with sd_, min_ and max_ instead.
// All other columns identify the row, except those to ignore. Digits count: 15.0 is printed to
// a tenth. Errors name the file, the row (the header is row 1) and the column.
func ReadPublished(path string, ignore []string) (*Published, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readPublished(f, path, ignore)
}

// readPublished is ReadPublished for the content of the named file.
func readPublished(r io.Reader, name string, ignore []string) (*Published, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty file, expected a header line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	p := &Published{}
	if err := p.readHeader(header, ignore); err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	firstRow := map[string]int{} // row in which a key first occurs
	for row := 2; ; row++ {
		fields, err := reader.Read()
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, row, err)
		}
		published, err := p.readRow(header, fields)
		if err != nil {
			return nil, fmt.Errorf("%s: row %d, %w", name, row, err)
		}
		key := strings.Join(published.Key, "\x00")
		if firstRow[key] > 0 {
			return nil, fmt.Errorf("%s: row %d: the same key as row %d: %q", name, row, firstRow[key], published.Key)
		}
		firstRow[key] = row
		p.Rows = append(p.Rows, published)
	}
}

// readHeader sets Columns, Quantity, Percent and the indices of the columns.
func (p *Published) readHeader(header, ignore []string) error {
	for j, column := range header {
		if column == "" || slices.Contains(header[:j], column) {
			return fmt.Errorf("column %d, %q, is unnamed or occurs twice", j+1, column)
		}
	}
	for _, column := range ignore {
		if !slices.Contains(header, column) {
			return fmt.Errorf("no column %q to ignore", column)
		}
	}
	mean, err := onlyMean(header, ignore)
	if err != nil {
		return err
	}
	quantity := strings.TrimPrefix(mean, "mean_")
	p.Quantity, p.Percent = strings.CutSuffix(quantity, "_pct")
	if !slices.Contains([]string{"error", "ber", "accuracy"}, p.Quantity) {
		return fmt.Errorf("column %s: the quantity %q is none of error, ber, accuracy", mean, p.Quantity)
	}
	p.mean, p.sd = slices.Index(header, mean), slices.Index(header, "sd_"+quantity)
	p.low, p.high = slices.Index(header, "min_"+quantity), slices.Index(header, "max_"+quantity)
	if p.Quantity == "accuracy" { // the smallest accuracy is the largest error
		p.low, p.high = p.high, p.low
	}
	for j, column := range header {
		if !slices.Contains([]int{p.mean, p.sd, p.low, p.high}, j) && !slices.Contains(ignore, column) {
			p.keys, p.Columns = append(p.keys, j), append(p.Columns, column)
		}
	}
	return nil
}

// onlyMean returns the only column of means that is not ignored.
func onlyMean(header, ignore []string) (found string, err error) {
	for _, column := range header {
		if !strings.HasPrefix(column, "mean_") || slices.Contains(ignore, column) {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("two columns of means, %s and %s; ignore one", found, column)
		}
		found = column
	}
	if found == "" {
		return "", errors.New("no column of means; its name is mean_error, mean_ber or mean_accuracy, with _pct for " +
			"percent")
	}
	return found, nil
}

// readRow returns the printed number of one line.
func (p *Published) readRow(header, fields []string) (r PublishedRow, err error) {
	for _, j := range p.keys {
		r.Key = append(r.Key, fields[j])
	}
	accuracy := p.Quantity == "accuracy"
	for _, number := range []struct {
		column          int
		complement      bool
		value, rounding *float64
	}{
		{p.mean, accuracy, &r.Mean, &r.Rounding},
		{p.sd, false, &r.SD, new(float64)},
		{p.low, accuracy, &r.Min, &r.roundingMin},
		{p.high, accuracy, &r.Max, &r.roundingMax},
	} {
		if number.column < 0 {
			*number.value = math.NaN() // the table has no such column
			continue
		}
		field := fields[number.column]
		if *number.value, err = p.share(field, number.complement); err != nil {
			return r, fmt.Errorf("column %s: %w", header[number.column], err)
		}
		*number.rounding = p.halfUnit(field)
	}
	return r, nil
}

// halfUnit returns half a unit of a printed number's last digit, as a share.
func (p *Published) halfUnit(field string) float64 {
	_, decimals, _ := strings.Cut(field, ".")
	half := 0.5 * math.Pow10(-len(decimals))
	if p.Percent {
		half /= 100
	}
	return half
}

// share converts a printed number to a share in [0,1]; NA becomes NaN. With complement it
// returns 1 minus the share, which turns an accuracy into an error rate.
func (p *Published) share(field string, complement bool) (float64, error) {
	if field == records.NotAvailable {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(field, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a number nor %s", field, records.NotAvailable)
	}
	if p.Percent {
		v /= 100
	}
	if !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%s lies outside the range of a rate", field)
	}
	if complement {
		v = 1 - v
	}
	return v, nil
}
