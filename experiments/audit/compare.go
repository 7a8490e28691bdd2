package audit

import (
	"bufio"
	"bytes"
	"io"

	"copse/stats/records"
	"copse/stats/regular"
)

// firstDifference compares a file, plain or gzipped, with the output of the function write. It returns
// the number of the first line that differs or cannot be read, or 0 if the contents are equal.
func firstDifference(path string, write func(io.Writer) error) (line int, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return 1, nil // no line can be read
	}
	defer f.Close()
	plain, err := records.Decompress(f)
	if err != nil {
		return 1, nil
	}
	c := comparison{stored: bufio.NewReader(plain), line: 1}
	if err := write(&c); err != nil {
		return 0, err
	}
	_, err = c.stored.ReadByte()
	isAtEnd := err == io.EOF // otherwise, the file has further lines
	if isAtEnd && !c.differs {
		return 0, nil
	}
	return c.line, nil
}

// A comparison is an io.Writer that compares its input with a stored file.
type comparison struct {
	stored  *bufio.Reader
	line    int  // number of the current line, or of the first line that differs
	differs bool // a byte of the input differed from the file
}

func (c *comparison) Write(input []byte) (int, error) {
	if c.differs {
		return len(input), nil
	}
	stored := make([]byte, len(input))
	n, _ := io.ReadFull(c.stored, stored) // at an error, n < len(input)
	equal := 0
	for equal < n && stored[equal] == input[equal] {
		equal++
	}
	c.line += bytes.Count(input[:equal], []byte("\n"))
	c.differs = equal < len(input)
	return len(input), nil
}
