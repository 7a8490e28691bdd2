//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// openWithoutWaiting are flags for opening a file: opening a link fails, and opening a FIFO does not
// wait for its writer.
const openWithoutWaiting = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// A group is the process group of a program. It includes the child processes of the program.
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

// These methods send a signal to all processes of the group. They have no effect if the group has
// ended.
func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
func (g group) release()   {}
