package results

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
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

// checksum returns the CRC-32C of a line's content in hexadecimal digits.
func checksum(content []byte) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.Checksum(content, castagnoli))
	return hex.EncodeToString(sum)
}

// encodeLine returns a *Session or *trial.Trial as a line, with its newline.
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
		panic(fmt.Sprintf("journal: %T has no place in a journal", content))
	}
	return slices.Concat([]byte(framePrefix), []byte(checksum(raw)), []byte(kind), raw, []byte(frameSuffix)), nil
}

// decodeLine checks a line and returns its content, a *Session or *trial.Trial. If a session has another
// format, decodeLine only sets its field Format.
func decodeLine(text []byte, trials *trial.Parser) (any, error) {
	rest, begins := bytes.CutPrefix(text, []byte(framePrefix))
	rest, ends := bytes.CutSuffix(rest, []byte(frameSuffix))
	if !begins || !ends || len(rest) < sumDigits {
		return nil, errors.New("is not framed as a line of " + JournalFormat)
	}
	sum, rest := rest[:sumDigits], rest[sumDigits:]
	content, isTrial := bytes.CutPrefix(rest, []byte(trialFrame))
	isSession := false
	if !isTrial {
		content, isSession = bytes.CutPrefix(rest, []byte(sessionFrame))
	}
	if !isTrial && !isSession {
		return nil, errors.New("has neither a session nor a trial")
	}
	if own := checksum(content); own != string(sum) {
		return nil, fmt.Errorf("its checksum is %s, its content's %s", sum, own)
	}
	if isTrial {
		return trials.Parse(content)
	}
	var header struct{ Format string }
	if err := json.Unmarshal(content, &header); err != nil || header.Format != JournalFormat {
		return &Session{Format: header.Format}, err
	}
	s := &Session{}
	return s, strictJSON(content, s)
}

// strictJSON decodes a text that must contain one JSON value without unknown keys.
func strictJSON(text []byte, target any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(target); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("has more than one value")
	}
	return nil
}
