package view

import "slices"

// AddNew appends the values that a list does not contain yet.
func AddNew[T comparable](list []T, values ...T) []T {
	for _, value := range values {
		if !slices.Contains(list, value) {
			list = append(list, value)
		}
	}
	return list
}

// Without returns a copy of a list without the elements for which drop returns true.
func Without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// Except returns the elements of a list that are not in the list others.
func Except[T comparable](list []T, others ...T) []T {
	return Without(list, func(element T) bool { return slices.Contains(others, element) })
}
