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

// Published holds the numbers of one table of a paper, as error rates.
type Published struct {
	Columns  []string // the columns that identify a row, in the file's order
	Quantity string   // what the paper prints: "error", "ber" or "accuracy"
	Percent  bool     // printed in percent
	Rows     []PublishedRow
}

// A PublishedRow is one printed number. Its statistics are shares in [0,1] of
// errors, whatever the paper prints; NaN where it does not give them.
type PublishedRow struct {
	Key      []string // in the order of Published.Columns
	Mean     float64
	SD       float64
	Min, Max float64 // of the error over replicates
	Rounding float64 // half a unit of the last digit that the mean is printed with, as a share

	roundingMin, roundingMax float64
}

// Counterparts sets each printed statistic of the row beside our losses.
func (r *PublishedRow) Counterparts(ours []float64) []Counterpart {
	list := []Counterpart{{Published: Reported{Mean: r.Mean, SD: r.SD, Rounding: r.Rounding}}}
	for _, e := range []struct {
		printed, rounding float64
		largest           bool
	}{{r.Min, r.roundingMin, false}, {r.Max, r.roundingMax, true}} {
		if !math.IsNaN(e.printed) {
			list = append(list, Counterpart{Published: Reported{Mean: e.printed, SD: math.NaN(),
				Rounding: e.rounding}, Extreme: &Extreme{Largest: e.largest, Ours: ours}})
		}
	}
	return list
}

// PublishedOptions names the columns that hold numbers.
type PublishedOptions struct {
	Mean   string   // such as mean_error_pct; empty: the one whose name starts with mean_
	SD     string   // empty: Mean's name with sd_ for mean_, if there is such a column
	Ignore []string // columns that neither identify a row nor hold its numbers
}

// readPublished reads a table: a header, then one number per row. The name of
// the mean's column, mean_<quantity> or mean_<quantity>_pct, says what it is; those
// of standard deviation, minimum and maximum begin with sd_, min_ and max_ instead.
// Digits count: 15.0 is printed to a tenth.
// Two rows with the same key, a missing key column or a cell that is no number
// are errors that name file, row (the header is row 1) and column.
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
	first := make(map[string]int)
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

// columnsAt are the places of the numbers; -1: none.
type columnsAt struct{ mean, sd, low, high int }

// row reads the fields of one line.
func (p *Published) row(fields, header []string, at columnsAt, keys []int) (r PublishedRow, err error) {
	accuracy := p.Quantity == "accuracy"
	if accuracy { // the least accuracy is the largest error
		at.low, at.high = at.high, at.low
	}
	for _, j := range keys {
		r.Key = append(r.Key, fields[j])
	}
	for _, c := range []struct {
		at         int
		complement bool
		value      *float64
		rounding   *float64
	}{{at.mean, accuracy, &r.Mean, &r.Rounding}, {at.sd, false, &r.SD, new(float64)}, {at.low, accuracy, &r.Min,
		&r.roundingMin}, {at.high, accuracy, &r.Max, &r.roundingMax}} {
		*c.value = math.NaN()
		if c.at < 0 {
			continue
		}
		if *c.value, err = p.share(fields[c.at], c.complement); err != nil {
			return r, fmt.Errorf("column %s: %w", header[c.at], err)
		}
		*c.rounding = p.halfUnit(fields[c.at])
	}
	return r, nil
}

// halfUnit is half a unit of a printed number's last digit, as a share.
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

// layout finds the columns and sets what their names say.
func (p *Published) layout(header []string, o PublishedOptions) (at columnsAt, keys []int, err error) {
	for j, column := range header {
		if column == "" || slices.Contains(header[:j], column) {
			return at, nil, fmt.Errorf("column %d, %q, is unnamed or occurs twice", j+1, column)
		}
	}
	if o.Mean == "" {
		if o.Mean, err = onlyMean(header, o.Ignore); err != nil {
			return at, nil, err
		}
	}
	at.mean = slices.Index(header, o.Mean)
	quantity, isMean := strings.CutPrefix(o.Mean, "mean_")
	if at.mean < 0 || !isMean {
		return at, nil, fmt.Errorf("no column of means %q; its name is mean_error, mean_ber or mean_accuracy, with "+
			"_pct for percent", o.Mean)
	}
	if at.sd = slices.Index(header, o.SD); at.sd < 0 && o.SD != "" {
		return at, nil, fmt.Errorf("no column %q of standard deviations", o.SD)
	}
	if o.SD == "" {
		at.sd = slices.Index(header, "sd_"+quantity)
	}
	at.low, at.high = slices.Index(header, "min_"+quantity), slices.Index(header, "max_"+quantity)
	p.Quantity, p.Percent = strings.CutSuffix(quantity, "_pct")
	if !slices.Contains([]string{"error", "ber", "accuracy"}, p.Quantity) {
		return at, nil, fmt.Errorf("column %s: the quantity %q is none of error, ber, accuracy", o.Mean, p.Quantity)
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

// onlyMean returns the one column of means that is not ignored; "" when there is
// none.
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

// share converts a printed number to a share in [0,1], NA to NaN; complement
// turns an accuracy into an error rate.
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
