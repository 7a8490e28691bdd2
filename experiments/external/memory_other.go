//go:build unix && !linux

package external

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// dieWithParent does nothing. When copse ends, its programs reach the end of their input and
// therefore end as well.
func dieWithParent(*syscall.SysProcAttr) {}

// killStrays does nothing, because copse cannot read the environment of other processes.
func killStrays(string) {}

// unread returns 0, because copse cannot determine the number of unread bytes.
func unread(*os.File) int { return 0 }

// resident returns the memory of the group in bytes, as ps reports it.
func (g group) resident() int64 {
	text, err := exec.Command("ps", "-A", "-o", "pgid=,rss=").Output()
	if err != nil {
		return 0
	}
	total := int64(0)
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) == 2 && string(fields[0]) == strconv.Itoa(g.id) {
			kb, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			total += kb << 10
		}
	}
	return total
}

// copse can neither measure the peak memory of another process nor limit it.
func (g group) resetPeak()        {}
func (g group) peak() int64       { return 0 }
func (g group) limitMemory(int64) {}
