package run

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// A MemoryCeiling is a soft limit on the memory of the process. Near the ceiling, Go collects
// garbage more often and fewer trials run at a time.
type MemoryCeiling struct {
	Bytes  int64 // 0: no ceiling
	Source string
	Exact  bool // set Go's memory limit to all Bytes; otherwise a tenth is left for memory that Go does not count
}

// limit returns the memory limit for the Go runtime, in bytes.
func (m MemoryCeiling) limit() int64 {
	if m.Exact {
		return m.Bytes
	}
	return m.Bytes - m.Bytes/10
}

// FindMemoryCeiling returns the memory ceiling that the environment sets. If GOMEMLIMIT is set, the
// ceiling is goLimit, the memory limit of the Go runtime. root is the root of the file system.
func FindMemoryCeiling(getenv func(string) string, root fs.FS, goLimit int64) MemoryCeiling {
	if getenv("GOMEMLIMIT") != "" {
		if goLimit == math.MaxInt64 { // GOMEMLIMIT=off
			return MemoryCeiling{}
		}
		return MemoryCeiling{Bytes: goLimit, Source: "GOMEMLIMIT", Exact: true}
	}
	return lower(slurmMemory(getenv), groupMemory(root))
}

// lower returns the lower of two ceilings. A ceiling of 0 bytes means no limit.
func lower(a, b MemoryCeiling) MemoryCeiling {
	if b.Bytes > 0 && (a.Bytes == 0 || b.Bytes < a.Bytes) {
		return b
	}
	return a
}

// slurmMemory returns the memory that Slurm allotted to the task. Slurm's variables are in MiB. The
// value 0 means all memory of the node, which is not a ceiling.
func slurmMemory(getenv func(string) string) MemoryCeiling {
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(getenv(name), 10, 64)
		return n
	}
	if perNode := number("SLURM_MEM_PER_NODE"); perNode > 0 {
		return MemoryCeiling{Bytes: perNode << 20, Source: "SLURM_MEM_PER_NODE"}
	}
	if perCore := number("SLURM_MEM_PER_CPU"); perCore > 0 {
		perTask := perCore << 20 * max(1, number("SLURM_CPUS_PER_TASK"))
		return MemoryCeiling{Bytes: perTask, Source: "SLURM_MEM_PER_CPU"}
	}
	return MemoryCeiling{}
}

// groupMemory returns the lowest memory limit of the process's control groups (version 1 or 2) and
// their ancestors.
func groupMemory(root fs.FS) MemoryCeiling {
	membership, _ := fs.ReadFile(root, "proc/self/cgroup")
	lowest := MemoryCeiling{}
	for line := range strings.Lines(string(membership)) {
		base, group, file := memoryGroup(line)
		for group != "" { // the group and its ancestors, up to "/"
			n := byteLimit(root, path.Join(base, group, file))
			lowest = lower(lowest, MemoryCeiling{Bytes: n, Source: "the control group's " + file})
			if group == "/" {
				break
			}
			group = path.Dir(group)
		}
	}
	return lowest
}

// memoryGroup parses a line of /proc/self/cgroup, such as "4:memory:/job" for version 1 or "0::/job"
// for version 2. It returns the folder of all groups, the path of the group below it, and the name
// of the file with the limit. If the group does not limit memory, group is "".
func memoryGroup(line string) (base, group, file string) {
	fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
	if len(fields) < 3 {
		return "", "", ""
	}
	group = path.Join("/", fields[2])
	switch fields[1] {
	case "":
		return "sys/fs/cgroup", group, "memory.max"
	case "memory":
		return "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"
	}
	return "", "", "" // a group of version 1 that limits other resources
}

// byteLimit reads a memory limit in bytes from a file of a control group. It returns 0 for a
// missing file, "max", or a number near 2^63, which mean no limit.
func byteLimit(root fs.FS, file string) int64 {
	const unlimited = 1 << 60
	text, _ := fs.ReadFile(root, file)
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n >= unlimited {
		return 0
	}
	return n
}
