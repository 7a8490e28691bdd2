package study

import (
	"reflect"
	"testing"
)

func TestSizes(t *testing.T) {
	cases := []struct {
		size    Size
		classes int
		want    []int
	}{
		{Size{N: 10}, 2, []int{5, 5}},
		{Size{N: 11}, 2, []int{6, 5}},
		{Size{N: 200, Majority: 0.75}, 2, []int{150, 50}},
		{Size{N: 20, Majority: 0.5}, 3, []int{10, 5, 5}},
		{Size{N: 21, Majority: 0.5}, 3, []int{11, 5, 5}},
		{Size{N: 11}, 3, []int{4, 4, 3}},
		{Size{Counts: []int{1, 2, 3}}, 3, []int{1, 2, 3}},
	}
	for _, c := range cases {
		if got, err := c.size.perClass(c.classes); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v in %d classes: %v, %v", c.size, c.classes, got, err)
		}
	}
}
