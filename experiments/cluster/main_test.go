package cluster_test

import (
	"testing"

	"copse/internal/toys"
)

func TestMain(m *testing.M) { toys.Main(m) }
