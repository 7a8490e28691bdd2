package report

import (
	"io"
	"testing"

	"copse/report/internal/fixture"
)

// A whole report: a table, five pages of figures in three formats, the page.
func BenchmarkDocuments(b *testing.B) {
	study, records := fixture.Sample(100)
	for b.Loop() {
		documents, _, err := Documents(study, records, everything(), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range documents {
			if err := d.Render(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}
