// Package standardwebhooks stands in for the library of this name: what the example uses of it.
package standardwebhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

type Webhook struct{ key []byte }

func NewWebhook(secret string) (*Webhook, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	return &Webhook{key}, err
}

func (w *Webhook) Verify(payload []byte, headers http.Header) error {
	id, at := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return err
	}
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("too old or too new")
	}
	mac := hmac.New(sha256.New, w.key)
	mac.Write([]byte(id + "." + at + "." + string(payload)))
	wanted := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
		if id != "" && hmac.Equal([]byte(one), []byte(wanted)) {
			return nil
		}
	}
	return errors.New("no signature matches")
}
