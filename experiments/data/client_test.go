package data

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"copse/internal/errtest"
)

// serve starts a server that ends with the test.
func serve(t *testing.T, answer http.HandlerFunc) *httptest.Server {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server
}

// quick is the real client with short pauses. All of its requests go to the server, whatever host they name.
// Its limit for stalled connections is that of the real client, because a busy machine could miss a shorter
// one.
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

var large = []byte(strings.Repeat("0123456789abcdef", 1<<14)) // 256 kB

// breakOff sends the first n bytes of a text and closes the connection.
func breakOff(w http.ResponseWriter, text []byte, n int) {
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
		"nothing amiss": {func(_ int, w http.ResponseWriter, r *http.Request) { w.Write(large) }, 1},
		"a broken connection": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try == 1 {
				breakOff(w, large, 100_000)
			}
			w.Write(large)
		}, 2},
		"503 twice": {func(try int, w http.ResponseWriter, r *http.Request) {
			if try < 3 {
				w.Header().Set("Retry-After", "0")
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			w.Write(large)
		}, 3},
		"a redirection": {func(try int, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/file" {
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
				return
			}
			w.Write(large)
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			server := serve(t, func(w http.ResponseWriter, r *http.Request) { c.answer(int(tries.Add(1)), w, r) })
			got, err := quick(t, server).get(t.Context(), "https://data.example/file")
			if err != nil || !bytes.Equal(got, large) || int(tries.Load()) != c.tries {
				t.Errorf("%d bytes after %d tries, %v", len(got), tries.Load(), err)
			}
		})
	}
}

func TestClientGoesOnAfterAStall(t *testing.T) {
	var stalled atomic.Bool
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if stalled.CompareAndSwap(false, true) {
			w.Write(large[:5000])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		w.Write(large)
	})
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
	if got, err := client.get(t.Context(), "https://data.example/file"); err != nil ||
		!bytes.Equal(got, large) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if len(said) == 0 || !strings.Contains(said[0], "no data for 300ms") {
		t.Errorf("reported %q", said)
	}
}

func TestClientStopsRetrying(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		bound  func(*Client)
		tries  int
		want   string
	}{
		"404": {http.NotFound, nil, 1, "404"},
		"503 for ever": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "", http.StatusServiceUnavailable)
		}, nil, 4, "503"},
		"always broken": {func(w http.ResponseWriter, r *http.Request) { breakOff(w, large, 1) }, nil, 4, "EOF"},
		"too large, said": {func(w http.ResponseWriter, r *http.Request) { breakOff(w, large, 1) },
			func(c *Client) { c.MaxBytes = 1000 }, 1, "262144 bytes, more than the limit of 1000"},
		"too large, found": {func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			w.Write(large)
		}, func(c *Client) { c.MaxBytes = 1000 }, 1, "more than 1000 bytes"},
		"too slow": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			func(c *Client) { c.Timeout = 200 * time.Millisecond }, 1, "the download took longer than 200ms"},
		"stalls for ever": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			func(c *Client) { c.Stall = 100 * time.Millisecond }, 4, "no data for 100ms"},
		"redirects in circles": {http.RedirectHandler("/file", http.StatusFound).ServeHTTP,
			func(c *Client) { c.Attempts = 1 }, 10, "more than 10 redirections"},
	} {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			server := serve(t, func(w http.ResponseWriter, r *http.Request) { tries.Add(1); c.answer(w, r) })
			client := quick(t, server)
			if c.bound != nil {
				c.bound(client)
			}
			_, err := client.get(t.Context(), "https://data.example/file")
			errtest.HasPrefix(t, err, "https://data.example/file: ")
			errtest.Contains(t, err, c.want)
			if got := int(tries.Load()); got != c.tries {
				t.Errorf("%v after %d tries, want %d", err, got, c.tries)
			}
		})
	}
}

func TestClientKeepsToHTTPS(t *testing.T) {
	plain := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(large) })
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	c := NewClient()
	c.Attempts = 1
	c.HTTP.Transport = secure.Client().Transport
	for address, want := range map[string]string{secure.URL: "which does not use HTTPS",
		plain.URL: "the address is not https"} {
		_, err := c.get(t.Context(), address)
		errtest.Contains(t, err, want)
	}
}

// The client uses the proxy of the environment. A process reads this setting only once, so the test starts a
// child process.
func TestClientHonoursTheProxy(t *testing.T) {
	if os.Getenv("COPSE_TEST_PROXY") != "" {
		c := NewClient()
		c.Attempts = 1
		_, err := c.get(t.Context(), "https://data.example/file")
		errtest.Contains(t, err, "teapot")
		return
	}
	asked := make(chan string, 1)
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusTeapot)
	})
	child := exec.Command(os.Args[0], "-test.run", "^TestClientHonoursTheProxy$")
	child.Env = append(os.Environ(), "COPSE_TEST_PROXY=yes", "HTTPS_PROXY="+proxy.URL, "https_proxy=",
		"NO_PROXY=", "no_proxy=")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := <-asked; got != "CONNECT data.example:443" {
		t.Errorf("the proxy received a request for %q", got)
	}
}
