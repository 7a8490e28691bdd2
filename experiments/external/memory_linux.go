package external

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill a program when copse ends.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// killStrays kills all processes that inherited the token of a program, even if they left its
// process group.
func killStrays(token string) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environment, err := os.ReadFile("/proc/" + e.Name() + "/environ") // readable only for the same user
		if err == nil && bytes.Contains(environment, []byte("COPSE_TOKEN="+token)) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// resident returns the resident memory of all processes of the group, in bytes.
func (g group) resident() int64 {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	total := int64(0)
	for _, e := range entries {
		if name := e.Name(); name[0] >= '0' && name[0] <= '9' {
			total += residentOf(name, g.id)
		}
	}
	return total
}

// residentOf returns the resident memory of a process in bytes, or 0 outside the process group.
func residentOf(pid string, group int) int64 {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	// In /proc/PID/stat, field 2 is the program's name in parentheses, which may contain spaces.
	// Field 5 is the process group, and field 24 is the number of resident pages.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // from field 3
	if len(fields) < 22 || string(fields[2]) != strconv.Itoa(group) {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// unread returns the number of bytes in a pipe that no process has read.
func unread(pipe *os.File) int {
	bytes, _ := unix.IoctlGetInt(int(pipe.Fd()), unix.TIOCINQ)
	return bytes
}

// resetPeak resets the peak memory that the kernel records for the group's first process.
func (g group) resetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", g.id), []byte("5"), 0)
}

// peak returns the peak memory of the group's first process since resetPeak, in bytes.
func (g group) peak() int64 { return g.status("VmHWM:") }

// status returns a field, in bytes, of the status file of the group's first process, or 0.
func (g group) status(field string) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.id))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, field); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}

// limitMemory limits the address space of the group's first process to its current size plus the
// given bytes, because interpreters map far more memory than they use.
func (g group) limitMemory(bytes int64) {
	most := uint64(g.status("VmSize:") + bytes)
	_ = unix.Prlimit(g.id, unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most}, nil)
}
