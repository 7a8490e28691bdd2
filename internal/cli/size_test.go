package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// largeStudy is a study of rows x columns cells.
func largeStudy(b *testing.B, rows, columns, replicates int) string {
	b.Helper()
	levels := func(n int, format string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(format, i))
		}
		return strings.Join(list, ", ")
	}
	text := strings.NewReplacer("n: [30, 60]", fmt.Sprintf("n: [%s], flip: [%s]", levels(rows, "1%06d"), levels(columns, "0.%03d")),
		"test: {n: 50}", "test: {n: 50}\n  flip: $flip", "replicates: 4", fmt.Sprintf("replicates: %d", replicates), "panel: [n]", "panel: [flip]").Replace(smallStudy)
	file := filepath.Join(b.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	return file
}

// BenchmarkCheck checks studies of many cells and of many replicates.
func BenchmarkCheck(b *testing.B) {
	for _, size := range [][3]int{{90, 100, 2}, {9_000, 1, 2}, {300, 300, 2}, {90_000, 1, 2}, {1, 1, 1_000_000}, {1, 1, 10_000_000}} {
		b.Run(fmt.Sprintf("%dx%dcells,%dreplicates", size[0], size[1], size[2]), func(b *testing.B) {
			file := largeStudy(b, size[0], size[1], size[2])
			for b.Loop() {
				if code := Main([]string{"check", file, "--pilot", "0s", "--out", b.TempDir()}, strings.NewReader(""), io.Discard, os.Stderr); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
