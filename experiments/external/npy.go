package external

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Arrays travel as .npy files of version 1.0 (NumPy Enhancement Proposal 1):
// magic, a header that is a Python dictionary padded to 64 bytes, then the
// little-endian values. Matrices are float64 in column-major order, labels int32.

const npyMagic = "\x93NUMPY\x01\x00"

func npyHeader(b *bytes.Buffer, descr, shape string) {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%s), }", descr, shape)
	pad := 63 - (len(npyMagic)+2+len(header))%64
	header += strings.Repeat(" ", pad) + "\n"
	b.WriteString(npyMagic)
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
}

// writeMatrix writes the first n rows of x, column by column.
func writeMatrix(path string, x *mat.Dense, n int) error {
	_, d := x.Dims()
	var b bytes.Buffer
	npyHeader(&b, "<f8", fmt.Sprintf("%d, %d", n, d))
	head := b.Len()
	out := append(b.Bytes(), make([]byte, 8*n*d)...)
	for i := range n {
		at := head + 8*i
		for _, v := range x.RawRowView(i) {
			binary.LittleEndian.PutUint64(out[at:], math.Float64bits(v))
			at += 8 * n
		}
	}
	return os.WriteFile(path, out, 0o600)
}

func writeLabels(path string, y []int) error {
	var b bytes.Buffer
	npyHeader(&b, "<i4", fmt.Sprintf("%d,", len(y)))
	out := b.Bytes()
	for _, label := range y {
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(label)))
	}
	return os.WriteFile(path, out, 0o600)
}

var npyDictionary = regexp.MustCompile(`^\{'descr': *'([^']*)', *'fortran_order': *(True|False), *'shape': *\(([0-9, ]*)\),? *\}\s*$`)

// maxValues bounds what is read back: no reply has more.
const maxValues = 1 << 31

// npyFile is a file's header and values.
type npyFile struct {
	descr   string
	fortran bool
	shape   []int
	data    []byte
}

func readNPY(path string) (*npyFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(text) < 10 || string(text[:6]) != npyMagic[:6] {
		return nil, errors.New("is no NumPy file")
	}
	// Version 1.0 has two bytes for the length of the header, later ones four.
	length, from := int(binary.LittleEndian.Uint16(text[8:])), 10
	if text[6] > 1 && len(text) >= 12 {
		length, from = int(binary.LittleEndian.Uint32(text[8:])), 12
	}
	if length > len(text)-from {
		return nil, errors.New("ends within its header")
	}
	parts := npyDictionary.FindStringSubmatch(string(text[from : from+length]))
	if parts == nil {
		return nil, fmt.Errorf("has the header %q, which is not understood", text[from:from+length])
	}
	f := &npyFile{descr: parts[1], fortran: parts[2] == "True", data: text[from+length:]}
	total := 1
	for part := range strings.SplitSeq(parts[3], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n > 0 && total > maxValues/n {
			return nil, fmt.Errorf("has the shape (%s)", parts[3])
		}
		f.shape, total = append(f.shape, n), total*n
	}
	size := 8
	switch f.descr {
	case "<f8", "<i8":
	case "<i4":
		size = 4
	default:
		return nil, fmt.Errorf("holds values of type %q; want <f8 (float64) or <i4 (int32)", f.descr)
	}
	if len(f.data) != size*total {
		return nil, fmt.Errorf("has %d bytes of values where its shape (%s) needs %d", len(f.data), parts[3], size*total)
	}
	return f, nil
}

// readLabels reads n class codes below c.
func readLabels(path string, n, c int) ([]int, error) {
	f, err := readNPY(path)
	if err != nil {
		return nil, err
	}
	if f.descr == "<f8" {
		return nil, errors.New("holds float64 values; labels are int32 class codes")
	}
	if len(f.shape) != 1 || f.shape[0] != n {
		return nil, fmt.Errorf("holds labels of shape %v for %d rows", f.shape, n)
	}
	labels := make([]int, n)
	for i := range labels {
		if f.descr == "<i8" {
			labels[i] = int(int64(binary.LittleEndian.Uint64(f.data[8*i:])))
		} else {
			labels[i] = int(int32(binary.LittleEndian.Uint32(f.data[4*i:])))
		}
		if labels[i] < 0 || labels[i] >= c {
			return nil, fmt.Errorf("row %d: label %d is not one of the class codes 0..%d", i+1, labels[i], c-1)
		}
	}
	return labels, nil
}

// readMatrix reads a float64 matrix of n rows and d columns; a d of 0 takes any
// number of columns. An array of one dimension is a column.
func readMatrix(path string, n, d int) (*mat.Dense, error) {
	f, err := readNPY(path)
	if err != nil {
		return nil, err
	}
	if len(f.shape) == 1 {
		f.shape = append(f.shape, 1)
	}
	if f.descr != "<f8" {
		return nil, fmt.Errorf("holds values of type %q; want <f8 (float64)", f.descr)
	}
	if len(f.shape) != 2 || f.shape[0] != n || f.shape[1] < 1 || d > 0 && f.shape[1] != d {
		want := fmt.Sprintf("%d x %d", n, d)
		if d == 0 {
			want = fmt.Sprintf("%d rows", n)
		}
		return nil, fmt.Errorf("holds a matrix of shape %v; want %s", f.shape, want)
	}
	d = f.shape[1]
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			at := i*d + j
			if f.fortran {
				at = j*n + i
			}
			row[j] = math.Float64frombits(binary.LittleEndian.Uint64(f.data[8*at:]))
		}
	}
	return x, nil
}
