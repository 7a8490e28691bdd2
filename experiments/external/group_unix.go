//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// openWithoutWaiting makes opening fail for a link, and not wait for the writer of a FIFO.
const openWithoutWaiting = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// A group is the process group of a program, which its children join.
type group struct{ id int }

func startGroup(command *exec.Cmd) (group, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(command.SysProcAttr)
	if err := command.Start(); err != nil {
		return group{}, err
	}
	return group{command.Process.Pid}, nil
}

// A signal to a group that has ended has no effect.
func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
func (g group) release()   {}
