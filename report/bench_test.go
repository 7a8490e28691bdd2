package report

import (
	"testing"

	"copse/report/internal/fixture"
)

// A whole report: a table, five pages of figures in three formats, the page.
func BenchmarkWrite(b *testing.B) {
	study, records := fixture.Sample(100)
	dir := b.TempDir()
	for b.Loop() {
		if _, err := write(dir, study, records, everything()); err != nil {
			b.Fatal(err)
		}
	}
}
