package results

import (
	"slices"
	"testing"
)

// A processor without fused multiply-add is another platform.
func TestInstructionsAreOfThePlatform(t *testing.T) {
	whole := ThisPlatform()
	t.Setenv("GODEBUG", "gctrace=0,cpu.fma=off,cpu.avx=on")
	without := ThisPlatform()
	want := []string{`instructions "cpu.fma=off" here, "" there`}
	if got := without.Differences(&whole); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := without.Differences(&without); len(got) > 0 {
		t.Errorf("differs from itself: %q", got)
	}
}
