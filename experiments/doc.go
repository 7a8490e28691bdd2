// Package experiments is the way of the data from a YAML file to records. Each
// step is a package that imports only those above it:
//
//	config       strict YAML: every mistake with file, line, column, key
//	stream       the random source of each role inside a trial
//	folder       the files of a results folder, replaced as wholes, one writer at a time
//	datasets     real data sets by name
//	external     commands in other languages as classifiers and generators
//	study        one YAML file as cells: what varies, what is drawn, what runs
//	trial        one replicate of one cell: draw, fit, predict, score
//	journal      one checksummed line per finished trial, synced
//	ledger       all results of a folder, and the records that follow from them
//	predictions  what classifiers said of every test row
//	plan         what is missing, why, what it will cost; shards
//	runner       workers, one trial each at a time
//	audit        stored trials computed again, folders checked
//	export       records as CSV and Parquet
//	cluster      shards as jobs of a scheduler
//	published    which printed table a study repeats
//	calibrate    readings of a generator, searched for those that give printed numbers
//
// The tests here run toy studies through the whole way.
package experiments
