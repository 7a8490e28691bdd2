//go:build unix

package external

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// supervisorScript is a shell script that kills running programs when copse ends.
//
// The script reads lines such as "start 123:TOKEN" and "end 123:TOKEN" from a pipe. The number is
// the process group of a program, or 0 if it is unknown. If /proc exists, the script also kills
// processes with the token in their environment.
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
  group=${program%%:*}
  [ "$group" = 0 ] || kill -s KILL -- "-$group"
  for process in /proc/[0-9]*; do
    if grep -qF "COPSE_TOKEN=${program#*:}" "$process/environ"; then kill -s KILL "${process#/proc/}"; fi
  done
done
`

var supervisor struct {
	sync.Mutex
	pipe *os.File // nil before the first program
}

// notifySupervisor reports the "start" or "end" of a program to the supervisor, which the first
// call starts.
func notifySupervisor(act string, g group, token string) error {
	supervisor.Lock()
	defer supervisor.Unlock()
	if supervisor.pipe == nil {
		if err := startSupervisor(); err != nil {
			return fmt.Errorf("cannot start the shell that ends running programs if copse crashes: %w", err)
		}
	}
	_, err := fmt.Fprintf(supervisor.pipe, "%s %d:%s\n", act, g.id, token)
	return err
}

// startSupervisor starts a shell with supervisorScript, which kills running programs when copse
// ends. The shell has its own session, so that Ctrl-C does not end it.
func startSupervisor() error {
	in, pipe, err := os.Pipe() // other processes do not inherit the pipe, so it closes with copse
	if err != nil {
		return err
	}
	defer in.Close()
	command := exec.Command("/bin/sh", "-c", supervisorScript)
	command.Stdin = in
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		pipe.Close()
		return err
	}
	go func() { _ = command.Wait() }() // releases the resources of the shell if it ends early
	supervisor.pipe = pipe
	return nil
}
