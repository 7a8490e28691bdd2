package report

import (
	"io"
	"testing"

	"copse/report/internal/fixture"
)

// The benchmark makes a whole report: a table, five pages of figures in three formats, and the page.
func BenchmarkMake(b *testing.B) {
	study, records := fixture.Sample(100)
	for b.Loop() {
		made, err := Make(study, records, everything(), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range made.Documents {
			if err := d.Render(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}
