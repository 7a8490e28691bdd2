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

// PublishedOptions name the columns that hold numbers.
type PublishedOptions struct {
	Mean   string   // such as mean_error_pct; empty: the only column that starts with mean_
	SD     string   // empty: Mean's name with sd_ in place of mean_, if that column exists
	Ignore []string // columns that neither identify a row nor hold its numbers
}

// readPublished reads a table: a header, then one number per row. The column of means is
// named mean_<quantity> or mean_<quantity>_pct. The columns of standard deviations, minima
// and maxima begin with sd_, min_ and max_ instead. Digits count: 15.0 is printed to a tenth.
// Errors name the file, the row (the header is row 1) and the column.
func readPublished(r io.Reader, name string, o PublishedOptions) (*Published, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty file, expected a header line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	p := &Published{}
	at, keys, err := p.layout(header, o)
	if err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	first := make(map[string]int) // row in which a key first occurs
	for row := 2; ; row++ {
		fields, err := reader.Read()
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, row, err)
		}
		published, err := p.row(fields, header, at, keys)
		if err != nil {
			return nil, fmt.Errorf("%s: row %d, %w", name, row, err)
		}
		key := strings.Join(published.Key, "\x00")
		if first[key] > 0 {
			return nil, fmt.Errorf("%s: row %d: the same key as row %d: %q", name, row, first[key], published.Key)
		}
		first[key] = row
		p.Rows = append(p.Rows, published)
	}
}

// columnsAt holds the column indices of the numbers; -1: no such column.
type columnsAt struct{ mean, sd, low, high int }

// row reads the fields of one line; keys are the indices of its key columns.
func (p *Published) row(fields, header []string, at columnsAt, keys []int) (r PublishedRow, err error) {
	accuracy := p.Quantity == "accuracy"
	if accuracy { // the least accuracy is the largest error
		at.low, at.high = at.high, at.low
	}
	for _, j := range keys {
		r.Key = append(r.Key, fields[j])
	}
	number := func(at int, complement bool) (value, rounding float64, err error) {
		if at < 0 {
			return math.NaN(), 0, nil
		}
		if value, err = p.share(fields[at], complement); err != nil {
			return 0, 0, fmt.Errorf("column %s: %w", header[at], err)
		}
		return value, p.halfUnit(fields[at]), nil
	}
	if r.Mean, r.Rounding, err = number(at.mean, accuracy); err != nil {
		return r, err
	}
	if r.SD, _, err = number(at.sd, false); err != nil {
		return r, err
	}
	if r.Min, r.roundingMin, err = number(at.low, accuracy); err != nil {
		return r, err
	}
	r.Max, r.roundingMax, err = number(at.high, accuracy)
	return r, err
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

// ReadPublishedFile reads a file as readPublished does.
func ReadPublishedFile(path string, o PublishedOptions) (*Published, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readPublished(f, path, o)
}

// layout checks the header and sets Columns, Quantity and Percent. It returns the indices
// of the columns of numbers and of the key columns.
func (p *Published) layout(header []string, o PublishedOptions) (at columnsAt, keys []int, err error) {
	for j, column := range header {
		if column == "" || slices.Contains(header[:j], column) {
			return at, nil, fmt.Errorf("column %d, %q, is unnamed or occurs twice", j+1, column)
		}
	}
	if at, err = p.numberColumns(header, o); err != nil {
		return at, nil, err
	}
	for _, column := range o.Ignore {
		if !slices.Contains(header, column) {
			return at, nil, fmt.Errorf("no column %q to ignore", column)
		}
	}
	for j, column := range header {
		if !slices.Contains([]int{at.mean, at.sd, at.low, at.high}, j) && !slices.Contains(o.Ignore, column) {
			keys, p.Columns = append(keys, j), append(p.Columns, column)
		}
	}
	return at, keys, nil
}

// numberColumns returns the indices of the columns of numbers and sets Quantity and Percent
// by the name of the column of means.
func (p *Published) numberColumns(header []string, o PublishedOptions) (at columnsAt, err error) {
	if o.Mean == "" {
		if o.Mean, err = onlyMean(header, o.Ignore); err != nil {
			return at, err
		}
	}
	at.mean = slices.Index(header, o.Mean)
	quantity, isMean := strings.CutPrefix(o.Mean, "mean_")
	if at.mean < 0 || !isMean {
		return at, fmt.Errorf("no column of means %q; its name is mean_error, mean_ber or mean_accuracy, with "+
			"_pct for percent", o.Mean)
	}
	if at.sd = slices.Index(header, o.SD); at.sd < 0 && o.SD != "" {
		return at, fmt.Errorf("no column %q of standard deviations", o.SD)
	}
	if o.SD == "" {
		at.sd = slices.Index(header, "sd_"+quantity)
	}
	at.low, at.high = slices.Index(header, "min_"+quantity), slices.Index(header, "max_"+quantity)
	p.Quantity, p.Percent = strings.CutSuffix(quantity, "_pct")
	if !slices.Contains([]string{"error", "ber", "accuracy"}, p.Quantity) {
		return at, fmt.Errorf("column %s: the quantity %q is none of error, ber, accuracy", o.Mean, p.Quantity)
	}
	return at, nil
}

// onlyMean returns the only column of means that is not ignored; "": there is none.
func onlyMean(header, ignore []string) (found string, err error) {
	for _, column := range header {
		if !strings.HasPrefix(column, "mean_") || slices.Contains(ignore, column) {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("two columns of means, %s and %s; name one", found, column)
		}
		found = column
	}
	return found, nil
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
