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
	Name     string   // of the file
	Columns  []string // the columns that identify a row, in the file's order
	Quantity string   // what the paper prints: "error", "ber" or "accuracy"
	Percent  bool     // printed in percent
	Rows     []PublishedRow
}

// A PublishedRow is one printed number. Mean and SD are shares in [0,1] of
// errors, whatever the paper prints; NaN where it does not give them.
type PublishedRow struct {
	Key  []string // in the order of Published.Columns
	Mean float64
	SD   float64
}

// PublishedOptions names the columns that hold numbers.
type PublishedOptions struct {
	Mean   string   // such as mean_error_pct; empty: the one whose name starts with mean_
	SD     string   // empty: Mean's name with sd_ for mean_, if there is such a column
	Ignore []string // columns that neither identify a row nor hold its mean or sd
}

// ReadPublished reads a table: a header, then one number per row. The name of
// the mean's column, mean_<quantity> or mean_<quantity>_pct, says what it is.
// Two rows with the same key, a missing key column or a cell that is no number
// are errors that name file, row (the header is row 1) and column.
func ReadPublished(r io.Reader, name string, o PublishedOptions) (*Published, error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty file, expected a header line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: row 1: %w", name, err)
	}
	p := &Published{Name: name}
	mean, sd, keys, err := p.layout(header, o)
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
		published := PublishedRow{SD: math.NaN()}
		for _, j := range keys {
			published.Key = append(published.Key, fields[j])
		}
		if published.Mean, err = p.share(fields[mean], p.Quantity == "accuracy"); err != nil {
			return nil, fmt.Errorf("%s: row %d, column %s: %w", name, row, header[mean], err)
		}
		if sd >= 0 {
			if published.SD, err = p.share(fields[sd], false); err != nil {
				return nil, fmt.Errorf("%s: row %d, column %s: %w", name, row, header[sd], err)
			}
		}
		key := strings.Join(published.Key, "\x00")
		if first[key] > 0 {
			return nil, fmt.Errorf("%s: row %d: the same key as row %d: %q", name, row, first[key], published.Key)
		}
		first[key] = row
		p.Rows = append(p.Rows, published)
	}
}

// ReadPublishedFile reads a file as ReadPublished does.
func ReadPublishedFile(path string, o PublishedOptions) (*Published, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadPublished(f, path, o)
}

// layout finds the columns and sets what their names say.
func (p *Published) layout(header []string, o PublishedOptions) (mean, sd int, keys []int, err error) {
	for j, column := range header {
		if column == "" || slices.Contains(header[:j], column) {
			return 0, 0, nil, fmt.Errorf("column %d, %q, is unnamed or occurs twice", j+1, column)
		}
	}
	if o.Mean == "" {
		if o.Mean, err = onlyMean(header, o.Ignore); err != nil {
			return 0, 0, nil, err
		}
	}
	mean = slices.Index(header, o.Mean)
	quantity, isMean := strings.CutPrefix(o.Mean, "mean_")
	if mean < 0 || !isMean {
		return 0, 0, nil, fmt.Errorf("no column of means %q; its name is mean_error, mean_ber or mean_accuracy, with _pct for percent", o.Mean)
	}
	if sd = slices.Index(header, o.SD); sd < 0 && o.SD != "" {
		return 0, 0, nil, fmt.Errorf("no column %q of standard deviations", o.SD)
	}
	if o.SD == "" {
		sd = slices.Index(header, "sd_"+quantity)
	}
	p.Quantity, p.Percent = strings.CutSuffix(quantity, "_pct")
	if !slices.Contains([]string{"error", "ber", "accuracy"}, p.Quantity) {
		return 0, 0, nil, fmt.Errorf("column %s: the quantity %q is none of error, ber, accuracy", o.Mean, p.Quantity)
	}
	for _, column := range o.Ignore {
		if !slices.Contains(header, column) {
			return 0, 0, nil, fmt.Errorf("no column %q to ignore", column)
		}
	}
	for j, column := range header {
		if j != mean && j != sd && !slices.Contains(o.Ignore, column) {
			keys, p.Columns = append(keys, j), append(p.Columns, column)
		}
	}
	return mean, sd, keys, nil
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

// Find returns the number of the one row whose columns have the given values;
// columns that key does not name may have any.
func (p *Published) Find(key map[string]string) (int, error) {
	var described []string
	matched := 0
	for _, column := range p.Columns {
		if value, ok := key[column]; ok {
			described = append(described, column+"="+value)
			matched++
		}
	}
	if matched < len(key) {
		return 0, fmt.Errorf("%s: of the columns of the key %v some do not exist; there are %q", p.Name, key, p.Columns)
	}
	found := -1
	for i, row := range p.Rows {
		fits := true
		for j, column := range p.Columns {
			if value, ok := key[column]; ok && value != row.Key[j] {
				fits = false
			}
		}
		if fits && found >= 0 {
			return 0, fmt.Errorf("%s: several rows with %s, the first two are rows %d and %d", p.Name, strings.Join(described, ", "), found+2, i+2)
		}
		if fits {
			found = i
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("%s: no row with %s", p.Name, strings.Join(described, ", "))
	}
	return found, nil
}
