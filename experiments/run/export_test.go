package run

// HeldMemory makes heldMemory available to the tests in package run_test.
var HeldMemory = heldMemory
