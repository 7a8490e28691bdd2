package verdicts

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
	"copse/stats/regular"
)

// Published contains the numbers of one table of a paper, converted to error rates.
type Published struct {
	Header   []string
	Columns  []string // columns that identify a row, in the order of the file
	Quantity string   // "error", "ber" or "accuracy"
	Percent  bool
	Rows     []PublishedRow

	mean, sd, low, high int   // indices of the columns of errors or accuracies; -1: no such column
	keys                []int // indices of Columns
}

// A PublishedRow contains the printed statistics of one error rate over the paper's replicates.
// They are shares in [0,1]. Accuracies are converted to error rates. A statistic that is not
// printed is NaN.
type PublishedRow struct {
	Line     int
	Key      []string // in the order of Published.Columns
	Mean     float64
	SD       float64
	Min, Max float64
	Rounding float64 // half a unit of the last printed digit of the mean, as a share

	roundingMin, roundingMax float64 // rounding of Min and Max
}

// Counterparts returns one Counterpart for each published statistic in the row: the mean and, if
// given, the minimum and the maximum. The list ours contains the losses of the replicates in our
// study.
//
// The caller must set the remaining fields, such as the summary of these losses.
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

// ReadPublished reads a table of a paper from a CSV file with a header. The column of means is
// named mean_error, mean_ber or mean_accuracy, followed by _pct for percent. Optional columns with
// the prefix sd_, min_ or max_ contain standard deviations, minima and maxima. All other columns,
// except those in ignore, identify the row.
//
// The rounding is inferred from the printed digits: 15.0 is rounded to a tenth. Error messages give
// the file, the line and the column.
func ReadPublished(path string, ignore []string) (*Published, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readPublished(f, path, ignore)
}

// readPublished reads a table in the format of ReadPublished. name is the file name for error
// messages. No two rows may be equal in all columns that identify a row.
func readPublished(r io.Reader, name string, ignore []string) (*Published, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty; it needs a header line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // spreadsheets write this byte-order mark
	p := &Published{Header: header}
	if err := p.readHeader(ignore); err != nil {
		return nil, fmt.Errorf("%s: header: %w", name, err)
	}
	lineOf := map[string]int{}
	for {
		fields, err := reader.Read()
		if err == io.EOF {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := reader.FieldPos(0)
		row, err := p.readRow(fields)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d, %w", name, line, err)
		}
		key := strings.Join(row.Key, "\x00")
		if earlier, repeated := lineOf[key]; repeated {
			return nil, fmt.Errorf("%s: line %d has the same key as line %d: %q", name, line, earlier, row.Key)
		}
		row.Line, lineOf[key] = line, line
		p.Rows = append(p.Rows, row)
	}
}

// readHeader sets p.Columns, p.Quantity, p.Percent and the column indices from p.Header (see ReadPublished).
// Missing statistics have index -1.
func (p *Published) readHeader(ignore []string) error {
	header := p.Header
	if err := checkColumns(header); err != nil {
		return err
	}
	mean, err := onlyMean(header, ignore)
	if err != nil {
		return err
	}
	quantity := strings.TrimPrefix(mean, "mean_")
	p.Quantity, p.Percent = strings.CutSuffix(quantity, "_pct")
	if !slices.Contains([]string{"error", "ber", "accuracy"}, p.Quantity) {
		return fmt.Errorf("column %s: unknown quantity %q; use error, ber or accuracy", mean, p.Quantity)
	}
	// p.low and p.high are the columns of the smallest and the largest error.
	p.mean, p.sd = slices.Index(header, mean), slices.Index(header, "sd_"+quantity)
	p.low, p.high = slices.Index(header, "min_"+quantity), slices.Index(header, "max_"+quantity)
	if p.Quantity == "accuracy" { // the smallest accuracy is the largest error
		p.low, p.high = p.high, p.low
	}
	for j, column := range header {
		if !slices.Contains([]int{p.mean, p.sd, p.low, p.high}, j) && !slices.Contains(ignore, column) {
			p.keys = append(p.keys, j)
			p.Columns = append(p.Columns, column)
		}
	}
	return nil
}

