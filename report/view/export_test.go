package view

// BlockLosses is blockLosses for the tests.
var BlockLosses = (*View).replicateLosses
