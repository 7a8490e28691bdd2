package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"copse/experiments/trial"
)

// A line of a journal contains a session or a trial, and its checksum:
//
//	{"sum":"<CRC-32C of the content, 8 hexadecimal digits>","<kind>":<content>}
const (
	framePrefix  = `{"sum":"`
	sumDigits    = 8
	sessionFrame = `","session":`
	trialFrame   = `","trial":`
	frameSuffix  = "}\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(content []byte) string { return digits(crc32.Checksum(content, castagnoli)) }

// digits formats a CRC-32C as 8 hexadecimal digits.
func digits(crc uint32) string { return fmt.Sprintf("%08x", crc) }

// encodeLine encodes a *Session or *trial.Trial as one line of a journal, including the newline.
func encodeLine(content any) ([]byte, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	kind := trialFrame
	switch content.(type) {
	case *Session:
		kind = sessionFrame
	case *trial.Trial:
	default:
		panic(fmt.Sprintf("journal: cannot write a %T; want a *Session or a *trial.Trial", content))
	}
	return slices.Concat([]byte(framePrefix), []byte(checksum(raw)), []byte(kind), raw, []byte(frameSuffix)), nil
}

// decodeLine checks the checksum of a line and returns its content, a *Session or *trial.Trial. A
// line consists of framePrefix, the checksum, trialFrame or sessionFrame, the content, and
// frameSuffix.
func decodeLine(text []byte, trials *trial.Parser) (any, error) {
	rest, begins := bytes.CutPrefix(text, []byte(framePrefix))
	rest, ends := bytes.CutSuffix(rest, []byte(frameSuffix))
	if !begins || !ends || len(rest) < sumDigits {
		return nil, errors.New("it is not a line in the format " + JournalFormat)
	}
	sum, rest := string(rest[:sumDigits]), rest[sumDigits:]
	content, isTrial := bytes.CutPrefix(rest, []byte(trialFrame))
	content, isSession := bytes.CutPrefix(content, []byte(sessionFrame))
	if !isTrial && !isSession {
		return nil, errors.New("it contains neither a session nor a trial")
	}
	if actual := checksum(content); actual != sum {
		return nil, fmt.Errorf("the line states the checksum %s, but its content has the checksum %s", sum, actual)
	}
	if isTrial {
		return trials.Parse(content)
	}
	return decodeSession(content)
}

// decodeSession decodes the JSON of a session. For another format, it sets only the field Format.
func decodeSession(content []byte) (*Session, error) {
	var header struct{ Format string } // Unmarshal also checks that content is a single JSON value
	if err := json.Unmarshal(content, &header); err != nil || header.Format != JournalFormat {
		return &Session{Format: header.Format}, err
	}
	s := &Session{}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	return s, d.Decode(s)
}
