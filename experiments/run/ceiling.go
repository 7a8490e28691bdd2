package run

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// A MemoryCeiling bounds the memory of the process. It is soft: Go collects
// garbage harder and fewer trials run at a time, but a single trial that needs
// more gets it, or dies with the process.
type MemoryCeiling struct {
	Bytes  int64 // 0: no ceiling
	Source string
	Exact  bool // a Go memory limit already; others leave a tenth to what Go does not count
}

// limit is what Go's runtime may hold.
func (m MemoryCeiling) limit() int64 {
	if m.Exact {
		return m.Bytes
	}
	return m.Bytes - m.Bytes/10
}

// FindMemoryCeiling asks the surroundings for a ceiling: GOMEMLIMIT, which Go
// has read already and goLimit holds, else the lower one of what Slurm and the
// control groups allow. root is the file system.
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

// slurmMemory is what a task was given, in MiB; 0 there means the whole node.
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

// groupMemory is the lowest limit of the process's control group and those
// above it, of version 2 or 1.
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
