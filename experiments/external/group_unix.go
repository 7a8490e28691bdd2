//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// With the flags openWithoutWaiting, opening a symbolic link fails, and opening a FIFO does not
// wait for a writer.
const openWithoutWaiting = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// A group is the process group of a program and its child processes.
type group struct{ id int }

// startGroup starts a command in a new process group.
func startGroup(command *exec.Cmd) (group, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(command.SysProcAttr)
	if err := command.Start(); err != nil {
		return group{}, err
	}
	return group{command.Process.Pid}, nil
}

// These methods have no effect if the group has ended.
func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
func (g group) release()   {}
