package records

import (
	"io"
	"slices"
)

// Read collects all rows of a file, plain or gzipped. Levels and classifiers are
// in the order of their first row, the rows in that of the file.
func Read(r io.Reader, name string) (*Records, error) {
	reader, err := NewReader(r, name)
	if err != nil {
		return nil, err
	}
	records := &Records{Factors: make([]Factor, len(reader.Factors)), Metrics: reader.Metrics}
	for j, factor := range reader.Factors {
		records.Factors[j].Name = factor
	}
	add := meet(records.Factors)
	for {
		record, err := reader.Read()
		if err == io.EOF {
			records.Study = reader.Study
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		if n := len(records.Rows); n == 0 || records.Rows[n-1].Levels != record.Levels {
			add(record.Levels)
		}
		if !slices.Contains(records.Classifiers, record.Classifier) {
			records.Classifiers = append(records.Classifiers, record.Classifier)
		}
		records.Rows = append(records.Rows, record)
	}
}

// meet returns a function that adds new levels to the factors, in the order of their first row.
func meet(factors []Factor) func(Levels) {
	known := make([]map[string]bool, len(factors))
	for j, f := range factors {
		known[j] = map[string]bool{"": true}
		for _, name := range f.Levels {
			known[j][name] = true
		}
	}
	return func(levels Levels) {
		for j := range factors {
			if name := levels.Of(factors[j].Name); !known[j][name] {
				known[j][name] = true
				factors[j].Levels = append(factors[j].Levels, name)
			}
		}
	}
}

// columnsOf returns the columns that the records need.
func columnsOf(r *Records) Columns {
	c := Columns{Factors: FactorNames(r.Factors), Metrics: r.Metrics}
	c.Folds = slices.ContainsFunc(r.Rows, func(row Record) bool { return row.Fold > 0 })
	c.Confusion = slices.ContainsFunc(r.Rows, func(row Record) bool { return row.Confusion != nil })
	c.Tuned = slices.ContainsFunc(r.Rows, func(row Record) bool { return row.Tuned != "" })
	return c
}

// Write writes all rows in their order.
func Write(w io.Writer, r *Records) error {
	writer, err := NewWriter(w, r.Study, columnsOf(r))
	if err != nil {
		return err
	}
	for i := range r.Rows {
		if err := writer.Write(&r.Rows[i]); err != nil {
			return err
		}
	}
	return writer.Flush()
}
