package experiments

import (
	"os"
	"testing"

	"copse/internal/toys"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "method" {
		foreign(os.Args[2])
		os.Exit(0)
	}
	toys.Main(m)
}
