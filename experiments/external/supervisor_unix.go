//go:build unix

package external

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// The supervisor is a shell that kills the programs when copse ends for any reason. It reads
// the starts and ends of programs from a pipe, which closes with copse. It then kills the
// process groups that still run and, if there is /proc, processes that left their group but
// inherited the token.
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

// notifySupervisor sends the supervisor the start or end of a program. The first call starts
// the supervisor.
func notifySupervisor(act string, g group, token string) error {
	supervisor.Lock()
	defer supervisor.Unlock()
	if supervisor.pipe == nil {
		if err := startSupervisor(); err != nil {
			return fmt.Errorf("the supervisor of programs cannot be started: %w", err)
		}
	}
	_, err := fmt.Fprintf(supervisor.pipe, "%s %d:%s\n", act, g.id, token)
	return err
}

// startSupervisor runs the shell in its own session, so that Ctrl-C does not end it.
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
