package run

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// A MemoryCeiling bounds the memory of the process. It is soft: Go collects
// garbage more often and fewer trials run at a time, but a single trial may exceed
// the ceiling, and the operating system may then end the process.
type MemoryCeiling struct {
	Bytes  int64 // 0: no ceiling
	Source string
	Exact  bool // Bytes is a limit of Go; of other limits, a tenth is for memory that Go does not count
}

// limit returns the memory limit of Go's runtime in bytes.
func (m MemoryCeiling) limit() int64 {
	if m.Exact {
		return m.Bytes
	}
	return m.Bytes - m.Bytes/10
}

// FindMemoryCeiling returns the ceiling that the environment sets: GOMEMLIMIT, else the
// lower of the limits of Slurm and of the control groups, else none. goLimit is the limit
// that Go read from GOMEMLIMIT; root is the file system.
func FindMemoryCeiling(getenv func(string) string, root fs.FS, goLimit int64) MemoryCeiling {
	if getenv("GOMEMLIMIT") != "" {
		if goLimit == math.MaxInt64 { // "off"
			return MemoryCeiling{}
		}
		return MemoryCeiling{goLimit, "GOMEMLIMIT", true}
	}
	lowest := MemoryCeiling{}
	for _, m := range []MemoryCeiling{slurmMemory(getenv), groupMemory(root)} {
		if m.Bytes > 0 && (lowest.Bytes == 0 || m.Bytes < lowest.Bytes) {
			lowest = m
		}
	}
	return lowest
}

// slurmMemory returns the memory that Slurm gave to the task. Slurm counts in MiB, and its
// 0 means the whole node: no ceiling.
func slurmMemory(getenv func(string) string) MemoryCeiling {
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(getenv(name), 10, 64)
		return n
	}
	if perNode := number("SLURM_MEM_PER_NODE"); perNode > 0 {
		return MemoryCeiling{perNode << 20, "SLURM_MEM_PER_NODE", false}
	}
	if perCore := number("SLURM_MEM_PER_CPU"); perCore > 0 {
		return MemoryCeiling{perCore << 20 * max(1, number("SLURM_CPUS_PER_TASK")), "SLURM_MEM_PER_CPU", false}
	}
	return MemoryCeiling{}
}

// groupMemory returns the lowest memory limit of the process's control groups (version 1
// or 2) and of their ancestors.
func groupMemory(root fs.FS) MemoryCeiling {
	membership, _ := fs.ReadFile(root, "proc/self/cgroup")
	lowest := MemoryCeiling{}
	for line := range strings.Lines(string(membership)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // hierarchy:controllers:path
		if len(parts) < 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		switch parts[1] {
		case "":
		case "memory":
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(root, path.Join(base, group, file))
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // or "max"
			if err == nil && n > 0 && n < 1<<60 && (lowest.Bytes == 0 || n < lowest.Bytes) {
				lowest = MemoryCeiling{n, "the control group's " + file, false}
			}
			if group == "/" {
				break
			}
		}
	}
	return lowest
}
