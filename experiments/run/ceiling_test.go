package run

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFindMemoryCeiling(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	v2 := fstest.MapFS{
		"proc/self/cgroup":                  file("0::/job/step"),
		"sys/fs/cgroup/job/step/memory.max": file("max"),
		"sys/fs/cgroup/job/memory.max":      file("3000000000"),
		"sys/fs/cgroup/memory.max":          file("5000000000"),
	}
	v1 := fstest.MapFS{
		"proc/self/cgroup":                                 file("9:cpu,cpuacct:/other\n4:memory:/job"),
		"sys/fs/cgroup/memory/memory.limit_in_bytes":       file("9223372036854771712"), // none
		"sys/fs/cgroup/memory/job/memory.limit_in_bytes":   file("1000000000"),
		"sys/fs/cgroup/memory/other/memory.limit_in_bytes": file("1"),
	}
	for _, c := range []struct {
		name    string
		env     string
		root    fstest.MapFS
		goLimit int64
		want    MemoryCeiling
	}{
		{"nothing", "", fstest.MapFS{}, math.MaxInt64, MemoryCeiling{}},
		{"version 2", "", v2, math.MaxInt64, MemoryCeiling{3e9, "the control group's memory.max", false}},
		{"version 1", "", v1, math.MaxInt64, MemoryCeiling{1e9, "the control group's memory.limit_in_bytes", false}},
		{"Slurm, a node's", "SLURM_MEM_PER_NODE=2048 " +
			"SLURM_MEM_PER_CPU=1", v2, math.MaxInt64, MemoryCeiling{2 << 30, "SLURM_MEM_PER_NODE", false}},
		{"Slurm, the cores'", "SLURM_MEM_PER_CPU=500 " +
			"SLURM_CPUS_PER_TASK=4", v2, math.MaxInt64, MemoryCeiling{2000 << 20, "SLURM_MEM_PER_CPU", false}},
		{"Slurm, the whole node", "SLURM_MEM_PER_NODE=0", v2, math.MaxInt64, MemoryCeiling{3e9, "the control " +
			"group's memory.max", false}},
		{"Slurm gave more than the group " +
			"allows", "SLURM_MEM_PER_NODE=4096", v2, math.MaxInt64, MemoryCeiling{3e9, "the control group's " +
			"memory.max", false}},
		{"Go's own", "GOMEMLIMIT=1GiB SLURM_MEM_PER_NODE=10", v1, 1 << 30, MemoryCeiling{1 << 30, "GOMEMLIMIT", true}},
		{"Go's own, off", "GOMEMLIMIT=off SLURM_MEM_PER_NODE=10", v1, math.MaxInt64, MemoryCeiling{}},
	} {
		getenv := func(name string) string {
			for _, v := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		}
		if got := FindMemoryCeiling(getenv, c.root, c.goLimit); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
