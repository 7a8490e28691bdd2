package stats

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"copse/internal/randtest"
)

// Equal classifiers on eight families of problems with six cells each. Each classifier suits some families
// better than others, so cells of a family are dependent. Tests that treat cells as independent find
// differences far too often. Tests over means of families do not.
func TestSizeOverBlocks(t *testing.T) {
	studies := slowSimulations(t, 500, 10_000)
	const families, cells, classifiers = 8, 6, 4
	rng := randtest.New(43)
	overCells, overBlocks := 0, 0
	for range studies {
		var values [][]float64
		for range families {
			suits := differencesOf(classifiers, nulls["normal"], rng)
			for range cells {
				row := make([]float64, classifiers)
				for i := range row {
					row[i] = suits[i] + 0.5*rng.NormFloat64()
				}
				values = append(values, row)
			}
		}
		if anyDiffers(t, values) {
			overCells++
		}
		means := blockMeans(values, cells)
		if anyDiffers(t, means) {
			overBlocks++
		}
	}
	se := sizeError(studies)
	percent := func(n int) float64 { return 100 * float64(n) / float64(studies) }
	t.Logf("%d families of %d cells: over cells some pair differs in %.1f%%, over families in %.1f%%",
		families, cells, percent(overCells), percent(overBlocks))
	t.Logf("of %d studies (standard error %.1f)", studies, 100*se)
	if level := float64(overBlocks) / float64(studies); level > sizeAlpha+3*se {
		t.Errorf("over families some pair of equal classifiers differs in %.1f%%", 100*level)
	}
	if level := float64(overCells) / float64(studies); level < 0.2 {
		t.Errorf("over cells some pair differs in %.1f%% only: are blocks needed?", 100*level)
	}
}

// blockMeans returns the means of blocks with the given number of consecutive rows.
func blockMeans(values [][]float64, size int) (means [][]float64) {
	for block := range slices.Chunk(values, size) {
		mean := make([]float64, len(block[0]))
		for _, row := range block {
			floats.AddScaled(mean, 1/float64(size), row)
		}
		means = append(means, mean)
	}
	return means
}

// anyDiffers reports whether pairwise signed-rank tests with Holm's correction find any
// pair of classifiers different.
func anyDiffers(t *testing.T, values [][]float64) bool {
	t.Helper()
	r, err := WilcoxonHolm(values, sizeAlpha)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range r.Adjusted {
		for j, p := range row {
			if i != j && p <= sizeAlpha {
				return true
			}
		}
	}
	return false
}
