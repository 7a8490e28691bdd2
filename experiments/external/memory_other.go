//go:build unix && !linux

package external

import (
	"bytes"
	"os/exec"
	"strconv"
	"syscall"
)

func dieWithParent(*syscall.SysProcAttr) {} // programs end with their input

func killStrays(string) {} // no other process's environment can be read here

// resident returns the memory that the group holds now, in bytes, as ps reports it.
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

func (g group) resetPeak()        {}
func (g group) peak() int64       { return 0 } // only resident is measured
func (g group) limitMemory(int64) {}           // no other process's limit can be set here
