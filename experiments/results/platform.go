package results

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// A Platform describes the binary and the machine, which can affect the last bits of a result.
type Platform struct {
	Revision string            `json:"revision"` // source revision; "unknown" outside version control
	Modified bool              `json:"modified"` // the source had uncommitted changes
	Go       string            `json:"go"`
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	Level    string            `json:"level,omitempty"` // GOAMD64 or GOARM64: the instruction set of the build
	CPU      string            `json:"cpu,omitempty"`
	Off      string            `json:"cpu_off,omitempty"` // instructions that GODEBUG switches off, such as cpu.fma=off
	Cores    int               `json:"cores"`
	Modules  map[string]string `json:"modules,omitempty"`
}

// revision is the source revision of a build outside version control. The linker can set it:
// -ldflags "-X copse/experiments/results.revision=..."
var revision = "unknown"

// ThisPlatform describes the computer and the running binary. The source revision and the versions
// of modules come from the build information, if the binary contains it.
func ThisPlatform() Platform {
	p := Platform{
		Revision: revision, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpuModel(), Off: instructionsOff(os.Getenv("GODEBUG")), Cores: runtime.NumCPU(),
		Modules: map[string]string{},
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	for _, m := range info.Deps {
		p.Modules[m.Path] = m.Version
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			p.Revision = setting.Value
		case "vcs.modified":
			p.Modified = setting.Value == "true"
		case "GOAMD64", "GOARM64":
			p.Level = setting.Value
		}
	}
	return p
}

// instructionsOff returns the settings in GODEBUG that switch off processor instructions, such as
// "cpu.fma=off".
func instructionsOff(godebug string) string {
	var off []string
	for setting := range strings.SplitSeq(godebug, ",") {
		if name, value, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "cpu.") && value == "off" {
			off = append(off, setting)
		}
	}
	slices.Sort(off)
	return strings.Join(slices.Compact(off), ",")
}

// cpuModel returns the name of the processor, or "".
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Differences describes the differences between two platforms, such as `Go "go1.26.1" here,
// "go1.26.0" there`. "here" refers to p, and "there" to q.
func (p *Platform) Differences(q *Platform) []string {
	var list []string
	add := func(what, here, there string) {
		if here != there {
			list = append(list, fmt.Sprintf("%s %q here, %q there", what, here, there))
		}
	}
	add("source revision", p.source(), q.source())
	add("Go", p.Go, q.Go)
	add("system", p.OS, q.OS)
	add("architecture", strings.TrimSpace(p.Arch+" "+p.Level), strings.TrimSpace(q.Arch+" "+q.Level))
	add("processor", p.CPU, q.CPU)
	add("instructions", p.Off, q.Off)
	modules := maps.Clone(p.Modules) // of both platforms
	maps.Copy(modules, q.Modules)
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		add("module "+path, p.Modules[path], q.Modules[path])
	}
	return list
}

func (p *Platform) source() string {
	if p.Modified {
		return p.Revision + " with changes"
	}
	return p.Revision
}
