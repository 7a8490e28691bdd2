package data

import (
	"bytes"
	"context"
	"crypto/md5" // the sum that OpenML publishes: against damage, not against malice
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/stats/dataset/csvfile"
)

// openMLPrefix begins the names of data sets of openml.org: openml:61.
const openMLPrefix = "openml:"

// A description is what OpenML says of a data set.
type description struct {
	Name    string `json:"name"`
	URL     string `json:"url"` // of the ARFF file
	Parquet string `json:"parquet_url"`
	MD5     string `json:"md5_checksum"` // of the ARFF file
	Target  string `json:"default_target_attribute"`
	RowID   names  `json:"row_id_attribute"`
	Ignore  names  `json:"ignore_attribute"`
}

// names is a text, of names between commas, or a list.
type names []string

func (n *names) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		for _, name := range strings.Split(one, ",") {
			if name = strings.TrimSpace(name); name != "" {
				*n = append(*n, name)
			}
		}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(n))
}

// openML downloads a data set by its number: the ARFF file, which has kinds, levels and a
// published MD5, or where there is none to read, the Parquet file.
func (c *Client) openML(
	ctx context.Context,
	id string,
) (text []byte, schema *csvfile.Schema, from origin, err error) {
	if _, err := strconv.ParseUint(id, 10, 63); err != nil {
		return nil, nil, from, fmt.Errorf("%s%s: want a number, such as openml:61", openMLPrefix, id)
	}
	var answer struct {
		Description *description `json:"data_set_description"`
	}
	about, err := c.get(ctx, c.OpenML+id)
	if err != nil {
		return nil, nil, from, err
	}
	if err := json.Unmarshal(about, &answer); err != nil || answer.Description == nil {
		return nil, nil, from, fmt.Errorf("%s%s: no description of a data set", c.OpenML, id)
	}
	d := answer.Description
	if d.Target == "" {
		return nil, nil, from, fmt.Errorf(
			"openml:%s (%s) names no class column; download it and use copse data add --class",
			id,
			d.Name,
		)
	}
	var failures []error
	for _, way := range []struct {
		origin
		parse func([]byte) (*table, error)
	}{{origin{From: d.URL, MD5: d.MD5}, d.arff}, {origin{From: d.Parquet}, parseParquet}} {
		if way.From == "" {
			continue
		}
		raw, err := c.get(ctx, way.From)
		if err == nil {
			var t *table
			if t, err = way.parse(raw); err == nil {
				if text, schema, err = d.csv(t); err == nil {
					return text, schema, way.origin, nil
				}
			}
			err = fmt.Errorf("%s: %w", way.From, err)
		}
		if ctx.Err() != nil {
			return nil, nil, from, ctx.Err()
		}
		failures = append(failures, err)
		if errors.Is(err, errChanged) {
			break // nothing is published to compare the Parquet file with
		}
	}
	return nil, nil, from, fmt.Errorf("openml:%s could not be fetched:\n%w", id, errors.Join(failures...))
}

// errChanged is the error of an ARFF file that does not have the published MD5.
var errChanged = errors.New("MD5")

func (d *description) arff(text []byte) (*table, error) {
	if got := md5.Sum(text); d.MD5 != "" && hex.EncodeToString(got[:]) != d.MD5 {
		return nil, fmt.Errorf("%w %x, published is %s", errChanged, got, d.MD5)
	}
	return parseARFF(bytes.NewReader(text))
}

// csv writes the attributes that are not to be ignored, then the class.
func (d *description) csv(t *table) ([]byte, *csvfile.Schema, error) {
	schema := &csvfile.Schema{MissingValues: []string{""}, Class: d.Target}
	var columns []int
	class := -1
	for j, field := range t.fields {
		switch {
		case field.Name == d.Target:
			class = j
		case slices.Contains(d.RowID, field.Name) || slices.Contains(d.Ignore, field.Name):
		default:
			columns, schema.Fields = append(columns, j), append(schema.Fields, field)
		}
	}
	if class < 0 {
		return nil, nil, fmt.Errorf("no column %q, the class", d.Target)
	}
	columns, schema.Fields = append(columns, class), append(schema.Fields, t.fields[class])
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	row := make([]string, len(columns))
	for j := range columns {
		row[j] = schema.Fields[j].Name
	}
	if err := w.Write(row); err != nil {
		return nil, nil, err
	}
	for _, cells := range t.rows {
		for j, from := range columns {
			row[j] = cells[from]
		}
		if err := w.Write(row); err != nil {
			return nil, nil, err
		}
	}
	w.Flush()
	return out.Bytes(), schema, w.Error()
}
