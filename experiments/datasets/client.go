package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Client downloads: over HTTPS with the proxy of the environment, resuming what
// was interrupted, bounded in size and time.
type Client struct {
	HTTP     *http.Client
	MaxBytes int64         // of one download, and of what a zip holds
	Timeout  time.Duration // of one download, with its pauses
	Stall    time.Duration // without a byte
	Attempts int           // at one address
	Pause    time.Duration // before the second attempt; doubled for each later one
	OpenML   string        // address that an OpenML number is added to
	Say      func(string)  // is told what is tried; may be nil
}

// NewClient returns a client with bounds that fit the registered sets.
func NewClient() *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // has the environment's proxy
	transport.DisableCompression = true                          // ranges count the bytes as they are stored
	return &Client{
		HTTP:     &http.Client{Transport: transport, CheckRedirect: checkRedirect},
		MaxBytes: 1 << 29,
		Timeout:  30 * time.Minute,
		Stall:    30 * time.Second,
		Attempts: 4,
		Pause:    time.Second,
		OpenML:   "https://www.openml.org/api/v1/json/data/",
	}
}

func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("more than 10 redirections")
	}
	if via[0].URL.Scheme == "https" && request.URL.Scheme != "https" {
		return fmt.Errorf("redirected to %s, which is not https", request.URL)
	}
	return nil
}

func (c *Client) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(fmt.Sprintf(format, args...))
	}
}

// maxPause bounds the pause that a server may ask for.
const maxPause = time.Minute

// A finalError will be the same at the next attempt.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// A laterError names when the server wants to be asked again.
type laterError struct {
	error
	after time.Duration
}

// get downloads an address into the folder and returns the file, whose name
// depends on the address alone: what an earlier call left unfinished is resumed
// if the server still has the same content.
func (c *Client) get(ctx context.Context, address, folder string) (path string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("not done within %s", c.Timeout))
	defer cancel()
	sum := sha256.Sum256([]byte(address))
	path = filepath.Join(folder, hex.EncodeToString(sum[:8])+".part")
	pause := c.Pause
	for attempt := 1; ; attempt++ {
		err = c.try(ctx, address, path)
		var final finalError
		if err == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: %w", address, context.Cause(ctx))
		}
		if errors.As(err, &final) || attempt == c.Attempts {
			return "", fmt.Errorf("%s: %w", address, err)
		}
		wait := pause
		var later laterError
		if errors.As(err, &later) {
			wait = min(max(wait, later.after), maxPause)
		}
		c.say("%s: %v; again in %s", address, err, wait)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return "", fmt.Errorf("%s: %w", address, context.Cause(ctx))
		}
		pause *= 2
	}
}

// try makes one attempt, which goes on where the file ends.
func (c *Client) try(ctx context.Context, address, path string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(c.Stall, func() { cancel(fmt.Errorf("nothing came for %s", c.Stall)) })
	defer stalled.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return finalError{err}
	}
	have, validator := partial(path)
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		request.Header.Set("If-Range", validator)
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return because(ctx, err)
	}
	defer response.Body.Close()
	from, total, err := c.accept(response, have)
	if err != nil {
		return err
	}
	file, err := c.open(path, from, response)
	if err != nil {
		return finalError{err}
	}
	n, err := io.Copy(file, io.LimitReader(lively{response.Body, stalled, c.Stall}, c.MaxBytes-from+1))
	if sync := errors.Join(file.Sync(), file.Close()); err == nil && sync != nil {
		return finalError{sync}
	}
	switch got := from + n; {
	case got > c.MaxBytes:
		os.Remove(path)
		return finalError{fmt.Errorf("more than %d bytes", c.MaxBytes)}
	case err != nil:
		return because(ctx, err)
	case total >= 0 && got != total:
		return fmt.Errorf("ended after %d of %d bytes", got, total)
	}
	return nil
}

// because prefers the reason why the context ended.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// accept judges an answer: where its bytes belong and how many there are in all,
// -1 if it does not say.
func (c *Client) accept(r *http.Response, have int64) (from, total int64, err error) {
	switch {
	case r.StatusCode == http.StatusOK:
		from, total = 0, r.ContentLength
	case r.StatusCode == http.StatusPartialContent:
		if _, err := fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-", &from); err != nil || from != have {
			return 0, 0, finalError{fmt.Errorf("asked for the bytes from %d, was offered %q", have, r.Header.Get("Content-Range"))}
		}
		total = -1
		if r.ContentLength >= 0 {
			total = from + r.ContentLength
		}
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500:
		after, _ := strconv.Atoi(r.Header.Get("Retry-After"))
		return 0, 0, laterError{errors.New(r.Status), time.Duration(after) * time.Second}
	default:
		return 0, 0, finalError{errors.New(r.Status)}
	}
	if total > c.MaxBytes {
		return 0, 0, finalError{fmt.Errorf("%d bytes, at most %d are taken", total, c.MaxBytes)}
	}
	return from, total, nil
}

// open opens the file at the given length and, for new content, keeps what tells
// whether the server still has the same.
func (c *Client) open(path string, from int64, r *http.Response) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(from); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if from == 0 {
		validator := r.Header.Get("ETag")
		if validator == "" || strings.HasPrefix(validator, "W/") {
			validator = r.Header.Get("Last-Modified")
		}
		text, err := json.Marshal(validator)
		if err == nil {
			err = os.WriteFile(path+".json", text, 0o666)
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// partial returns how many bytes an unfinished file has and what tells whether
// they are still good; 0 if nothing does.
func partial(path string) (have int64, validator string) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, ""
	}
	text, err := os.ReadFile(path + ".json")
	if err != nil || json.Unmarshal(text, &validator) != nil || validator == "" {
		return 0, ""
	}
	return info.Size(), validator
}

// discard removes a download.
func discard(path string) {
	os.Remove(path)
	os.Remove(path + ".json")
}

// lively puts the stall off with every byte.
type lively struct {
	io.Reader
	stalled *time.Timer
	stall   time.Duration
}

func (l lively) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.stalled.Reset(l.stall)
	}
	return n, err
}
