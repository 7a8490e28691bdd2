//go:build unix

package external

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// The supervisor is a shell that reads from a pipe which programs run. The pipe closes when copse
// ends, however it ends; the supervisor then kills what still runs: the process groups, and, where
// /proc tells, processes that left their group but inherited the token.
const supervisorScript = `
running=
while read -r act program; do
  case $act in
  start) running="$running $program" ;;
  end)
    others=
    for p in $running; do [ "$p" = "$program" ] || others="$others $p"; done
    running=$others ;;
  esac
done
for program in $running; do
  kill -s KILL -- "-${program%%:*}"
  for process in /proc/[0-9]*; do
    if grep -qF "COPSE_TOKEN=${program#*:}" "$process/environ"; then kill -s KILL "${process#/proc/}"; fi
  done
done
`

var supervisor struct {
	sync.Mutex
	pipe *os.File // nil before the first program
}

// tellSupervisor writes a line to the supervisor, which it starts before the first.
func tellSupervisor(act string, g group, token string) error {
	supervisor.Lock()
	defer supervisor.Unlock()
	if supervisor.pipe == nil {
		if err := startSupervisor(); err != nil {
			return fmt.Errorf("the supervisor of programs does not start: %w", err)
		}
	}
	_, err := fmt.Fprintf(supervisor.pipe, "%s %d:%s\n", act, g.id, token)
	return err
}

// startSupervisor runs the shell in a session of its own, where no Ctrl-C reaches it.
func startSupervisor() error {
	in, pipe, err := os.Pipe() // other processes do not inherit it
	if err != nil {
		return err
	}
	defer in.Close()
	command := exec.Command("/bin/sh", "-c", supervisorScript)
	command.Stdin, command.Dir = in, "/"
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		pipe.Close()
		return err
	}
	go func() { _ = command.Wait() }()
	supervisor.pipe = pipe
	return nil
}
