package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// quick is the real client with short pauses, all of whose requests go to the
// server, whatever host they name. It calls a connection stalled when the real
// one does: a bound that a busy machine can miss is for tests of that bound.
func quick(t *testing.T, server *httptest.Server) *Client {
	t.Helper()
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := NewClient()
	c.HTTP.Transport = toServer{target, server.Client().Transport}
	c.Pause, c.Timeout = time.Millisecond, time.Minute
	c.Say = func(text string) { t.Log(text) }
	return c
}

// toServer sends every request to one host.
type toServer struct {
	target *url.URL
	next   http.RoundTripper
}

func (s toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Asked", r.URL.String())
	r.URL.Scheme, r.URL.Host = s.target.Scheme, s.target.Host
	return s.next.RoundTrip(r)
}

var content = []byte(strings.Repeat("0123456789abcdef", 1<<14)) // 256 kB

// serve answers as an ordinary file server does: ranges, ETag.
func serve(w http.ResponseWriter, r *http.Request, text []byte, tag string) {
	w.Header().Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// breakOff sends the head of the content and closes the connection.
func breakOff(w http.ResponseWriter, text []byte, n int, tag string) {
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.Write(text[:n])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestClientOvercomes(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(try int, w http.ResponseWriter, r *http.Request)
		tries  int
	}{
		"nothing amiss": {func(_ int, w http.ResponseWriter, r *http.Request) { serve(w, r, content, "a") }, 1},
		"a broken connection, resumed": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try == 1 {
				breakOff(w, content, 100_000, "a")
			}
			if r.Header.Get("Range") != "bytes=100000-" || r.Header.Get("If-Range") != `"a"` {
				t.Errorf("not resumed: %v", r.Header)
			}
			serve(w, r, content, "a")
		}, 2},
		"other content after the break": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try == 1 {
				breakOff(w, bytes.Repeat([]byte("x"), 300_000), 100_000, "old")
			}
			serve(w, r, content, "new")
		}, 2},
		"a server without ranges": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try == 1 {
				breakOff(w, content, 100_000, "a")
			}
			w.Write(content)
		}, 2},
		"a break without a mark of the content": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try == 1 {
				w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				w.Write(content[:1000])
				panic(http.ErrAbortHandler)
			}
			if r.Header.Get("Range") != "" {
				t.Error("resumed what nothing tells to be the same")
			}
			w.Write(content)
		}, 2},
		"503 twice": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try < 3 {
				w.Header().Set("Retry-After", "0")
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			serve(w, r, content, "a")
		}, 3},
		"a redirection": {func(try int, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/file" {
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
				return
			}
			serve(w, r, content, "a")
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.answer(int(tries.Add(1)), w, r) }))
			defer server.Close()
			path, err := quick(t, server).get(context.Background(), "https://data.example/file", t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, content) || int(tries.Load()) != c.tries {
				t.Errorf("%d bytes after %d tries, %v", len(got), tries.Load(), err)
			}
		})
	}
}

