package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// A Client downloads over HTTPS with the proxy of the environment, bounded in size and time.
// A download that breaks off starts anew.
type Client struct {
	HTTP     *http.Client
	MaxBytes int64         // of one download, and of the content of a zip
	Timeout  time.Duration // of one download, with its pauses
	Stall    time.Duration // without a byte
	Attempts int           // at one address
	Pause    time.Duration // before the second attempt; doubled for each later one
	OpenML   string        // address of the API of OpenML
	Say      func(string)  // gets a line for each attempt; may be nil
}

// NewClient returns a client with bounds that fit the registered sets.
func NewClient() *Client {
	return &Client{
		HTTP:     &http.Client{CheckRedirect: checkRedirect}, // its transport has the environment's proxy
		MaxBytes: 1 << 29,
		Timeout:  30 * time.Minute,
		Stall:    30 * time.Second,
		Attempts: 4,
		Pause:    time.Second,
		OpenML:   "https://www.openml.org/api/v1/json/",
	}
}

func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("more than 10 redirections")
	}
	if request.URL.Scheme != "https" {
		return finalError{fmt.Errorf("redirected to %s, which is not https", request.URL)}
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

// A busyError is the answer of a server that wants a pause before the next attempt.
type busyError struct {
	error
	pause time.Duration
}

// get downloads an address into memory.
func (c *Client) get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("not done within %s", c.Timeout))
	defer cancel()
	pause := c.Pause
	for attempt := 1; ; attempt++ {
		content, err := c.try(ctx, address)
		var final finalError
		var busy busyError
		switch {
		case err == nil:
			return content, nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: %w", address, context.Cause(ctx))
		case errors.As(err, &final) || attempt == c.Attempts:
			return nil, fmt.Errorf("%s: %w", address, err)
		case errors.As(err, &busy):
			pause = min(max(pause, busy.pause), maxPause)
		}
		c.say("%s: %v; again in %s", address, err, pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: %w", address, context.Cause(ctx))
		}
		pause *= 2
	}
}

// try makes one attempt.
func (c *Client) try(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(c.Stall, func() { cancel(fmt.Errorf("nothing came for %s", c.Stall)) })
	defer stalled.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, finalError{err}
	}
	if request.URL.Scheme != "https" {
		return nil, finalError{errors.New("the address is not https")}
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	if err := c.accept(response); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(watched{response.Body, stalled, c.Stall}, c.MaxBytes+1))
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	if int64(len(content)) > c.MaxBytes {
		return nil, finalError{fmt.Errorf("more than %d bytes", c.MaxBytes)}
	}
	return content, nil
}

// accept returns why an answer is not the content.
func (c *Client) accept(r *http.Response) error {
	switch {
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500:
		seconds, _ := strconv.Atoi(r.Header.Get("Retry-After")) // 0 where it is missing or a date
		return busyError{errors.New(r.Status), time.Duration(seconds) * time.Second}
	case r.StatusCode != http.StatusOK:
		return finalError{errors.New(r.Status)}
	case r.ContentLength > c.MaxBytes:
		return finalError{fmt.Errorf("%d bytes, at most %d are taken", r.ContentLength, c.MaxBytes)}
	}
	return nil
}

// watched puts a stall off with every byte.
type watched struct {
	io.Reader
	stalled *time.Timer
	stall   time.Duration
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.stalled.Reset(w.stall)
	}
	return n, err
}
