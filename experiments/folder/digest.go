package folder

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"

	"copse/stats/regular"
)

// Digest returns the SHA-256 of a file in hexadecimal digits.
func Digest(path string) (string, error) { return digest(path, false) }

func DigestBytes(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// RecordsDigest is like Digest, but hashes the uncompressed content of a gzipped file.
func RecordsDigest(path string) (string, error) { return digest(path, IsZipped(path)) }

// digest hashes a file, or the uncompressed content of a gzipped file if zipped is true.
func digest(path string, zipped bool) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	plain := io.Reader(f)
	if zipped {
		if plain, err = gzip.NewReader(f); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, plain); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
