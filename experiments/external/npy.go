package external

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Arrays are .npy files of version 1.0 (NumPy Enhancement Proposal 1):
//
//	8 bytes  "\x93NUMPY" and the version
//	2 bytes  the length of the header
//	header   a Python dictionary, padded with spaces
//	values   in little-endian order
//
// The values begin at a multiple of 64 bytes. copse writes matrices as float64 in column-major
// order, and labels as int32.

// npyMagic is the beginning of a .npy file of version 1.0.
const npyMagic = "\x93NUMPY\x01\x00"

// npyHeader returns all bytes before the values of a column-major array.
func npyHeader(descr, shape string) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%s), }", descr, shape)
	pad := 63 - (len(npyMagic)+2+len(header))%64 // a line break follows the padding
	header += strings.Repeat(" ", pad) + "\n"
	begin := binary.LittleEndian.AppendUint16([]byte(npyMagic), uint16(len(header)))
	return append(begin, header...)
}

// writeMatrix writes the first n rows of x to a file, column by column.
func writeMatrix(path string, x *mat.Dense, n int) error {
	_, d := x.Dims()
	head := npyHeader("<f8", fmt.Sprintf("%d, %d", n, d))
	out := append(head, make([]byte, 8*n*d)...)
	for i := range n {
		at := len(head) + 8*i
		for _, v := range x.RawRowView(i) {
			binary.LittleEndian.PutUint64(out[at:], math.Float64bits(v))
			at += 8 * n
		}
	}
	return os.WriteFile(path, out, 0o600)
}

// writeLabels writes class codes to a file, as int32.
func writeLabels(path string, y []int) error {
	out := npyHeader("<i4", fmt.Sprintf("%d,", len(y)))
	for _, label := range y {
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(label)))
	}
	return os.WriteFile(path, out, 0o600)
}

// npyDictionary matches the header. Its groups are the type, the order and the shape.
var npyDictionary = regexp.MustCompile(
	`^\{'descr': *'([^']*)', *'fortran_order': *(True|False), *'shape': *\(([0-9, ]*)\),? *\}\s*$`)

const (
	anyNumber   = -1      // accepts any number of rows or columns
	maxValues   = 1 << 28 // largest number of values of a matrix
	longestSide = 1 << 31 // largest dimension; a product of two fits into 64 bits
	longestHead = 1 << 16 // largest header, in bytes
)

// Names of types in .npy files.
const float64Type, int64Type, int32Type = "<f8", "<i8", "<i4"

// An arrayHeader describes an array in a file.
type arrayHeader struct {
	descr       string // type of the array elements, such as <f8
	columnMajor bool   // stored column by column
	shape       []int  // length of each dimension
	valueBytes  int    // size of an element in bytes
	dataOffset  int64  // offset of the first element in the file
}

func (h *arrayHeader) values() int64 {
	n := int64(1)
	for _, length := range h.shape {
		n *= int64(length)
	}
	return n
}

// openAnswer opens a file that a program wrote. It rejects links, which may lead out of the folder,
// and FIFOs and devices, which may block forever.
func openAnswer(path string) (*os.File, error) {
	before, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the program did not write the file %s", filepath.Base(path))
	} else if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", filepath.Base(path))
	}
	// The program may replace the file after Lstat.
	file, err := os.OpenFile(path, os.O_RDONLY|openWithoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(before, opened) {
		return nil, errors.Join(fmt.Errorf("%s was replaced while it was being opened", filepath.Base(path)), err,
			file.Close())
	}
	return file, nil
}

