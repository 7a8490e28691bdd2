//go:build !race

package external

const underRace = false
