package folder

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"

	"copse/stats/regular"
)

// Digest returns the SHA-256 of a file in hexadecimal digits.
func Digest(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digest(f)
}

func digest(content io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, content); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// RecordsDigest returns the SHA-256 of a records file in hexadecimal digits. For a gzipped file, it is the
// SHA-256 of the uncompressed content.
func RecordsDigest(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	plain := io.Reader(f)
	if IsZipped(path) {
		if plain, err = gzip.NewReader(f); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
	}
	sum, err := digest(plain)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return sum, nil
}
