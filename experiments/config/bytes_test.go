package config

import (
	"strings"
	"testing"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "0.0": 0, "123456B": 123456, "7B": 7, "800MB": 800e6, "2GB": 2e9, "1 kB": 1000, "0.5TB": 5e11,
		"2G": 2 << 30, "512M": 512 << 20, "1.5GiB": 3 << 29, "4KiB": 4096, "4k": 4096,
	} {
		if got, err := ParseBytes(text); got != want || err != nil {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1GB", "2XB", "2 G B", "1e9", "3iB", "9999999TB", "2", "2.5",
		strings.Repeat("9", 400), "1GB\n"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q was read as %d", text, got)
		}
	}
}
