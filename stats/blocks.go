package stats

import "fmt"

// BlockMeans returns the means of rows that belong to one block, in the order in which
// blocks first appear. values has a row for each cell of a design and a column for each
// classifier; block names the block of each row. Rank tests over cells take rows as
// independent; cells of one family of problems, such as levels of its size, are not.
func BlockMeans(values [][]float64, block []string) ([][]float64, error) {
	if len(values) != len(block) {
		return nil, fmt.Errorf("block means: %d rows have %d names of blocks", len(values), len(block))
	}
	var means [][]float64
	var rows []float64
	at := map[string]int{}
	for i, row := range values {
		k, ok := at[block[i]]
		if !ok {
			k = len(means)
			at[block[i]] = k
			means, rows = append(means, make([]float64, len(row))), append(rows, 0)
		}
		rows[k]++
		for j, v := range row {
			means[k][j] += v
		}
	}
	for k, row := range means {
		for j := range row {
			row[j] /= rows[k]
		}
	}
	return means, nil
}
