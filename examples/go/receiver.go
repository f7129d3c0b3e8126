package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	maxBodyBytes = 64 * 1024
	maxKnown     = 10_000
)

type event struct {
	Type string `json:"type"`
	Data struct {
		ID         string `json:"id"`
		EndpointID string `json:"endpoint_id"`
		Rule       string `json:"rule"`
		Status     string `json:"status"`
		Sequence   int    `json:"sequence"`
	} `json:"data"`
}

// receiver remembers in memory. In your app, keep this in your database.
type receiver struct {
	webhook *standardwebhooks.Webhook
	mu      sync.Mutex
	seen    map[string]bool
	latest  map[string]int
}

func handle(e event) {
	// An event is about a video, an endpoint or a split, so one of these is set.
	fmt.Println(e.Type, e.Data.ID+e.Data.EndpointID+e.Data.Rule, e.Data.Status)
}

func (r *receiver) receive(id string, e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A duplicate: this event was handled already.
	if r.seen[id] {
		return
	}
	// Forgetting everything is simple.
	if len(r.seen) >= maxKnown {
		r.seen, r.latest = map[string]bool{}, map[string]int{}
	}
	// Otherwise a newer event of the same video came first.
	if e.Data.Sequence == 0 || e.Data.Sequence >= r.latest[e.Data.ID] {
		handle(e)
		r.latest[e.Data.ID] = e.Data.Sequence
	}
	r.seen[id] = true
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	// The raw bytes: the signature is of the exact bytes, not of the parsed JSON.
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBodyBytes))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	var e event
	if r.webhook.Verify(body, req.Header) != nil || json.Unmarshal(body, &e) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.receive(req.Header.Get("webhook-id"), e)
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s/hook\n", listener.Addr())
	server := &http.Server{
		Handler:     &receiver{webhook: webhook, seen: map[string]bool{}, latest: map[string]int{}},
		ReadTimeout: 10 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}
