package folder

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Digest returns the SHA-256 of a file in hexadecimal digits.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// RecordsDigest returns the SHA-256 of a records file in hexadecimal digits. A zipped file is unzipped first.
func RecordsDigest(path string) (string, error) {
	f, err := os.Open(path)
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
	h := sha256.New()
	if _, err := io.Copy(h, plain); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