func TestClientResumesAfterAStall(t *testing.T) {
	var stalled atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stalled.CompareAndSwap(false, true) {
			w.Header().Set("ETag", `"a"`)
			w.Write(content[:5000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		serve(w, r, content, "a")
	}))
	defer server.Close()
	client := quick(t, server)
	patient := client.Stall
	client.Stall = 300 * time.Millisecond
	var said []string
	client.Say = func(text string) {
		said = append(said, text)
		if stalled.Load() {
			client.Stall = patient // the attempt that must succeed may take its time
		}
	}
	path, err := client.get(context.Background(), "https://data.example/file", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if len(said) == 0 || !strings.Contains(said[0], "nothing came for 300ms") {
		t.Errorf("said %q", said)
	}
}

func TestClientGivesUp(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		bound  func(*Client)
		tries  int
		want   string
	}{
		"404":          {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, nil, 1, "404"},
		"503 for ever": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "", http.StatusServiceUnavailable) }, nil, 4, "503"},
		"always broken": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "10")
			w.Write([]byte("x"))
			panic(http.ErrAbortHandler)
		}, nil, 4, "EOF"},
		"too large, said":  {func(w http.ResponseWriter, r *http.Request) { serve(w, r, content, "a") }, func(c *Client) { c.MaxBytes = 1000 }, 1, "262144 bytes, at most 1000"},
		"too large, found": {func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); w.Write(content) }, func(c *Client) { c.MaxBytes = 1000 }, 1, "more than 1000 bytes"},
		"too slow":         {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func(c *Client) { c.Timeout = 200 * time.Millisecond }, 1, "not done within 200ms"},
		"stalls for ever":  {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func(c *Client) { c.Stall = 100 * time.Millisecond }, 4, "nothing came for 100ms"},
		"redirects in circles": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/file", http.StatusFound) },
			func(c *Client) { c.Attempts = 1 }, 10, "more than 10 redirections"},
		"a page instead of the rest": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") == "" {
				breakOff(w, content, 1000, "a")
			}
			w.Header().Set("Content-Range", "bytes 5-9/10")
			w.WriteHeader(http.StatusPartialContent)
		}, nil, 2, `asked for the bytes from 1000, was offered "bytes 5-9/10"`},
	} {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { tries.Add(1); c.answer(w, r) }))
			defer server.Close()
			client := quick(t, server)
			if c.bound != nil {
				c.bound(client)
			}
			_, err := client.get(context.Background(), "https://data.example/file", t.TempDir())
			if err == nil || !strings.HasPrefix(err.Error(), "https://data.example/file: ") || !strings.Contains(err.Error(), c.want) || int(tries.Load()) != c.tries {
				t.Errorf("%v after %d tries", err, tries.Load())
			}
		})
	}
}

// A later run goes on where an interrupted one stopped.
func TestClientResumesLater(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	folder := t.TempDir()
	first := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			w.Header().Set("ETag", `"a"`)
			w.Write(content[:70_000])
			w.(http.Flusher).Flush()
			for r.Context().Err() == nil && !anyBytes(folder) {
				time.Sleep(time.Millisecond)
			}
			cancel()
			<-r.Context().Done()
			return
		}
		if r.Header.Get("Range") == "" {
			t.Error("not resumed")
		}
		serve(w, r, content, "a")
	}))
	defer server.Close()
	if _, err := quick(t, server).get(ctx, "https://data.example/file", folder); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	path, err := quick(t, server).get(context.Background(), "https://data.example/file", folder)
	if got, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// anyBytes tells whether a download in the folder has begun to arrive.
func anyBytes(folder string) bool {
	parts, _ := filepath.Glob(filepath.Join(folder, "*.part"))
	for _, part := range parts {
		if info, err := os.Stat(part); err == nil && info.Size() > 0 {
			return true
		}
	}
	return false
}

func TestClientKeepsToHTTPS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(content) }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL, http.StatusFound) }))
	defer secure.Close()
	c := NewClient()
	c.Attempts = 1
	c.HTTP.Transport = secure.Client().Transport
	if _, err := c.get(context.Background(), secure.URL, t.TempDir()); err == nil || !strings.Contains(err.Error(), "which is not https") {
		t.Error(err)
	}
}

// The environment's proxy is asked. It is read once in a process, hence the child.
func TestClientHonoursTheProxy(t *testing.T) {
	if folder := os.Getenv("COPSE_TEST_PROXY"); folder != "" {
		path, err := NewClient().get(context.Background(), "http://data.example/file", folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, filepath.Join(folder, "got")); err != nil {
			t.Fatal(err)
		}
		return
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "through the proxy: ", r.URL) }))
	defer proxy.Close()
	folder := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run", "^TestClientHonoursTheProxy$")
	child.Env = append(os.Environ(), "COPSE_TEST_PROXY="+folder, "HTTP_PROXY="+proxy.URL, "http_proxy=", "NO_PROXY=", "no_proxy=")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "got")); string(got) != "through the proxy: http://data.example/file" {
		t.Errorf("%q", got)
	}
}
