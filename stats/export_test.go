package stats

// SignedRank is SignedRankOf of the differences x - y.
func SignedRank(x, y []float64, alternative Alternative) (SignedRankResult, error) {
	d, err := differences(x, y)
	if err != nil {
		return SignedRankResult{}, err
	}
	return SignedRankOf(d, alternative, false)
}

// SignedRankExact is SignedRank with the exact distribution of V.
func SignedRankExact(x, y []float64, alternative Alternative) (SignedRankResult, error) {
	d, err := differences(x, y)
	if err != nil {
		return SignedRankResult{}, err
	}
	return SignedRankOf(d, alternative, true)
}

// HodgesLehmann is HodgesLehmannOf of the differences x - y.
func HodgesLehmann(x, y []float64, level float64) (Shift, error) {
	d, err := differences(x, y)
	if err != nil {
		return Shift{}, err
	}
	return HodgesLehmannOf(d, level), nil
}

// RankBiserial is RankBiserialOf of the differences x - y.
func RankBiserial(x, y []float64) (float64, error) {
	d, err := differences(x, y)
	if err != nil {
		return 0, err
	}
	return RankBiserialOf(d), nil
}