// readNPY reads a .npy file and returns its header and the bytes of its values. check may reject
// the header, or change its shape but not the number of values.
func readNPY(path string, check func(*arrayHeader) error) (*arrayHeader, []byte, error) {
	file, err := openAnswer(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	h, err := readHeader(file)
	if err == nil {
		err = check(h)
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	want := h.values() * int64(h.valueBytes)
	if got := info.Size() - h.dataOffset; got != want {
		return nil, nil, fmt.Errorf("the array has %d bytes of values, but its shape %v needs %d", got, h.shape, want)
	}
	data := make([]byte, want)
	_, err = file.ReadAt(data, h.dataOffset)
	return h, data, err
}

// readHeader reads the magic bytes, the length of a dictionary, and the dictionary, which gives the
// type, order and shape of the array.
func readHeader(file io.Reader) (*arrayHeader, error) {
	const version = 6 // position of the version in the magic bytes
	magic := make([]byte, len(npyMagic))
	if _, err := io.ReadFull(file, magic); err != nil || string(magic[:version]) != npyMagic[:version] {
		return nil, errors.New("the file is not a NumPy file")
	}
	// The length has two bytes in version 1, and four in later versions.
	size := 2
	if magic[version] > 1 {
		size = 4
	}
	lengthBytes := make([]byte, 4) // in little-endian order, so the last two remain 0 in version 1
	if _, err := io.ReadFull(file, lengthBytes[:size]); err != nil {
		return nil, errors.New("the file ends within its header")
	}
	length := int64(binary.LittleEndian.Uint32(lengthBytes))
	if length > longestHead {
		return nil, fmt.Errorf("the header has %d bytes; the maximum is %d", length, longestHead)
	}
	dictionary := make([]byte, length)
	if _, err := io.ReadFull(file, dictionary); err != nil {
		return nil, errors.New("the file ends within its header")
	}
	h := &arrayHeader{dataOffset: int64(len(magic)+size) + length}
	return h, h.parse(string(dictionary))
}

// parse sets the fields of h from the header of a .npy file, a Python dictionary such as
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (100, 3), }
func (h *arrayHeader) parse(dictionary string) error {
	match := npyDictionary.FindStringSubmatch(dictionary)
	if match == nil {
		return fmt.Errorf("the header is not valid: %s", shorten(strconv.Quote(dictionary)))
	}
	descr, fortranOrder, shape := match[1], match[2], match[3]
	h.descr = descr
	h.columnMajor = fortranOrder == "True"
	sizes := map[string]int{float64Type: 8, int64Type: 8, int32Type: 4}
	if h.valueBytes = sizes[h.descr]; h.valueBytes == 0 {
		return fmt.Errorf("the values have type %q; supported types are <f8 (float64), <i4 (int32) and <i8 (int64)",
			h.descr)
	}
	for side := range strings.SplitSeq(shape, ",") {
		side = strings.TrimSpace(side)
		if side == "" { // after the last comma
			continue
		}
		n, err := strconv.Atoi(side)
		if err != nil || n > longestSide {
			return fmt.Errorf("the shape (%s) is not valid", shape)
		}
		h.shape = append(h.shape, n)
		if len(h.shape) > 2 {
			return fmt.Errorf("the array has the shape (%s); it must have one or two dimensions", shape)
		}
	}
	return nil
}

// readLabels reads n class codes from 0 to c-1 from a .npy file.
func readLabels(path string, n, c int) ([]int, error) {
	h, data, err := readNPY(path, func(h *arrayHeader) error {
		if h.descr == float64Type {
			return errors.New("the values are float64; labels must be int32 class codes")
		}
		if len(h.shape) != 1 || h.shape[0] != n {
			return fmt.Errorf("the labels have shape %v, but there are %d rows", h.shape, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	labels := make([]int, n)
	for i := range labels {
		if h.descr == int64Type { // otherwise the type is int32
			labels[i] = int(int64(binary.LittleEndian.Uint64(data[8*i:])))
		} else {
			labels[i] = int(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
		if labels[i] < 0 || labels[i] >= c {
			return nil, fmt.Errorf("row %d: label %d is not one of the class codes 0..%d", i+1, labels[i], c-1)
		}
	}
	return labels, nil
}

// readMatrix reads a float64 matrix with n rows and d columns, which may be anyNumber. A
// one-dimensional array becomes a column.
func readMatrix(path string, n, d int) (*mat.Dense, error) {
	h, data, err := readNPY(path, func(h *arrayHeader) error {
		if len(h.shape) == 1 { // a vector becomes a column
			h.shape = append(h.shape, 1)
		}
		return h.checkMatrix(n, d)
	})
	if err != nil {
		return nil, err
	}
	n, d = h.shape[0], h.shape[1]
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			index := i*d + j // row by row
			if h.columnMajor {
				index = j*n + i // column by column
			}
			row[j] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*index:]))
		}
	}
	return x, nil
}

// checkMatrix returns an error unless the array is a float64 matrix with n rows and d columns,
// which may be anyNumber.
func (h *arrayHeader) checkMatrix(n, d int) error {
	if h.descr != float64Type {
		return fmt.Errorf("the values have type %q; they must have type <f8 (float64)", h.descr)
	}
	fits := len(h.shape) == 2 && (n == anyNumber || h.shape[0] == n) && (d == anyNumber || h.shape[1] == d)
	if !fits || h.shape[0] < 1 || h.shape[1] < 1 {
		want := fmt.Sprintf("%d x %d", n, d)
		if d == anyNumber { // only tests pass anyNumber as n
			want = fmt.Sprintf("%d rows", n)
		}
		return fmt.Errorf("the matrix has shape %v, not %s", h.shape, want)
	}
	if h.values() > maxValues {
		return fmt.Errorf("the matrix has shape %v; it may contain at most %d values", h.shape, maxValues)
	}
	return nil
}
