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

// DigestBytes is like Digest, but takes the content from memory.
func DigestBytes(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// RecordsDigest returns the SHA-256 of a records file in hexadecimal digits. For a gzipped file, it is the
// SHA-256 of the uncompressed content.
func RecordsDigest(path string) (string, error) { return digest(path, IsZipped(path)) }

// digest returns the SHA-256 of a file in hexadecimal digits. If zipped is true, it hashes the
// uncompressed content of a gzipped file.
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
