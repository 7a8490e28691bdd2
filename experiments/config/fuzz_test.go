package config

import "testing"

// An amount of memory is not negative, whatever is written.
func FuzzParseBytes(f *testing.F) {
	for _, text := range []string{"0", "800MB", "1.5GiB", "-1GB", "9999999999TB", "1e3GB", "2XB", ".GB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseBytes(text); err == nil && n < 0 {
			t.Fatalf("%q are %d bytes", text, n)
		}
	})
}

// A flag's value is refused, or is a tree that ends.
func FuzzParseValue(f *testing.F) {
	for _, text := range []string{"1", "[1, 2]", "{a: b}", "&a [*a]", "&a [1, 1]", "", "a: [", "!!binary x", "<<: {a: 1}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseValue(text); err == nil && checkAliases(n) != nil {
			t.Fatalf("%q has no end", text)
		}
	})
}
