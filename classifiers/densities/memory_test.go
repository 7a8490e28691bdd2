package densities

import "testing"

// One machine needs less memory than several on the same rows, for which the solver keeps dot products.
func TestMachineNumbers(t *testing.T) {
	const n, p = 300, 420
	one, several := machineNumbers(n, 0, p, !severalMachines), machineNumbers(n, 0, p, severalMachines)
	if one >= several {
		t.Errorf("%v numbers for one machine, %v for several", one, several)
	}
}
