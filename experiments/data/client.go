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

// A Client downloads files over HTTPS, with limits on size and time. It uses the proxy set in the
// environment.
type Client struct {
	HTTP     *http.Client
	MaxBytes int64         // largest size of a download, and of each file in a zip
	Timeout  time.Duration // time limit of a download, including pauses
	Stall    time.Duration // longest time that an attempt waits for the next byte
	Attempts int           // largest number of attempts for each address
	Pause    time.Duration // pause before the second attempt; each later pause is twice as long
	OpenML   string        // address of the API of OpenML
	Say      func(string)  // is called with a line for each attempt; may be nil
}

// NewClient returns a client whose limits on size and time suffice for all registered data sets.
func NewClient() *Client {
	return &Client{
		HTTP:     &http.Client{CheckRedirect: checkRedirect},
		MaxBytes: 1 << 29,
		Timeout:  30 * time.Minute,
		Stall:    30 * time.Second,
		Attempts: 4,
		Pause:    time.Second,
		OpenML:   "https://www.openml.org/api/v1/json/",
	}
}

const maxRedirects = 10

// checkRedirect rejects redirects to addresses without HTTPS, and more than maxRedirects redirects.
func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirections", maxRedirects)
	}
	if request.URL.Scheme != "https" {
		return finalError{fmt.Errorf("the server redirects to %s, which does not use HTTPS", request.URL)}
	}
	return nil
}

func (c *Client) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(fmt.Sprintf(format, args...))
	}
}

// maxPause is the longest pause between two attempts, even if a server requests a longer one.
const maxPause = time.Minute

// A finalError is a download error for which another attempt would be useless.
type finalError struct{ error }

// A busyError means that the server is too busy. It may request a pause.
type busyError struct {
	error
	pause time.Duration // if 0, the client chooses the pause
}

// get downloads the file at an address, in up to c.Attempts attempts with pauses between them. A
// busyError may lengthen the pause. A finalError ends the attempts.
func (c *Client) get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("the download took longer than %s", c.Timeout))
	defer cancel()
	pause := c.Pause
	for attempt := 1; ; attempt++ {
		content, err := c.try(ctx, address)
		var busy busyError
		switch {
		case err == nil:
			return content, nil
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: %w", address, context.Cause(ctx))
		case errors.As(err, new(finalError)) || attempt == c.Attempts:
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

// try makes one attempt to download a file. It fails if no byte arrives within c.Stall.
func (c *Client) try(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(c.Stall, func() { cancel(fmt.Errorf("no data for %s", c.Stall)) })
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
		return nil, cmp.Or(context.Cause(ctx), err) // the cause is nil unless the context has ended
	}
	defer response.Body.Close()
	if err := c.accept(response); err != nil {
		return nil, err
	}
	body := watched{Reader: response.Body, stalled: stalled, stall: c.Stall}
	// Read one byte beyond the limit to detect larger files.
	content, err := io.ReadAll(io.LimitReader(body, c.MaxBytes+1))
	if err != nil {
		return nil, cmp.Or(context.Cause(ctx), err)
	}
	if int64(len(content)) > c.MaxBytes {
		return nil, finalError{fmt.Errorf("more than %d bytes", c.MaxBytes)}
	}
	return content, nil
}

func (c *Client) accept(r *http.Response) error {
	switch {
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500:
		seconds, _ := strconv.Atoi(r.Header.Get("Retry-After")) // 0 if the header is missing or contains a date
		return busyError{errors.New(r.Status), time.Duration(seconds) * time.Second}
	case r.StatusCode != http.StatusOK:
		return finalError{errors.New(r.Status)}
	case r.ContentLength > c.MaxBytes:
		return finalError{fmt.Errorf("the file has %d bytes, more than the limit of %d", r.ContentLength, c.MaxBytes)}
	}
	return nil
}

// watched is an io.Reader that restarts a timer whenever it reads data.
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
