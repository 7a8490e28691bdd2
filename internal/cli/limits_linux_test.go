package cli

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// limitProcess sets the limits that the environment asks for.
func limitProcess() {
	if limit, err := strconv.ParseUint(os.Getenv(maxFileBytes), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ) // a write then fails, as on a full disk
		must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}))
	}
	if uid, err := strconv.Atoi(os.Getenv(userID)); err == nil {
		must(syscall.Setuid(uid))
	}
	if limit, err := strconv.ParseUint(os.Getenv(maxMemory), 10, 64); err == nil {
		must(syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}))
	}
}
