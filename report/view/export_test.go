package view

// BlockLosses is replicateLosses for the tests.
var BlockLosses = (*View).replicateLosses
