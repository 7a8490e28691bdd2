package external

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// openWithoutWaiting is 0, because Windows has no flags like O_NOFOLLOW and O_NONBLOCK.
const openWithoutWaiting = 0

// A group is a job object that contains all processes of a program. Windows ends them when copse
// ends, because copse holds the only handle to the job.
type group struct{ job windows.Handle }

// startGroup starts a command in a new job object, or kills it and returns an error.
func startGroup(command *exec.Cmd) (group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{}, err
	}
	g := group{job}
	g.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, 0)
	if err := command.Start(); err != nil {
		g.release()
		return group{}, err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
		uint32(command.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		g.release()
		return group{}, err
	}
	return g, nil
}

// limit sets those limits of the job that flags selects. memory is the value of
// JOB_OBJECT_LIMIT_JOB_MEMORY in bytes.
func (g group) limit(flags uint32, memory int64) {
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{JobMemoryLimit: uintptr(memory)}
	info.BasicLimitInformation.LimitFlags = flags
	_, _ = windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
}

// limitMemory makes allocations above the given number of bytes fail.
func (g group) limitMemory(bytes int64) {
	g.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE|windows.JOB_OBJECT_LIMIT_JOB_MEMORY, bytes)
}

// terminate kills the group, because Windows has no signal that ends a process gently.
func (g group) terminate() { g.kill() }
func (g group) kill()      { _ = windows.TerminateJobObject(g.job, 1) }
func (g group) release()   { _ = windows.CloseHandle(g.job) }

// notifySupervisor does nothing, because the job object ends the programs if copse is killed.
func notifySupervisor(string, group, string) error { return nil }
func killStrays(string)                            {}

func unread(*os.File) int { return 0 } // unknown on Windows

// resident returns the peak memory of the job in bytes, or 0 if it is unknown.
func (g group) resident() int64 {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	if err != nil {
		return 0
	}
	return int64(info.PeakJobMemoryUsed)
}

func (g group) resetPeak()  {}
func (g group) peak() int64 { return g.resident() }