// checkColumns returns an error if a column name of the header is empty or repeated.
func checkColumns(header []string) error {
	for j, column := range header {
		if column == "" {
			return fmt.Errorf("column %d has no name", j+1)
		}
		if slices.Contains(header[:j], column) {
			return fmt.Errorf("column %q occurs twice", column)
		}
	}
	return nil
}

// onlyMean returns the column whose name starts with "mean_". It ignores the columns in ignore. It
// returns an error unless there is exactly one such column.
func onlyMean(header, ignore []string) (found string, err error) {
	for _, column := range header {
		if !strings.HasPrefix(column, "mean_") || slices.Contains(ignore, column) {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("there are two columns of means, %s and %s; list one of them under `ignore`",
				found, column)
		}
		found = column
	}
	if found == "" {
		return "", errors.New("the file has no column of means; its name must be `mean_error`, `mean_ber` or " +
			"`mean_accuracy`, followed by `_pct` if the means are in percent")
	}
	return found, nil
}

// readRow converts the fields of one row of the file to error rates in [0,1]. It derives the
// rounding from the number of printed digits. A statistic that has no column is NaN.
func (p *Published) readRow(fields []string) (r PublishedRow, err error) {
	for _, j := range p.keys {
		r.Key = append(r.Key, fields[j])
	}
	if r.Mean, r.Rounding, err = p.statistic(fields, p.mean); err != nil {
		return r, err
	}
	if r.SD, _, err = p.statistic(fields, p.sd); err != nil {
		return r, err
	}
	// p.low is the column of the smallest error, and p.high is the column of the largest error. If
	// the file has accuracies, p.low is the column of the largest accuracy (see readHeader).
	if r.Min, r.roundingMin, err = p.statistic(fields, p.low); err != nil {
		return r, err
	}
	if r.Max, r.roundingMax, err = p.statistic(fields, p.high); err != nil {
		return r, err
	}
	if r.Min > r.Mean || r.Mean > r.Max || r.Min > r.Max { // comparisons with NaN are false
		return r, errors.New("the minimum, the mean and the maximum are not in ascending order")
	}
	return r, nil
}

// statistic reads a statistic from the column with the given index. rounding is half a unit of the
// last printed digit. If the index is negative, value is NaN.
func (p *Published) statistic(fields []string, column int) (value, rounding float64, err error) {
	if column < 0 {
		return math.NaN(), 0, nil
	}
	complement := p.Quantity == "accuracy" && column != p.sd // accuracies and errors have the same SD
	if value, err = p.share(fields[column], complement); err != nil {
		return 0, 0, fmt.Errorf("column %s: %w", p.Header[column], err)
	}
	return value, p.halfUnit(fields[column]), nil
}

// halfUnit returns half a unit of the last digit of a printed number, as a share. For 15.0 percent,
// it returns 0.0005, which is 0.05 percent.
func (p *Published) halfUnit(field string) float64 {
	_, decimals, _ := strings.Cut(field, ".")
	half := 0.5 * math.Pow10(-len(decimals))
	if p.Percent {
		half /= 100
	}
	return half
}

// share converts a printed number to a share in [0,1], and NA to NaN. If complement is true, it
// returns 1 minus the share, which converts an accuracy to an error rate.
func (p *Published) share(field string, complement bool) (float64, error) {
	if field == records.NotAvailable {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(field, 64)
	isPlain := strings.Trim(field, "-.0123456789") == "" // halfUnit cannot read exponents
	if err != nil || !isPlain {
		return 0, fmt.Errorf("%q is neither a plain decimal number nor %s", field, records.NotAvailable)
	}
	if p.Percent {
		v /= 100
	}
	if !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%s is not a rate; rates are between 0 and 1, or between 0 and 100 in percent", field)
	}
	if complement {
		v = 1 - v
	}
	return v, nil
}
